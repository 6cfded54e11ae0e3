/** Reads a map of keys to values in all notations that clients use. */
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ValueTree } from '../../lib/values/value-tree.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { FieldReader } from './field.ts';
import { readValueTree } from './value-trees.ts';
import { isXmlText, reportInvalidCharacters } from './xml-text.ts';

type Entry<V> = readonly [key: string, value: V];

/** Reads the value of a key; undefined after an error. */
type ReadValue<V> = (key: string, node: InputNode, reader: FieldReader) => V | undefined;

/**
 * Accepts `<k>v</k>`, `<k><string>v</string></k>`, `<entry key="k">v</entry>`,
 * `<entry><string>k</string><string>v</string></entry>` and the JSON forms of each. A null value omits its key.
 */
export function readMap(
  nodes: readonly InputNode[],
  reader: FieldReader,
): Readonly<Record<string, string>> | null | undefined {
  return readEntries(nodes, reader, readSimpleValue);
}

/** The same with nested elements as values: `<entry key="time"><dimensionInfo>…</dimensionInfo></entry>`. */
export function readTreeMap(
  nodes: readonly InputNode[],
  reader: FieldReader,
): Readonly<Record<string, ValueTree>> | null | undefined {
  return readEntries(nodes, reader, readNestedValue);
}

function readEntries<V>(
  nodes: readonly InputNode[],
  reader: FieldReader,
  readValue: ReadValue<V>,
): Readonly<Record<string, V>> | null | undefined {
  const entries: Entry<V>[] = [];
  for (const node of nodes) {
    if (node.kind === 'nil') {
      return null;
    }
    if (node.kind === 'list' || (node.kind === 'scalar' && node.text.trim() !== '')) {
      reader.reportError('keys with values were expected, but a plain value or list was found');
      return undefined;
    }
    for (const [name, values] of node.members) {
      for (const value of values) {
        const keyed = name === 'entry' ? readKeyedValue(value, reader) : ([name, value] as const);
        const read = keyed === undefined ? undefined : readEntry(keyed, reader, readValue);
        if (read !== undefined) {
          entries.push(read);
        }
      }
    }
  }
  return entries.every(([key]) => isXmlText(key)) ? Object.fromEntries(entries) : reportInvalidCharacters(reader);
}

/** Returns the key of an `entry` and the node of its value. */
function readKeyedValue(node: InputNode, reader: FieldReader): readonly [string, InputNode] | undefined {
  const key = node.attributes.get('key');
  if (key !== undefined) {
    return [key, node];
  }
  const [first, second, ...others] = node.members.get('string') ?? [];
  if (first?.kind === 'scalar' && second !== undefined && others.length === 0 && node.members.size === 1) {
    return [first.text, second];
  }
  if (first?.kind === 'scalar' && second === undefined && node.members.size === 2) {
    const { string: _key, ...members } = Object.fromEntries(node.members);
    return [first.text, { ...node, members: new Map(Object.entries(members)) }];
  }
  reader.reportError("each entry requires a 'key' attribute with a value, or two strings");
  return undefined;
}

function readEntry<V>(
  [key, node]: readonly [string, InputNode],
  reader: FieldReader,
  readValue: ReadValue<V>,
): Entry<V> | undefined {
  if (node.kind === 'nil') {
    return undefined;
  }
  const [wrapped, ...others] = node.members.get('string') ?? [];
  const isWrapped = wrapped?.kind === 'scalar' && others.length === 0 && node.members.size === 1;
  const value = readValue(key, isWrapped ? wrapped : node, reader);
  return value === undefined ? undefined : [key, value];
}

function readSimpleValue(key: string, node: InputNode, reader: FieldReader): string | undefined {
  if (node.kind === 'list' || node.members.size > 0) {
    reader.reportError(`the value of '${excerpt(key)}' must be a simple value`);
    return undefined;
  }
  return isXmlText(node.text) ? node.text : reportInvalidCharacters(reader);
}

/** The key is not part of the value. */
function readNestedValue(_key: string, node: InputNode, reader: FieldReader): ValueTree | undefined {
  const attributes = new Map([...node.attributes].filter(([name]) => name !== 'key'));
  return readValueTree({ ...node, attributes }, reader);
}
