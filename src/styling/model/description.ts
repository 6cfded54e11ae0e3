/** The readable texts of a layer, style, rule or symbolizer. */
export interface Description {
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  /** The same texts in other languages. */
  readonly translations?: readonly Translation[] | undefined;
}

export interface Translation {
  readonly of: 'title' | 'abstract';
  /** A language tag, such as `pt-BR`. */
  readonly language: string;
  readonly text: string;
}
