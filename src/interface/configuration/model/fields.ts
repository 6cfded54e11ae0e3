/** The fields of a resource in exports: those of its JSON schema, in one canonical form. */
import type { DocumentWriter } from '../../../http/documents/document.ts';
import type { JsonSchema } from '../../../http/documents/schema.ts';
import type { OutputListing, OutputMember, OutputNode } from '../../../http/serialization/output-tree.ts';
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { createObject } from '../../../lib/values/create-object.ts';

export type { Json };

export type Fields = JsonObject;

/** Placeholder for an existing secret, which is never returned. */
export const KEPT_SECRET = { $secret: 'kept' } as const;

/** The fields of a schema and their notation. */
export interface FieldMapping<R> {
  readonly names: readonly string[];
  /** Fields that clients send and that are never returned. */
  readonly secrets: readonly string[];
  toFields(resource: R): Fields;
}

/**
 * All writable fields except `leftOut`: those determined by the path or by other fields. An omitted field has its
 * default or is null.
 */
export function createFieldMapping<R>(
  document: Pick<DocumentWriter<R>, 'root' | 'schema' | 'write'>,
  leftOut: readonly string[],
  defaults: Fields = {},
): FieldMapping<R> {
  const { properties = {} } = document.schema.properties?.[document.root] ?? document.schema;
  const writable = Object.entries(properties).filter(([name, schema]) => !schema.readOnly && !leftOut.includes(name));
  const plain = writable.filter(([, schema]) => !schema.writeOnly);
  const names = new Set(plain.map(([name]) => name));
  // In canonical order, so that the text needs no sorting.
  const nothing = Object.fromEntries(
    plain
      .map(([name, schema]) => [name, defaults[name] ?? (isMap(schema) ? {} : null)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return {
    names: writable.map(([name]) => name),
    secrets: writable.filter(([, schema]) => schema.writeOnly).map(([name]) => name),
    toFields(resource) {
      const { node } = document.write(resource, names);
      const members = node.kind === 'object' ? node.members.filter(({ name }) => names.has(name)) : [];
      return { ...nothing, ...toJsonObject(members) };
    },
  };
}

function isMap({ properties }: JsonSchema): boolean {
  return properties?.['entry'] !== undefined;
}

/** As in JSON responses, but without links, with keys and values as members, and equal in all dialects. */
function toFieldValue(node: OutputNode | OutputListing): Json {
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'object':
      return {
        ...toAttributeMembers(node.attributes),
        ...toJsonObject(node.members),
        ...(node.text === undefined ? {} : { $: node.text }),
      };
    case 'list':
      return toPlainEntries({
        ...toAttributeMembers(node.attributes),
        [node.itemName]: Array.from(getItems(node.items), toFieldValue),
      });
    case 'sequence':
      return node.members.map((member) => toFieldValue(member.node));
    case 'repeated':
      return node.items;
    case 'map':
    case 'dictionary':
      return Object.fromEntries(node.entries);
    case 'collectionLink':
      return null;
  }
}

/** Converts text entries of REST to keys and values; other values are unchanged. */
export function toPlainEntries(value: JsonObject): JsonObject {
  const { entry, ...others } = value;
  const entries = isList(entry) ? entry : [entry];
  if (entry === undefined || Object.keys(others).length > 0 || !entries.every(isPlainEntry)) {
    return value;
  }
  return Object.fromEntries(entries.map((each) => [each['@key'], each['$'] ?? null]));
}

interface PlainEntry extends JsonObject {
  readonly '@key': string;
}

/** A member named `entry` would be mistaken for an entry list. */
function isPlainEntry(value: Json | undefined): value is PlainEntry {
  return (
    isObject(value) &&
    typeof value['@key'] === 'string' &&
    !['entry', '$'].includes(value['@key']) &&
    !value['@key'].startsWith('@') &&
    Object.keys(value).every((name) => name === '@key' || name === '$')
  );
}

function getItems(items: OutputListing['items']): Iterable<OutputNode> {
  if (Symbol.iterator in items) {
    return items;
  }
  throw new Error('A field cannot contain lazily read items');
}

/** Several members of one name become an array, as in responses. Members are sorted for the canonical text. */
function toJsonObject(members: readonly OutputMember[]): JsonObject {
  const values = new Map<string, Json>();
  const repeated = new Set<string>();
  let isSorted = true;
  let before = '';
  for (const { name, node } of members) {
    if (node.kind === 'collectionLink') {
      continue;
    }
    isSorted &&= name >= before;
    before = name;
    const value = toFieldValue(node);
    const former = values.get(name);
    if (former === undefined) {
      values.set(name, value);
    } else if (repeated.has(name) && Array.isArray(former)) {
      values.set(name, [...former, value]);
    } else {
      repeated.add(name);
      values.set(name, [former, value]);
    }
  }
  return createObject(isSorted ? values : [...values].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The requested fields, in order. */
export function filterFields(fields: Fields, isWanted: (name: string, value: Json) => boolean): Fields {
  return createObject(Object.entries(fields).filter(([name, value]) => isWanted(name, value)));
}

function toAttributeMembers(attributes: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`@${name}`, value]));
}

/** The canonical text of a value: sorted members, no white space. */
export function formatCanonicalJson(value: Json): string {
  // Most values are already sorted and are formatted in one call.
  if (isInOrder(value)) {
    return JSON.stringify(value);
  }
  if (isList(value)) {
    return `[${value.map(formatCanonicalJson).join(',')}]`;
  }
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${formatCanonicalJson(object[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Never with integer-like names, which objects enumerate first. */
function isInOrder(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (isList(value)) {
    return value.every(isInOrder);
  }
  let before = '';
  for (const name in value) {
    if (name < before || isNumericName(name) || !isInOrder(value[name])) {
      return false;
    }
    before = name;
  }
  return true;
}

/** Whether an object enumerates members of this name first. */
function isNumericName(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
