/** Stores arbitrary parts of documents, and writes them in any format. */
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ValueMember, ValueTree } from '../../lib/values/value-tree.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { OutputNode } from '../serialization/output-tree.ts';
import type { FieldReader } from './field.ts';
import { isXmlText, reportInvalidCharacters } from './xml-text.ts';

const nameStart =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const xmlName = new RegExp(`^[${nameStart}][${nameStart}0-9.\\u00B7\\u0300-\\u036F\\u203F\\u2040-]*$`, 'u');

/** Returns undefined after an error, and for null, which equals absent. */
export function readValueTree(node: InputNode, reader: FieldReader): ValueTree | undefined {
  if (node.kind === 'nil') {
    return undefined;
  }
  if (node.kind === 'list') {
    reader.reportError('nested lists are not supported, because XML has none');
    return undefined;
  }
  if (!isXmlText(node.text) || ![...node.attributes.values()].every(isXmlText)) {
    return reportInvalidCharacters(reader);
  }
  const unfit = [...node.members.keys(), ...node.attributes.keys()].find(
    (name) => !xmlName.test(name) || name === 'xmlns',
  );
  if (unfit !== undefined) {
    reader.reportError(`'${excerpt(unfit)}' is not a valid XML name for an element or attribute`);
    return undefined;
  }
  if (node.members.size > 0 && node.text.trim() !== '') {
    reader.reportError('mixed content is not supported: use either text or elements');
    return undefined;
  }
  return toValueTree(node, reader);
}

function toValueTree(node: InputNode, reader: FieldReader): ValueTree {
  const members = [...node.members].flatMap(([name, nodes]) =>
    nodes.flatMap((each): readonly ValueMember[] => {
      const value = readValueTree(each, reader);
      return value === undefined ? [] : [{ name, value }];
    }),
  );
  if (node.attributes.size === 0 && members.length === 0) {
    return node.text;
  }
  return {
    ...(node.attributes.size === 0 ? {} : { attributes: Object.fromEntries(node.attributes) }),
    ...(members.length === 0 ? { text: node.text } : {}),
    members,
  };
}

export function writeValueTree(tree: ValueTree): OutputNode {
  if (typeof tree === 'string') {
    return { kind: 'value', value: parsePlainValue(tree) };
  }
  return {
    kind: 'object',
    members: tree.members.map(({ name, value }) => ({ name, node: writeValueTree(value) })),
    ...(tree.attributes === undefined ? {} : { attributes: tree.attributes }),
    ...(tree.text === undefined ? {} : { text: tree.text }),
  };
}

/** Converts numbers and booleans for JSON if the text can be restored. */
export function parsePlainValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') {
    return text === 'true';
  }
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}
