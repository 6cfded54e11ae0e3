/** An XML document as a tree, with namespaces, mixed content and the positions of tags. */

export interface XmlAttribute {
  /** The qualified name, as written. */
  readonly name: string;
  readonly local: string;
  /**
   * The namespace, empty if the name has no prefix. Declarations (`xmlns`, `xmlns:p`) are attributes in the xmlns
   * namespace.
   */
  readonly uri: string;
  readonly value: string;
}

/**
 * Text between tags; never empty and never adjacent to another text (comments and CDATA boundaries do not split it).
 */
export interface XmlText {
  readonly kind: 'text';
  readonly text: string;
  /** The ranges (start and end in UTF-16 units) that came from CDATA sections; only with the option `markCdata`. */
  readonly cdata?: readonly (readonly [number, number])[];
}

export interface XmlElement {
  readonly kind: 'element';
  /** The qualified name, as written. */
  readonly name: string;
  readonly local: string;
  /** The namespace, empty if the element has none. */
  readonly uri: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
  /** The position of its start tag, both counted from 1. */
  readonly line: number;
  readonly column: number;
}

export type XmlNode = XmlElement | XmlText;

/** The namespace of namespace declarations themselves. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
