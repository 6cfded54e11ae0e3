/** Builds examples of documents from their schemas: required fields, and fields with an example. */
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import type { DescribedDocument, JsonSchema } from '../documents/schema.ts';

export interface ExampleSamples {
  /** Example names by kind, in lower case: `workspace`, `layer`. */
  readonly samples: Readonly<Record<string, string>>;
  /** Returns the URL of a resource of this kind, without an extension. */
  buildLink(kind: string): string;
}

/** Whether clients send or read the document. */
export type ExampleUse = 'sent' | 'read';

type Json = string | number | boolean | readonly Json[] | { readonly [member: string]: Json };

export function buildJsonExample({ root, schema }: DescribedDocument, use: ExampleUse, words: ExampleSamples): Json {
  return buildExample(schema, { name: root, owner: root, isNeeded: true }, { use, words }) ?? {};
}

/** Returns the same document in XML without links, which would be longer than the rest; the JSON example shows them. */
export function buildXmlExample(document: DescribedDocument, json: Json): string {
  const { root, xmlRoot = root, schema } = document;
  if (document.xmlExample !== undefined) {
    return document.xmlExample;
  }
  const [only] = listMembers(json);
  const inner = only === undefined ? undefined : schema.properties?.[only[0]];
  const isWrapper = listMembers(json).length === 1 && Object.keys(schema.properties ?? {}).length === 1;
  return isWrapper && only !== undefined && inner !== undefined && (inner.properties ?? inner.items) !== undefined
    ? writeElements(inner.xml?.wrapped === true ? xmlRoot : (inner.xml?.name ?? xmlRoot), only[1], inner)
    : writeElements(xmlRoot, json, schema);
}

interface ExampleContext {
  readonly use: ExampleUse;
  readonly words: ExampleSamples;
}

/** A part of a document: its name, the name of the object around it, and whether it must have an example. */
interface ExamplePart {
  readonly name: string;
  readonly owner: string;
  readonly isNeeded: boolean;
}

/** Returns the example of a part; undefined for an optional part without an example. */
function buildExample(schema: JsonSchema, part: ExamplePart, context: ExampleContext): Json | undefined {
  if (context.use === 'sent' ? schema.readOnly : schema.writeOnly) {
    return undefined;
  }
  const [given] = schema.examples ?? [];
  if (given !== undefined) {
    return given as Json;
  }
  if (schema.properties !== undefined) {
    return buildObjectExample(schema, part, context);
  }
  if (schema.items !== undefined) {
    const item = buildExample(schema.items, { ...part, name: schema.items.xml?.name ?? part.name }, context);
    return item === undefined ? undefined : [item];
  }
  return buildScalarExample(schema, part, context);
}

function buildObjectExample(
  schema: JsonSchema,
  { name, isNeeded }: ExamplePart,
  context: ExampleContext,
): Json | undefined {
  const buildMembers = (isRequired: (key: string) => boolean) =>
    Object.entries(schema.properties ?? {}).flatMap(([key, property]): [string, Json][] => {
      const value = buildExample(property, { name: key, owner: name, isNeeded: isRequired(key) }, context);
      return value === undefined ? [] : [[key, value]];
    });
  if (!isNeeded && buildMembers(() => false).length === 0) {
    return undefined;
  }
  return Object.fromEntries(buildMembers((key) => schema.required?.includes(key) ?? false));
}

function buildScalarExample(
  schema: JsonSchema,
  { name, owner, isNeeded }: ExamplePart,
  { words, use }: ExampleContext,
): Json | undefined {
  if (schema.format === 'uri') {
    const link = words.buildLink(owner);
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

function listMembers(value: Json | undefined): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}

function writeElements(name: string, value: Json, schema: JsonSchema | undefined): string {
  if (Array.isArray(value)) {
    const itemName = schema?.items?.xml?.name ?? schema?.xml?.name ?? name;
    const items = value.map((item) => writeElements(itemName, item, schema?.items)).join('');
    return schema?.xml?.wrapped === true ? writeElement(name, '', items) : items;
  }
  if (typeof value !== 'object') {
    return writeElement(name, '', schema?.format === 'uri' ? '' : escapeText(String(value)));
  }
  const members = listMembers(value);
  const attributes = members.filter(([key]) => key.startsWith('@'));
  const children = members.filter(([key]) => !key.startsWith('@'));
  return writeElement(
    name,
    attributes.map(([key, of]) => ` ${key.slice(1)}="${escapeAttribute(String(of))}"`).join(''),
    children.map(([key, of]) => writeChild(key, of, schema)).join(''),
  );
}

function writeChild(key: string, value: Json, owner: JsonSchema | undefined): string {
  if (key === '$') {
    return escapeText(String(value));
  }
  if (key === 'href') {
    return '';
  }
  const schema = owner?.properties?.[key];
  return writeElements(schema?.xml?.name ?? key, value, schema);
}

function writeElement(name: string, attributes: string, content: string): string {
  const escaped = name.replaceAll('_', '__');
  return content === '' ? `<${escaped}${attributes}/>` : `<${escaped}${attributes}>${content}</${escaped}>`;
}
