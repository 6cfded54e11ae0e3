/** A document as seen by mappings and schemas: lazily read names and values, independent of the database. */
import type { Value, ValueType } from '../port/port.ts';

export interface DocumentObject {
  readonly kind: 'object';
  /** In document order. */
  listNames(): readonly string[];
  /** Returns undefined if the document has no such field. */
  get(name: string): DocumentNode | undefined;
}

export interface DocumentArray {
  readonly kind: 'array';
  readonly length: number;
  at(index: number): DocumentNode;
}

export interface DocumentScalar {
  readonly kind: 'scalar';
  readonly type: ValueType | 'null';
  readonly value: Value;
}

export type DocumentNode = DocumentObject | DocumentArray | DocumentScalar;

/** A document with its id in the collection. */
export interface IdentifiedDocument {
  readonly id: string;
  readonly root: DocumentObject;
}

/** Deeper than real documents; deeper content is treated as missing. */
const MAX_DEPTH = 100;

/** Formats as JSON for text attributes. */
export function formatJson(node: DocumentNode): string {
  return JSON.stringify(toPlainNode(node, 0));
}

function toPlainNode(node: DocumentNode, depth: number): unknown {
  if (depth > MAX_DEPTH) return null;
  switch (node.kind) {
    case 'scalar':
      return toPlainValue(node.value);
    case 'array':
      return listItems(node).map((item) => toPlainNode(item, depth + 1));
    case 'object':
      return listFields(node).reduce<Record<string, unknown>>((fields, [name, each]) => {
        // A field named __proto__ is an ordinary field.
        Object.defineProperty(fields, name, { value: toPlainNode(each, depth + 1), enumerable: true });
        return fields;
      }, {});
  }
}

function toPlainValue(value: Value): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

export function listItems(array: DocumentArray): readonly DocumentNode[] {
  return Array.from({ length: array.length }, (_, index) => array.at(index));
}

export function listFields(object: DocumentObject): readonly (readonly [string, DocumentNode])[] {
  return object.listNames().flatMap((name) => {
    const node = object.get(name);
    return node === undefined ? [] : [[name, node] as const];
  });
}
