/** Examples of documents, made from their schemas: of the fields that show one, and of those that must be there. */
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import type { DescribedDocument, JsonSchema } from '../documents/schema.ts';

export interface ExampleWords {
  /** A name for each kind of thing, by the kind in lower case: `workspace`, `layer`. */
  readonly samples: Readonly<Record<string, string>>;
  /** Where a thing of this kind is found, without an extension. */
  linkTo(kind: string): string;
}

/** Whether clients send the document, or read it. */
export type ExampleUse = 'sent' | 'read';

type Json = string | number | boolean | readonly Json[] | { readonly [member: string]: Json };

export function jsonExample({ root, schema }: DescribedDocument, use: ExampleUse, words: ExampleWords): Json {
  return exampleOf(schema, root, root, { use, words }, true) ?? {};
}

/** The same document in XML, without its links: each would be longer than all the rest, and JSON shows where they lead. */
export function xmlExample(document: DescribedDocument, json: Json): string {
  const { root, xmlRoot = root, schema } = document;
  if (document.xmlExample !== undefined) {
    return document.xmlExample;
  }
  const [only] = membersOf(json);
  const inner = only === undefined ? undefined : schema.properties?.[only[0]];
  const isWrapper = membersOf(json).length === 1 && Object.keys(schema.properties ?? {}).length === 1;
  return isWrapper && only !== undefined && inner !== undefined && (inner.properties ?? inner.items) !== undefined
    ? elements(inner.xml?.wrapped === true ? xmlRoot : (inner.xml?.name ?? xmlRoot), only[1], inner)
    : elements(xmlRoot, json, schema);
}

interface Making {
  readonly use: ExampleUse;
  readonly words: ExampleWords;
}

/** The example of a part; undefined for one that need not be there and shows none. */
function exampleOf(
  schema: JsonSchema,
  name: string,
  owner: string,
  making: Making,
  isNeeded: boolean,
): Json | undefined {
  if (making.use === 'sent' ? schema.readOnly : schema.writeOnly) {
    return undefined;
  }
  const [given] = schema.examples ?? [];
  if (given !== undefined) {
    return given as Json;
  }
  if (schema.properties !== undefined) {
    return objectOf(schema, name, making, isNeeded);
  }
  if (schema.items !== undefined) {
    const item = exampleOf(schema.items, schema.items.xml?.name ?? name, owner, making, isNeeded);
    return item === undefined ? undefined : [item];
  }
  return scalarOf(schema, name, owner, making, isNeeded);
}

function objectOf(schema: JsonSchema, name: string, making: Making, isNeeded: boolean): Json | undefined {
  const members = (isRequired: (key: string) => boolean) =>
    Object.entries(schema.properties ?? {}).flatMap(([key, property]): [string, Json][] => {
      const value = exampleOf(property, key, name, making, isRequired(key));
      return value === undefined ? [] : [[key, value]];
    });
  if (!isNeeded && members(() => false).length === 0) {
    return undefined;
  }
  return Object.fromEntries(members((key) => schema.required?.includes(key) ?? false));
}

function scalarOf(
  schema: JsonSchema,
  name: string,
  owner: string,
  { words, use }: Making,
  isNeeded: boolean,
): Json | undefined {
  if (schema.format === 'uri') {
    const link = words.linkTo(owner);
    return use === 'sent' ? undefined : `${name === 'href' ? link : `${link}/${name.toLowerCase()}`}.json`;
  }
  const isName = name === 'name';
  const sample = words.samples[(isName ? owner : name).toLowerCase()];
  if (schema.type === 'string' && schema.enum === undefined && sample !== undefined && (isName || isNeeded)) {
    return sample;
  }
  if (!isNeeded) {
    return undefined;
  }
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'object':
      return {};
    default:
      return schema.enum?.[0] ?? name;
  }
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}

function elements(name: string, value: Json, schema: JsonSchema | undefined): string {
  if (Array.isArray(value)) {
    const itemName = schema?.items?.xml?.name ?? schema?.xml?.name ?? name;
    const items = value.map((item) => elements(itemName, item, schema?.items)).join('');
    return schema?.xml?.wrapped === true ? element(name, '', items) : items;
  }
  if (typeof value !== 'object') {
    return element(name, '', schema?.format === 'uri' ? '' : escapeText(String(value)));
  }
  const members = membersOf(value);
  const attributes = members.filter(([key]) => key.startsWith('@'));
  const children = members.filter(([key]) => !key.startsWith('@'));
  return element(
    name,
    attributes.map(([key, of]) => ` ${key.slice(1)}="${escapeAttribute(String(of))}"`).join(''),
    children.map(([key, of]) => child(key, of, schema)).join(''),
  );
}

function child(key: string, value: Json, owner: JsonSchema | undefined): string {
  if (key === '$') {
    return escapeText(String(value));
  }
  if (key === 'href') {
    return '';
  }
  const schema = owner?.properties?.[key];
  return elements(schema?.xml?.name ?? key, value, schema);
}

function element(name: string, attributes: string, content: string): string {
  const escaped = name.replaceAll('_', '__');
  return content === '' ? `<${escaped}${attributes}/>` : `<${escaped}${attributes}>${content}</${escaped}>`;
}
