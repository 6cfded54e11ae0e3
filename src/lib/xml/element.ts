/** An XML document as a tree, with its namespaces, its mixed content and the places of its tags. */

export interface XmlAttribute {
  /** As written, with its prefix. */
  readonly name: string;
  readonly local: string;
  /** The namespace, empty if the name has no prefix. Declarations (`xmlns`, `xmlns:p`) are attributes too, in theirs. */
  readonly uri: string;
  readonly value: string;
}

/** Text between tags; never empty, and never next to another text (comments and CDATA borders do not divide it). */
export interface XmlText {
  readonly kind: 'text';
  readonly text: string;
  /** Which stretches of it (start and end in UTF-16 units) came out of CDATA; only where the reader was asked to say. */
  readonly cdata?: readonly (readonly [number, number])[];
}

export interface XmlElement {
  readonly kind: 'element';
  /** As written, with its prefix. */
  readonly name: string;
  readonly local: string;
  /** The namespace, empty if it has none. */
  readonly uri: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
  /** Where its start tag begins, both counted from 1. */
  readonly line: number;
  readonly column: number;
}

export type XmlNode = XmlElement | XmlText;

/** The namespace of namespace declarations themselves. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
