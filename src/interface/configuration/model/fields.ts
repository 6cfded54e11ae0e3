/** The fields of a resource as the configuration tells them: what its own JSON description says, in one spelling. */
import type { DocumentWriter } from '../../../http/documents/document.ts';
import type { JsonSchema } from '../../../http/documents/schema.ts';
import type { OutputListing, OutputMember, OutputNode } from '../../../http/serialization/output-tree.ts';
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { createObject } from '../../../lib/values/create-object.ts';

export type { Json };

export type Fields = JsonObject;

/** Stands for a secret that is there: what it is never leaves the server. */
export const KEPT_SECRET = { $secret: 'kept' } as const;

/** The fields that a description has, and how they are written. */
export interface FieldMapping<R> {
  readonly names: readonly string[];
  /** Those that clients send and never get back. */
  readonly secrets: readonly string[];
  toFields(resource: R): Fields;
}

/**
 * All that clients may set, but `leftOut`: what the path tells, and what follows from something else. What a document leaves
 * out has its default, or is null.
 */
export function createFieldMapping<R>(
  document: Pick<DocumentWriter<R>, 'root' | 'schema' | 'write'>,
  leftOut: readonly string[],
  defaults: Fields = {},
): FieldMapping<R> {
  const { properties = {} } = document.schema.properties?.[document.root] ?? document.schema;
  const told = Object.entries(properties).filter(([name, schema]) => !schema.readOnly && !leftOut.includes(name));
  const plain = told.filter(([, schema]) => !schema.writeOnly);
  const names = new Set(plain.map(([name]) => name));
  // In the order of canonical text, which is then made of them as they are.
  const nothing = Object.fromEntries(
    plain
      .map(([name, schema]) => [name, defaults[name] ?? (isMap(schema) ? {} : null)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return {
    names: told.map(([name]) => name),
    secrets: told.filter(([, schema]) => schema.writeOnly).map(([name]) => name),
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

/** As JSON replies have it, but without links, with keys and values as members, and the same in all dialects. */
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
    case 'map':
      return Object.fromEntries(node.entries);
    case 'collectionLink':
      return null;
  }
}

/** Keys and values as members, where they are texts and REST has entries of them; anything else stays as it is. */
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

/** A member that is called `entry` would be taken for one. */
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
  throw new Error('A field holds no items that are still to be read');
}

/** Several members of one name are an array, as in replies. Members are sorted: canonical text is made of them as they are. */
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

/** The fields that somebody wants, in their order. */
export function filterFields(fields: Fields, isWanted: (name: string, value: Json) => boolean): Fields {
  return createObject(Object.entries(fields).filter(([name, value]) => isWanted(name, value)));
}

function toAttributeMembers(attributes: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`@${name}`, value]));
}

/** The one text of a value: members sorted, no white space. */
export function formatCanonicalJson(value: Json): string {
  // Most of it stands in order already, and its text is made in one go.
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

/** Never where numbers are names, which objects have before all others. */
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

/** Whether an object has members of this name before all others. */
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
