/** The styles of a layer group as a field of its document. */
import type { GroupStyleDraft } from '../../catalog/layer-groups/group-styles.ts';
import type { VisibleGroupStyle } from '../../catalog/layer-groups/layer-groups.ts';
import type { FieldReader, FieldValues, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { internationalField } from '../resources/text-fields.ts';
import { groupStylesField, listItems, publishablesField } from './fields.ts';

const ITEM = 'LayerGroupStyle';

const { text, reference } = createFieldBuilders<VisibleGroupStyle>();

/** The fields of each style. The name may be an object with a name, as for other styles. */
const fields = {
  name: { ...text(({ name }) => name), read: reference(() => undefined).read },
  title: text(({ title }) => title ?? undefined),
  internationalTitle: internationalField<VisibleGroupStyle>(({ internationalTitle }) => internationalTitle),
  abstractTxt: text(({ abstract }) => abstract ?? undefined),
  internationalAbstract: internationalField<VisibleGroupStyle>(({ internationalAbstract }) => internationalAbstract),
  layers: {
    ...publishablesField<VisibleGroupStyle>(({ parts }) => parts),
    schema: createListSchema('published'),
  },
  styles: {
    ...groupStylesField<VisibleGroupStyle>(({ parts }) => parts),
    schema: createListSchema('style'),
  },
};

/** Omitted from responses when empty; a list that is sent replaces all of them. */
export function layerGroupStylesField<R>(
  value: (resource: R) => readonly VisibleGroupStyle[],
): WritableField<R, readonly GroupStyleDraft[]> {
  return {
    read: (nodes, reader) => {
      const drafts = listItems(ITEM, nodes).map((item) => readGroupStyle(item, reader));
      return drafts.every((draft) => draft !== undefined) ? drafts : undefined;
    },
    write: (resource) => {
      const items = value(resource).map(buildGroupStyleNode);
      return items.length === 0 ? undefined : { kind: 'list', itemName: ITEM, items };
    },
    required: false,
    schema: {
      type: 'object',
      description: 'Alternative styles of the group, each with a name, layers, and a style for each layer.',
      properties: {
        [ITEM]: {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
          },
        },
      },
    },
  };
}

/** As in the group itself, but without examples, because most groups have none. */
function createListSchema(itemName: string): JsonSchema {
  return { type: 'object', properties: { [itemName]: { type: 'array' } } };
}

function buildGroupStyleNode(style: VisibleGroupStyle): OutputNode {
  const members = Object.entries(fields).flatMap(([name, { write }]): readonly OutputMember[] => {
    const node = write?.(style);
    return node === undefined ? [] : [{ name, node }];
  });
  return { kind: 'object', members };
}

function readGroupStyle(item: InputNode, reader: FieldReader): GroupStyleDraft | undefined {
  let isRight = true;
  const complain = (message: string) => {
    isRight = false;
    reader.reportError(message);
  };
  if (item.members.size === 0) {
    complain(`expected a list of '${ITEM}' items with ${Object.keys(fields).join(', ')}`);
    return undefined;
  }
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const nodes = item.members.get(name);
    const at = `${reader.at}.${ITEM}.${name}`;
    read[name] = nodes && field.read(nodes, { at, reportError: (message) => complain(`${name}: ${message}`) });
  }
  const draft = read as FieldValues<typeof fields>;
  const name = draft.name?.trim() ?? '';
  if (isRight && name === '') {
    complain(`each '${ITEM}' requires a name`);
  }
  return isRight
    ? {
        name,
        title: draft.title ?? null,
        abstract: draft.abstractTxt ?? null,
        internationalTitle: draft.internationalTitle ?? null,
        internationalAbstract: draft.internationalAbstract ?? null,
        parts: draft.layers ?? [],
        styles: draft.styles ?? [],
      }
    : undefined;
}
