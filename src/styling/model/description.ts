/** What people read about a layer, a style, a rule or a symbolizer. */
export interface Description {
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  /** The same sentences in other languages. */
  readonly translations?: readonly Translation[] | undefined;
}

export interface Translation {
  readonly of: 'title' | 'abstract';
  /** A language tag, such as `pt-BR`. */
  readonly language: string;
  readonly text: string;
}
