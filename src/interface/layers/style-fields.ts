/** The styles of a layer as fields of its document. */
import type { NamedStyle, StyleChoice } from '../../catalog/layers/named-style.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { getStylePath } from '../styles/representation.ts';

export const styleSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    workspace: { type: 'string' },
    href: { type: 'string', format: 'uri', readOnly: true },
  },
} as const;

export function styleField<R>(value: (resource: R) => NamedStyle | null): WritableField<R, StyleChoice> {
  return {
    read: (nodes, reader) => {
      const [node, ...others] = nodes;
      if (node === undefined || others.length > 0) {
        reader.reportError(`expected one style, found ${nodes.length}`);
        return undefined;
      }
      return readStyle(node, reader);
    },
    write: (resource) => {
      const style = value(resource);
      return style === null ? undefined : buildStyleNode(style);
    },
    required: false,
    schema: styleSchema,
  };
}

/** Omitted from responses when empty; a list that is sent replaces all of them. */
export function stylesField<R>(
  value: (resource: R) => readonly NamedStyle[],
): WritableField<R, readonly StyleChoice[]> {
  return {
    read: readStyles,
    write: (resource) => {
      const styles = value(resource);
      return styles.length === 0
        ? undefined
        : {
            kind: 'list',
            itemName: 'style',
            items: styles.map(buildStyleNode),
            attributes: { class: 'linked-hash-set' },
          };
    },
    required: false,
    schema: { type: 'object', properties: { style: { type: 'array', items: styleSchema } } },
  };
}

/** A style of a workspace names it, because a global style may have the same name. */
export function formatStyleName({ name, workspace }: NamedStyle): string {
  return workspace === null ? name : `${workspace}:${name}`;
}

export function buildStyleNode(style: NamedStyle): OutputNode {
  const { name, workspace } = style;
  return {
    kind: 'object',
    members: [
      { name: 'name', node: { kind: 'value', value: formatStyleName(style) } },
      ...(workspace === null ? [] : [{ name: 'workspace', node: { kind: 'value', value: workspace } } as const]),
    ],
    link: getStylePath(name, workspace),
  };
}

/** `{"style": [...]}` as in responses, or a plain list; anything else must not count as an empty list. */
function readStyles(nodes: readonly InputNode[], reader: FieldReader): readonly StyleChoice[] | null | undefined {
  const items = nodes.flatMap((node) => node.members.get('style') ?? (isEmpty(node) ? [] : [node]));
  const choices = items.map((item) => readStyle(item, { ...reader, at: `${reader.at}.style` }));
  return choices.every((choice) => choice !== undefined) ? choices.filter((choice) => choice !== null) : undefined;
}

/** Attributes are ignored: `{"@class": "linked-hash-set"}`. */
function isEmpty({ members, text, items }: InputNode): boolean {
  return members.size === 0 && text.trim() === '' && items.length === 0;
}

/** A bare name, or an object with a name and an optional workspace; an empty element clears. */
export function readStyle(node: InputNode, reader: FieldReader): StyleChoice | null | undefined {
  if (node.kind === 'nil') {
    return null;
  }
  const name = node.kind === 'scalar' ? node.text : readMemberText(node, 'name');
  if (name === undefined) {
    reader.reportError('expected the name of a style');
    return undefined;
  }
  const workspace = readMemberText(node, 'workspace');
  if (name.trim() === '') {
    return null;
  }
  return workspace === undefined || workspace === '' ? { name } : { name, workspace };
}

function readMemberText(node: InputNode, member: string): string | undefined {
  const [found] = node.members.get(member) ?? [];
  return found?.kind === 'scalar' ? found.text : found === undefined ? undefined : readMemberText(found, 'name');
}
