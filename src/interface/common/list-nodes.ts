/** Lists, numbers and boxes in the notation of GeoWebCache: `<double>1</double><double>2</double>`, or JSON arrays. */
import type { Bounds } from '../../crs/bounds.ts';
import type { FieldReader } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';

export function toValueMember(name: string, value: string | number | boolean): OutputMember {
  return { name, node: { kind: 'value', value } };
}

export function toSequence(itemName: string, values: readonly (string | number)[]): OutputNode {
  return { kind: 'sequence', members: values.map((value) => toValueMember(itemName, value)) };
}

export function isNil(nodes: readonly InputNode[]): boolean {
  return nodes.length === 1 && nodes[0]?.kind === 'nil';
}

/** Returns the items of `[1, 2]`, `{"double": [1, 2]}` or `<double>1</double><double>2</double>`. */
export function listItems(nodes: readonly InputNode[], itemName: string): readonly InputNode[] {
  const [only] = nodes;
  const inner = nodes.length === 1 ? only?.members.get(itemName) : undefined;
  if (inner !== undefined) return inner;
  const isEmpty = nodes.length === 1 && only?.kind === 'scalar' && only.text.trim() === '';
  return isEmpty ? [] : nodes;
}

export function readNumbers(
  nodes: readonly InputNode[],
  { reportError }: FieldReader,
  itemName = 'double',
): readonly number[] | null | undefined {
  if (isNil(nodes)) return null;
  const items = listItems(nodes, itemName);
  const invalid = items.find((node) => Number.isNaN(toNumber(node)));
  if (invalid === undefined) return items.map(toNumber);
  reportError(`expected a list of numbers, found '${excerpt(invalid.text)}'`);
  return undefined;
}

export function readTexts(
  nodes: readonly InputNode[],
  { reportError }: FieldReader,
): readonly string[] | null | undefined {
  if (isNil(nodes)) return null;
  const items = listItems(nodes, 'string');
  if (items.every(({ kind }) => kind === 'scalar')) return items.map((node) => node.text.trim());
  reportError('expected a list of texts');
  return undefined;
}

/** Returns NaN for other text. */
export function toNumber({ kind, text: written }: InputNode): number {
  const trimmed = written.trim();
  const value = kind === 'scalar' && trimmed !== '' ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Reads `<coords><double>…`: minimum x, minimum y, maximum x, maximum y. */
export function readBox(nodes: readonly InputNode[], reader: FieldReader): Bounds | null | undefined {
  if (isNil(nodes)) return null;
  const [node] = nodes;
  const coords = node?.members.get('coords');
  const numbers = coords === undefined ? [] : readNumbers(coords, reader);
  if (numbers === undefined || numbers === null) return undefined;
  const [minX, minY, maxX, maxY, ...more] = numbers;
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined || more.length > 0) {
    reader.reportError('expected coords with four numbers: minimum x, minimum y, maximum x, maximum y');
    return undefined;
  }
  return { minX, minY, maxX, maxY };
}

export function writeBox({ minX, minY, maxX, maxY }: Bounds): OutputNode {
  return { kind: 'object', members: [{ name: 'coords', node: toSequence('double', [minX, minY, maxX, maxY]) }] };
}
