/** Writes fields of the configuration as an XML document of the catalog. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { isList, isObject } from '../archive/exported-configuration.ts';

/** Fields that are maps: each value becomes an `entry` with its key. */
const mapNames: ReadonlySet<string> = new Set(['metadata', 'connectionParameters', 'vendorParameters']);

/** Members with `@` are attributes, `$` is the text, lists repeat their element, and null is omitted. */
export function writeDocument(root: string, fields: JsonObject): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, fields, '')}`;
}

function writeElement(name: string, value: Json, indent: string): string {
  if (value === null) return '';
  if (isList(value)) return value.map((each) => writeElement(name, each, indent)).join('');
  if (!isObject(value)) return `${indent}<${name}>${escapeText(String(value))}</${name}>\n`;
  const isMap = mapNames.has(name) && !isList(value['entry']);
  const members: readonly (readonly [string, Json])[] = isMap
    ? Object.entries(value).map(([key, text]) => ['entry', toEntry(key, text)])
    : Object.entries(value);
  const attributes = members
    .filter(([member, text]) => member.startsWith('@') && text !== null)
    .map(([member, text]) => ` ${member.slice(1)}="${escapeAttribute(String(text))}"`)
    .join('');
  const { $: text } = isMap ? {} : value;
  if (text !== undefined && text !== null) {
    return `${indent}<${name}${attributes}>${escapeText(String(text))}</${name}>\n`;
  }
  const children = members
    .filter(([member]) => !member.startsWith('@') && member !== '$')
    .map(([member, inner]) => writeElement(member, inner, `${indent}  `))
    .join('');
  if (children === '') return `${indent}<${name}${attributes}/>\n`;
  return `${indent}<${name}${attributes}>\n${children}${indent}</${name}>\n`;
}

function toEntry(key: string, value: Json): Json {
  return isObject(value) ? { '@key': key, ...value } : { '@key': key, $: value };
}
