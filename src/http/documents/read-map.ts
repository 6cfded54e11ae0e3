/** Reads a map of keys to values in all the spellings that clients of this interface use. */
import { excerpt } from '../../lib/excerpt.ts';
import type { InputNode } from '../formats/input-tree.ts';
import type { FieldReader } from './field.ts';
import { complainOfCharacters, isXmlText } from './xml-text.ts';

type Entry = readonly [key: string, value: string];

/**
 * `<k>v</k>`, `<k><string>v</string></k>`, `<entry key="k">v</entry>`, `<entry><string>k</string><string>v</string></entry>`
 * and the JSON forms of each. A null value leaves its key out.
 */
export function readMap(
  nodes: readonly InputNode[],
  reader: FieldReader,
): Readonly<Record<string, string>> | null | undefined {
  const entries: Entry[] = [];
  for (const node of nodes) {
    if (node.kind === 'nil') {
      return null;
    }
    if (node.kind === 'list' || (node.kind === 'scalar' && node.text.trim() !== '')) {
      reader.complain('keys with values were expected, but a plain value or list was found');
      return undefined;
    }
    for (const [name, values] of node.members) {
      for (const value of values) {
        const entry = name === 'entry' ? entryOf(value, reader) : plainEntry(name, value, reader);
        if (entry !== undefined) {
          entries.push(entry);
        }
      }
    }
  }
  if (!entries.flat().every(isXmlText)) {
    return complainOfCharacters(reader);
  }
  return Object.fromEntries(entries);
}

function plainEntry(key: string, node: InputNode, reader: FieldReader): Entry | undefined {
  if (node.kind === 'nil') {
    return undefined;
  }
  if (node.kind !== 'list' && node.members.size === 0) {
    return [key, node.text];
  }
  const [wrapped, ...others] = node.members.get('string') ?? [];
  if (wrapped?.kind === 'scalar' && others.length === 0 && node.members.size === 1) {
    return [key, wrapped.text];
  }
  reader.complain(`the value of '${excerpt(key)}' must be a simple value`);
  return undefined;
}

function entryOf(node: InputNode, reader: FieldReader): Entry | undefined {
  const key = node.attributes.get('key');
  if (key !== undefined) {
    return plainEntry(key, node, reader);
  }
  const [first, second, ...others] = node.members.get('string') ?? [];
  if (first?.kind === 'scalar' && second?.kind === 'scalar' && others.length === 0) {
    return [first.text, second.text];
  }
  if (first?.kind === 'scalar' && second?.kind === 'nil') {
    return undefined;
  }
  reader.complain("each entry needs a 'key' attribute with a value, or two strings");
  return undefined;
}
