/** The attributes of a feature type in its document. */
import type { PublishedAttribute } from '../../catalog/feature-type.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { complainOfCharacters, isXmlText } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/formats/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/formats/output-tree.ts';
import { excerpt } from '../../lib/excerpt.ts';
import { parseFlag } from '../../lib/flag.ts';
import { bindingOf, typeOfBinding } from './bindings.ts';

export interface ShownAttributes {
  readonly attributes: readonly PublishedAttribute[];
  readonly source: 'database' | 'file';
}

export function attributeField<R>(
  shown: (resource: R) => ShownAttributes,
): WritableField<R, readonly PublishedAttribute[]> {
  return {
    read: readAttributes,
    write: (resource) => {
      const { attributes, source } = shown(resource);
      const items = attributes.map((attribute) => attributeNode(attribute, source));
      return { kind: 'list', itemName: 'attribute', items };
    },
    required: false,
    schema: {
      type: 'object',
      description: 'In the order of the data. Given for a table that is not there, they make it.',
      properties: {
        attribute: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              minOccurs: { type: 'integer' },
              maxOccurs: { type: 'integer' },
              nillable: { type: 'boolean' },
              binding: { type: 'string', description: 'The class of its values, such as java.lang.String.' },
              length: { type: 'integer' },
              description: { type: 'string' },
            },
            required: ['name', 'binding'],
          },
        },
      },
    },
  };
}

function attributeNode(attribute: PublishedAttribute, source: 'database' | 'file'): OutputNode {
  const value = (name: string, content: string | number | boolean): OutputMember => ({
    name,
    node: { kind: 'value', value: content },
  });
  const length = attribute.kind === 'value' ? attribute.maxLength : undefined;
  return {
    kind: 'object',
    members: [
      value('name', attribute.name),
      value('minOccurs', attribute.nillable ? 0 : 1),
      value('maxOccurs', 1),
      value('nillable', attribute.nillable),
      value('binding', bindingOf(attribute, source)),
      ...(length === undefined || length === 0 ? [] : [value('length', length)]),
      ...(attribute.description === undefined ? [] : [value('description', attribute.description)]),
    ],
  };
}

function readAttributes(
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly PublishedAttribute[] | null | undefined {
  if (nodes.some((node) => node.kind === 'nil')) {
    return null;
  }
  const items = nodes.flatMap((node) => (node.members.has('name') ? [node] : (node.members.get('attribute') ?? [])));
  const attributes = items.map((item, index) => readAttribute(item, `attribute ${index + 1}`, reader));
  const read = attributes.filter((attribute) => attribute !== undefined);
  const doubled = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (doubled !== undefined) {
    reader.complain(`there are two attributes named '${excerpt(doubled.name)}'`);
  }
  return read.length < attributes.length || doubled !== undefined ? undefined : read;
}

function readAttribute(item: InputNode, what: string, reader: FieldReader): PublishedAttribute | undefined {
  const textOf = (member: string): string | undefined => {
    const [node] = item.members.get(member) ?? [];
    return node === undefined || node.kind === 'nil' ? undefined : node.text.trim();
  };
  const name = textOf('name') ?? '';
  const binding = textOf('binding') ?? '';
  if (name === '') {
    reader.complain(`${what} has no name`);
    return undefined;
  }
  const description = textOf('description');
  if (!isXmlText(name) || !isXmlText(description ?? '')) {
    return complainOfCharacters(reader);
  }
  const bound = typeOfBinding(binding);
  if (bound === undefined) {
    reader.complain(
      `the attribute '${excerpt(name)}' has the binding '${excerpt(binding)}', which is not known; java.lang.String, java.util.Date and org.locationtech.jts.geom.Point are examples`,
    );
    return undefined;
  }
  const nillable = parseFlag(textOf('nillable') ?? '') ?? (textOf('minOccurs') ?? '0') === '0';
  const common = { name, nillable, ...(description === undefined || description === '' ? {} : { description }) };
  if (bound.kind === 'geometry') {
    return { ...common, ...bound, dimension: 'XY', crs: {} };
  }
  const length = /^\d{1,8}$/.test(textOf('length') ?? '') ? Number(textOf('length')) : 0;
  return { ...common, ...bound, ...(length > 0 ? { maxLength: length } : {}) };
}
