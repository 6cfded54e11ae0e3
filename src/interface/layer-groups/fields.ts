/** Fields that only layer groups have: members, styles and bounds. */

import type { GroupBounds } from '../../catalog/kinds/group-bounds.ts';
import type { PartChoice } from '../../catalog/layer-groups/group-parts.ts';
import type { InputBounds } from '../../catalog/layer-groups/input-bounds.ts';
import type { VisiblePart } from '../../catalog/layer-groups/layer-groups.ts';
import type { StyleChoice } from '../../catalog/layers/named-style.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { buildStyleNode, readStyle, styleSchema } from '../layers/style-fields.ts';
import { boxField, type CrsRepresentation } from '../resources/fields.ts';
import { getPartPath } from './paths.ts';

const partSchema = {
  type: 'object',
  properties: {
    '@type': { type: 'string', enum: ['layer', 'layerGroup'] },
    name: { type: 'string', examples: ['acme:streets'] },
    href: { type: 'string', format: 'uri', readOnly: true },
  },
} as const;

/** Each member is a `published` with a type (layer or group); clients also send bare names. */
export function publishablesField<R>(
  value: (resource: R) => readonly VisiblePart[],
): WritableField<R, readonly PartChoice[]> {
  return {
    read: (nodes, reader) => readParts('published', nodes, reader),
    write: (resource) => ({ kind: 'list', itemName: 'published', items: value(resource).map(buildPartNode) }),
    required: false,
    schema: {
      type: 'object',
      description: 'Layers and layer groups of the group, in drawing order.',
      properties: { published: { type: 'array', items: partSchema } },
      examples: [{ published: [{ '@type': 'layer', name: 'acme:streets' }] }],
    },
  };
}

/** Older clients send the layers of a group this way; responses contain `publishables` instead. */
export function layersField<R>(): WritableField<R, readonly PartChoice[]> {
  return {
    read: (nodes, reader) => readParts('layer', nodes, reader),
    required: false,
    schema: {
      type: 'object',
      writeOnly: true,
      description: 'Layers only, as older clients send them.',
      properties: { layer: { type: 'array', items: partSchema } },
    },
  };
}

/** One entry per member: an empty entry is the default style. */
export function groupStylesField<R>(
  value: (resource: R) => readonly VisiblePart[],
): WritableField<R, readonly (StyleChoice | null)[]> {
  return {
    read: readStyles,
    write: (resource) => ({
      kind: 'list',
      itemName: 'style',
      items: value(resource).map(buildPartStyleNode),
    }),
    required: false,
    schema: {
      type: 'object',
      description:
        'One style for each of the publishables: empty for the default style; for a group, one of its own styles.',
      properties: { style: { type: 'array', items: { properties: styleSchema.properties } } },
    },
  };
}

export function groupBoundsField<R>(
  value: (resource: R) => { readonly bounds: GroupBounds | null; readonly crs: CrsRepresentation | undefined },
): WritableField<R, InputBounds> {
  const box = boxField(value);
  return {
    ...box,
    read: (nodes, reader) => {
      const [node, ...others] = nodes;
      const bounds = others.length === 0 ? box.read(nodes, reader) : undefined;
      if (others.length > 0) {
        reader.reportError('expected one box');
      }
      const [crs] = node?.members.get('crs') ?? [];
      return bounds == null ? bounds : { ...bounds, crs: crs?.text.trim() || null };
    },
    schema: {
      type: 'object',
      description: 'Computed from the members if omitted.',
      properties: { ...box.schema.properties, crs: { type: 'string', description: 'A code such as EPSG:4326.' } },
    },
  };
}

function buildPartNode(part: VisiblePart): OutputNode {
  const { of, name, workspace } = part;
  return {
    kind: 'object',
    attributes: { type: of },
    members: [{ name: 'name', node: { kind: 'value', value: workspace === null ? name : `${workspace}:${name}` } }],
    link: getPartPath(part),
  };
}

function buildPartStyleNode({ of, style }: VisiblePart): OutputNode {
  if (style === null) {
    return { kind: 'value', value: '' };
  }
  // The styles of a group have no resource of their own to link to.
  return of === 'layer'
    ? buildStyleNode(style)
    : { kind: 'object', members: [{ name: 'name', node: { kind: 'value', value: style.name } }] };
}

/** The items inside their element, or a plain list of them. */
export function listItems(itemName: string, nodes: readonly InputNode[]): readonly InputNode[] {
  return nodes.flatMap((node) => node.members.get(itemName) ?? (isEmpty(node) ? [] : [node]));
}

function readParts(
  itemName: 'published' | 'layer',
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly PartChoice[] | null | undefined {
  const items = listItems(itemName, nodes);
  const choices = items.map((item) => readPart(itemName, item, reader));
  return choices.every((choice) => choice !== undefined) ? choices : undefined;
}

function readPart(itemName: 'published' | 'layer', item: InputNode, reader: FieldReader): PartChoice | undefined {
  const [named] = item.members.get('name') ?? [];
  const name = (item.members.size > 0 ? (named?.text ?? '') : item.text).trim();
  if (name === '' || item.kind === 'list') {
    reader.reportError(
      `expected the name of a layer${itemName === 'layer' ? '' : ' or layer group'} in each '${itemName}'`,
    );
    return undefined;
  }
  if (itemName === 'layer') {
    return { of: 'layer', name };
  }
  // Some clients send it as a member: {"type":"layer"}.
  const type = item.attributes.get('type') ?? item.members.get('type')?.[0]?.text.trim() ?? '';
  const of = (['layer', 'layerGroup'] as const).find((each) => each.toLowerCase() === type.toLowerCase()) ?? null;
  if (of === null && type !== '') {
    reader.reportError(`the type of a published must be layer or layerGroup, found '${excerpt(type)}'`);
    return undefined;
  }
  return { of, name };
}

/** Bare names, objects with a name, and the empty entries `""`, `{}` and null. */
function readStyles(
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly (StyleChoice | null)[] | null | undefined {
  const choices = listItems('style', nodes).map((item) =>
    isEmpty(item) ? null : readStyle(item, { ...reader, at: `${reader.at}.style` }),
  );
  return choices.every((choice) => choice !== undefined) ? choices : undefined;
}

/** Attributes are ignored. */
function isEmpty({ members, text, items }: InputNode): boolean {
  return members.size === 0 && text.trim() === '' && items.length === 0;
}
