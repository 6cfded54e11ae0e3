/** Evaluates the document functions of mappings: `jsonSelect`, `jsonSelectAll` and `collectionLink`. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { Value } from '../port/port.ts';
import { type DocumentNode, type DocumentObject, formatJson, listItems } from './document.ts';
import { decodeGeoJson, decodeLegacyPoint, isGeoJson } from './geojson.ts';

/** Returns the first value at a path such as `contact.mail`, or null. */
export function selectFirst(document: DocumentObject, path: string): Value | Geometry {
  for (const node of findNodes(document, path)) {
    for (const value of listValues(node)) if (value !== null) return value;
  }
  return null;
}

/** Returns all values at a path, including those of array elements. */
export function selectAll(document: DocumentObject, path: string): readonly (Value | Geometry)[] {
  return findNodes(document, path)
    .flatMap(listValues)
    .filter((value) => value !== null);
}

/** A nested document, to which a chained mapping is applied. */
export interface NestedDocument {
  /** Its path in the enclosing document, such as `measurements.0`, which identifies it. */
  readonly key: string;
  readonly document: DocumentObject;
}

/** Returns the objects at a path in document order; array elements are separate. */
export function listNestedDocuments(document: DocumentObject, path: string): readonly NestedDocument[] {
  const found: NestedDocument[] = [];
  walk(document, splitPath(path), [], (node, key) => {
    const each =
      node.kind === 'array'
        ? listItems(node).map((item, index) => [item, [...key, index]] as const)
        : [[node, key] as const];
    for (const [nested, at] of each) if (nested.kind === 'object') found.push({ key: at.join('.'), document: nested });
  });
  return found;
}

/** Returns the nodes at a path; arrays on the way are entered, an array at the end is not. */
export function findNodes(document: DocumentObject, path: string): readonly DocumentNode[] {
  const found: DocumentNode[] = [];
  walk(document, splitPath(path), [], (node) => found.push(node));
  return found;
}

type Key = readonly (string | number)[];

/** A leading `$.` is the root in other path languages. */
function splitPath(path: string): readonly string[] {
  return path.trim().replace(/^\$\./, '').split('.');
}

function walk(
  node: DocumentNode,
  steps: readonly string[],
  key: Key,
  found: (node: DocumentNode, key: Key) => void,
): void {
  const [step, ...rest] = steps;
  if (step === undefined) {
    found(node, key);
    return;
  }
  if (node.kind === 'array') {
    // A number is an array index; any other step applies to each element.
    if (/^\d{1,9}$/.test(step)) {
      const index = Number(step);
      if (index < node.length) walk(node.at(index), rest, [...key, index], found);
      return;
    }
    for (let index = 0; index < node.length; index += 1) {
      const item = node.at(index);
      if (item.kind === 'object') walk(item, steps, [...key, index], found);
    }
    return;
  }
  const next = node.kind === 'object' ? node.get(step) : undefined;
  if (next !== undefined) walk(next, rest, [...key, step], found);
}

function listValues(node: DocumentNode): readonly (Value | Geometry)[] {
  switch (node.kind) {
    case 'scalar':
      return [node.value];
    case 'array':
      return listItems(node).map((item) => toValue(item));
    case 'object':
      return [toValue(node)];
  }
}

/** An object that is not a geometry is returned as JSON text. */
function toValue(node: DocumentNode): Value | Geometry {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'object' && isGeoJson(node)) return decodeGeoJson(node) ?? null;
  return formatJson(node);
}

/** Returns the geometry at a path, also from a coordinate pair. */
export function selectGeometry(document: DocumentObject, path: string): Geometry | null {
  for (const node of findNodes(document, path)) {
    const geometry =
      (node.kind === 'object' && isGeoJson(node) ? decodeGeoJson(node) : undefined) ?? decodeLegacyPoint(node);
    if (geometry !== undefined) return geometry;
  }
  return null;
}
