/** XML that the style only carries, such as an inline picture, kept whole but for comments and prefixes. */

export interface ForeignElement {
  readonly kind: 'element';
  readonly name: string;
  /** Empty if it has none. */
  readonly namespace: string;
  readonly attributes: readonly ForeignAttribute[];
  readonly children: readonly (ForeignElement | ForeignText)[];
}

export interface ForeignAttribute {
  readonly name: string;
  /** Empty if it has none. */
  readonly namespace: string;
  readonly value: string;
}

export interface ForeignText {
  readonly kind: 'text';
  readonly text: string;
}
