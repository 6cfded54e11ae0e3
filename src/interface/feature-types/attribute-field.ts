/** The attributes of a feature type in its document. */
import {
  type AttributeDraft,
  getDefaultMinOccurs,
  isNumericType,
  type PublishedAttribute,
} from '../../catalog/kinds/published-attribute.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { parsePlainValue } from '../../http/documents/value-trees.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ValueType } from '../../vector/port/port.ts';
import { getBinding } from './bindings.ts';
import { readAttribute } from './read-attribute.ts';

export interface AttributesRepresentation {
  /** Those that a client has declared for data that was not read may lack any member but the name. */
  readonly attributes: readonly PublishedAttribute[] | readonly AttributeDraft[];
  readonly source: 'database' | 'file';
}

export function attributeField<R>(
  shown: (resource: R) => AttributesRepresentation,
): WritableField<R, readonly AttributeDraft[]> {
  return {
    read: readAttributes,
    write: (resource) => {
      const { attributes, source } = shown(resource);
      return buildAttributeList(attributes, source);
    },
    required: false,
    schema: {
      type: 'object',
      description: 'In the order of the data. For a missing table, they define the new table.',
      properties: { attribute: { type: 'array', items: attributeSchema } },
    },
  };
}

const attributeSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    minOccurs: { type: 'integer' },
    maxOccurs: { type: 'integer', description: '-1 for no limit.' },
    nillable: { type: 'boolean' },
    binding: { type: 'string', description: 'Class of its values, such as java.lang.String.' },
    length: { type: 'integer' },
    range: { type: 'object', properties: { min: { type: 'number' }, max: { type: 'number' } } },
    options: { type: 'object', description: 'Allowed values, each in an element named after its type.' },
    source: { type: 'string', description: 'Attribute of the data, or an expression.' },
    description: { type: 'string' },
    attributes: { type: 'object', description: 'Attributes of a nested object. Read-only.' },
  },
  required: ['name'],
};

function buildDeclaredNode(attribute: AttributeDraft, source: 'database' | 'file'): OutputNode {
  const { type, length } = attribute;
  return {
    kind: 'object',
    members: [
      ...toValueMembers('name', attribute.name),
      ...toValueMembers('minOccurs', attribute.minOccurs),
      ...toValueMembers('maxOccurs', attribute.maxOccurs),
      ...toValueMembers('nillable', attribute.nillable),
      ...toValueMembers('binding', type && getBinding(type, source)),
      ...toValueMembers('length', length === 0 ? undefined : length),
      ...buildRangeMembers(attribute),
      ...buildOptionMembers({ options: attribute.options, type: type?.kind === 'value' ? type.type : 'string' }),
      ...toValueMembers('source', attribute.source),
      ...toValueMembers('description', attribute.description),
    ],
  };
}

function buildAttributeNode(attribute: PublishedAttribute, source: 'database' | 'file'): OutputNode {
  const length = attribute.kind === 'value' ? attribute.maxLength : undefined;
  const inner = attribute.kind === 'value' ? attribute.attributes : undefined;
  return {
    kind: 'object',
    members: [
      ...toValueMembers('name', attribute.name),
      ...toValueMembers('minOccurs', attribute.minOccurs ?? getDefaultMinOccurs(attribute)),
      ...toValueMembers('maxOccurs', attribute.maxOccurs ?? 1),
      ...toValueMembers('nillable', attribute.nillable),
      ...toValueMembers('binding', getBinding(attribute, source)),
      ...toValueMembers('length', length === 0 ? undefined : length),
      ...buildRangeMembers(attribute),
      ...(attribute.kind === 'value' ? buildOptionMembers(attribute) : []),
      ...toValueMembers('source', attribute.source),
      ...toValueMembers('description', attribute.description),
      ...(inner === undefined ? [] : [{ name: 'attributes', node: buildAttributeList(inner, source) }]),
    ],
  };
}

function buildAttributeList(
  attributes: AttributesRepresentation['attributes'],
  source: 'database' | 'file',
): OutputNode {
  const items = attributes.map((attribute) =>
    'kind' in attribute ? buildAttributeNode(attribute, source) : buildDeclaredNode(attribute, source),
  );
  return { kind: 'list', itemName: 'attribute', items };
}

function buildRangeMembers({ range }: Pick<AttributeDraft, 'range'>): readonly OutputMember[] {
  if (range === undefined) {
    return [];
  }
  const ends = [...toValueMembers('min', shown(range.min)), ...toValueMembers('max', shown(range.max))];
  return [{ name: 'range', node: { kind: 'object', members: ends } }];
}

function buildOptionMembers({
  options,
  type,
}: {
  readonly options?: readonly string[] | undefined;
  readonly type: ValueType;
}): readonly OutputMember[] {
  if (options === undefined) {
    return [];
  }
  const items = options.map((option): OutputNode => {
    return { kind: 'value', value: isNumericType(type) ? parsePlainValue(option) : option };
  });
  return [{ name: 'options', node: { kind: 'list', itemName: optionNames[type] ?? 'string', items } }];
}

/** The element names of the reference server for values in an untyped list. */
const optionNames: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  short: 'short',
  integer: 'int',
  long: 'long',
  float: 'float',
  double: 'double',
  decimal: 'big-decimal',
};

function shown(text: string | undefined): string | number | boolean | undefined {
  return text === undefined ? undefined : parsePlainValue(text);
}

function toValueMembers(name: string, content: string | number | boolean | undefined): readonly OutputMember[] {
  return content === undefined ? [] : [{ name, node: { kind: 'value', value: content } }];
}

/** Databases have at most 2,000 columns; parsing many more would block the server. */
const MAX_ATTRIBUTES = 10_000;

function readAttributes(
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly AttributeDraft[] | null | undefined {
  if (nodes.some((node) => node.kind === 'nil')) {
    return null;
  }
  if (nodes.some((node) => node.kind === 'list' || node.text.trim() !== '')) {
    reader.reportError("expected attributes, each in an 'attribute'");
    return undefined;
  }
  const items = nodes.flatMap((node) => (node.members.has('name') ? [node] : (node.members.get('attribute') ?? [])));
  if (items.length === 0) {
    // An empty list selects nothing: the attributes of the data are shown.
    return null;
  }
  if (items.length > MAX_ATTRIBUTES) {
    reader.reportError(`found ${items.length} attributes; the limit is ${MAX_ATTRIBUTES}`);
    return undefined;
  }
  const attributes = items.map((item, index) => readAttribute(item, `attribute ${index + 1}`, reader));
  const read = attributes.filter((attribute) => attribute !== undefined);
  const seen = new Set<string>();
  const duplicate = read.find(({ name }) => seen.size === seen.add(name).size);
  if (duplicate !== undefined) {
    reader.reportError(`attribute '${excerpt(duplicate.name)}' is defined twice`);
  }
  return read.length < attributes.length || duplicate !== undefined ? undefined : read;
}
