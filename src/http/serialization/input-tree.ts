/** The neutral tree that XML and JSON bodies are read into, so that a resource is described for both at once. */
export type { DocumentLimits } from '../../lib/text/document-limits.ts';

/**
 * One element or value.
 *
 * XML `<entry key="port">5432</entry>` and JSON `{"@key":"port","$":"5432"}` give the same node. A repeated element and
 * a JSON array both give several nodes under one member name; an empty array gives a member with no nodes.
 */
export interface InputNode {
  /**
   * scalar: text and nothing else. nil: JSON null, or xsi:nil="true". object: has attributes or members.
   * list: a JSON array that is not the value of a member (the whole document, or an array inside an array).
   */
  readonly kind: 'scalar' | 'nil' | 'object' | 'list';
  /** The text of a scalar (numbers and booleans as they were written), or the `$` of an object; else empty. */
  readonly text: string;
  /** XML attributes by local name, JSON members that begin with `@` without it. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Child elements by name, in order of first appearance. */
  readonly members: ReadonlyMap<string, readonly InputNode[]>;
  /** The items of a list. */
  readonly items: readonly InputNode[];
}

/** A body that is read piece by piece, so that others can have their turn in between. */
export interface InputReading {
  /** Reads on for about so many characters; the whole tree when there is nothing left, else undefined. */
  advance(characters: number): InputNode | undefined;
}
