/** The neutral tree of XML and JSON bodies, so that a resource needs one description for both. */
export type { DocumentLimits } from '../../lib/text/document-limits.ts';

/**
 * One element or value.
 *
 * XML `<entry key="port">5432</entry>` and JSON `{"@key":"port","$":"5432"}` give the same node. A repeated element and
 * a JSON array both give several nodes under one member name; an empty array gives a member with no nodes.
 */
export interface InputNode {
  /**
   * scalar: text only. nil: JSON null, or xsi:nil="true". object: has attributes or members. list: a JSON array that is
   * not the value of a member (the whole document, or an array inside an array).
   */
  readonly kind: 'scalar' | 'nil' | 'object' | 'list';
  /** The text of a scalar (numbers and booleans as written), or the `$` of an object; otherwise empty. */
  readonly text: string;
  /** XML attributes by local name; JSON members with a leading `@`, without it. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Child elements by name, in order of first appearance. */
  readonly members: ReadonlyMap<string, readonly InputNode[]>;
  /** The items of a list. */
  readonly items: readonly InputNode[];
}

/** A body that is parsed in chunks, so that other work can run in between. */
export interface InputReading {
  /** Parses about this many characters; returns the tree at the end, and undefined before. */
  advance(characters: number): InputNode | undefined;
}
