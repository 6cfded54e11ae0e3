/** Settings as documents: parsing and writing follow the table of settings. */
import {
  getDefaultValue,
  type Setting,
  type SettingChange,
  type Settings,
  type SettingsDraft,
  type SettingValue,
} from '../../catalog/kinds/setting.ts';
import type { SettingsView } from '../../catalog/settings/settings.ts';
import { defineDocument, type ResourceDocument } from '../../http/documents/document.ts';
import type { Field, FieldReader, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { readTreeMap } from '../../http/documents/read-map.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { readValueTree, writeValueTree } from '../../http/documents/value-trees.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ValueBranch, ValueTree } from '../../lib/values/value-tree.ts';
import { parseDecimal, parseWholeNumber } from '../../lib/values/whole-number.ts';
import type { Dialect } from '../common/dialects.ts';

type SettingField<R> = Field<R, SettingsDraft>;

/** An empty section in JSON: an object, or a text as in the reference server. */
export type EmptySection = 'object' | 'empty text';

export function getEmptySection(dialect: Dialect): EmptySection {
  return dialect.emptyJsonList === 'empty string' ? 'empty text' : 'object';
}

/** The document of settings; `first` are fields that precede them. */
export function createSettingsDocument<R extends SettingsView>(
  root: string,
  settings: Settings,
  options: {
    readonly title: (resource: R) => string;
    readonly empty: EmptySection;
    readonly first?: Readonly<Record<string, Field<R, never>>>;
    readonly schemaName?: string;
  },
): ResourceDocument<R, SettingsDraft> {
  const fields: Readonly<Record<string, Field<R, unknown>>> = {
    ...options.first,
    ...createFields<R>(settings, '', options.empty),
  };
  const { title, schemaName } = options;
  const inner = defineDocument<R, typeof fields>(root, fields, {
    title,
    ...(schemaName === undefined ? {} : { schemaName }),
  });
  return {
    ...inner,
    write(resource) {
      const written = inner.write(resource);
      return isEmpty(written.node) && options.empty === 'empty text'
        ? { ...written, json: { root, node: { kind: 'value', value: '' } } }
        : written;
    },
    read(body, purpose, unknown) {
      const draft = inner.read(body, purpose, unknown) as Readonly<Record<string, SettingsDraft>>;
      return Object.values(draft).flat();
    },
  };
}

function isEmpty(node: OutputNode): boolean {
  return node.kind === 'object' && node.members.length === 0;
}

function createFields<R extends SettingsView>(
  settings: Settings,
  above: string,
  empty: EmptySection,
): Readonly<Record<string, SettingField<R>>> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, createField<R>(setting, `${above}${name}`, empty)]),
  );
}

function createField<R extends SettingsView>(setting: Setting, path: string, empty: EmptySection): SettingField<R> {
  switch (setting.kind) {
    case 'section':
      return createSectionField(setting, path, empty);
    case 'server':
      return {
        // The only read-only field: the number of the change that last modified them.
        write: ({ version }) => (setting.type === 'integer' ? { kind: 'value', value: version } : undefined),
        required: false,
        schema: { type: setting.type, readOnly: true },
      };
    default:
      return {
        read: (nodes, reader) => {
          const isCleared = nodes.length === 1 && nodes[0]?.kind === 'nil';
          const value = isCleared ? undefined : readLeaf(setting, nodes, reader);
          return value === undefined && !isCleared ? undefined : [{ path, value }];
        },
        write: ({ values }) => {
          const value = values[path] ?? getDefaultValue(setting);
          return value === undefined || value === null ? undefined : buildLeafNode(setting, value);
        },
        required: false,
        schema: createLeafSchema(setting),
      };
  }
}

function createSectionField<R extends SettingsView>(
  setting: Extract<Setting, { kind: 'section' }>,
  path: string,
  empty: EmptySection,
): SettingField<R> {
  const fields = Object.entries(createFields<R>(setting.settings, `${path}.`, empty));
  return {
    read(nodes, reader) {
      const [node] = nodes;
      if (node === undefined || nodes.length > 1 || !isSection(node)) {
        reader.reportError('expected an element with the settings of this section');
        return undefined;
      }
      if (node.kind === 'nil') {
        return [{ path, value: undefined }];
      }
      return fields.flatMap(([name, field]): SettingsDraft => {
        const inside = node.members.get(name);
        const complain = (message: string) => reader.reportError(`${name}: ${message}`);
        return (inside && field.read?.(inside, { at: `${reader.at}.${name}`, reportError: complain })) ?? [];
      });
    },
    write(resource) {
      if (resource.values[path] === null) {
        return undefined;
      }
      const members = fields.flatMap(([name, field]): readonly OutputMember[] => {
        const node = field.write?.(resource);
        return node === undefined ? [] : [{ name, node }];
      });
      return members.length === 0 && empty === 'empty text'
        ? { kind: 'value', value: '' }
        : { kind: 'object', members };
    },
    required: false,
    schema: { type: 'object', properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])) },
  };
}

/** An empty element is a section without settings. */
function isSection({ kind, text }: InputNode): boolean {
  return kind === 'object' || kind === 'nil' || (kind === 'scalar' && text.trim() === '');
}

type Leaf = Exclude<Setting, { kind: 'section' | 'server' }>;

const plain = createFieldBuilders<unknown>();
const readers: {
  readonly text: WritableField<unknown, string>;
  readonly flag: WritableField<unknown, boolean>;
} = { text: plain.text(() => undefined), flag: plain.flag(() => undefined) };

function readLeaf(setting: Leaf, nodes: readonly InputNode[], reader: FieldReader): SettingChange['value'] {
  switch (setting.kind) {
    case 'map':
      return readEntries(nodes, reader);
    case 'parts':
      return readParts(setting.itemName, nodes, reader);
    case 'flag': {
      const value = readers.flag.read(nodes, reader) ?? undefined;
      return value === undefined ? undefined : checkValue(value, setting.refuse, reader);
    }
    case 'text': {
      const value = readers.text.read(nodes, reader) ?? undefined;
      return value === undefined ? undefined : checkValue(value, setting.refuse, reader);
    }
    case 'choice': {
      const value = readers.text.read(nodes, reader)?.trim();
      const refuse = (each: string) =>
        setting.values.includes(each) ? undefined : `expected one of ${setting.values.join(', ')}`;
      return value === undefined ? undefined : checkValue(value, refuse, reader);
    }
    case 'number': {
      const value = readers.text.read(nodes, reader)?.trim();
      return value === undefined ? undefined : readNumber(setting, value, reader);
    }
  }
}

function checkValue<V extends string | boolean>(
  value: V,
  refuse: ((value: V) => string | undefined) | undefined,
  reader: FieldReader,
): V | undefined {
  const expected = refuse?.(value);
  if (expected === undefined) {
    return value;
  }
  reader.reportError(`${expected}, found '${excerpt(String(value))}'`);
  return undefined;
}

function readNumber(
  { isWhole, least, most }: Extract<Setting, { kind: 'number' }>,
  text: string,
  reader: FieldReader,
): number | undefined {
  const value = isWhole ? parseWholeNumber(text) : parseDecimal(text);
  if (value >= least && value <= most) {
    return value;
  }
  const expected = `${isWhole ? 'an integer' : 'a number'} from ${least} to ${most}`;
  reader.reportError(`expected ${expected}, found '${excerpt(text)}'`);
  return undefined;
}

function readEntries(nodes: readonly InputNode[], reader: FieldReader): ValueBranch | undefined {
  const entries = readTreeMap(nodes, reader) ?? undefined;
  return entries === undefined
    ? undefined
    : { members: Object.entries(entries).map(([key, value]) => ({ name: 'entry', value: addKey(key, value) })) };
}

function addKey(key: string, value: ValueTree): ValueBranch {
  return typeof value === 'string'
    ? { attributes: { key }, text: value, members: [] }
    : { ...value, attributes: { key, ...value.attributes } };
}

/** A list may omit the element around each item: `"keywords":["a","b"]`. */
function readParts(
  itemName: string | undefined,
  nodes: readonly InputNode[],
  reader: FieldReader,
): ValueBranch | undefined {
  const [only] = nodes;
  const isBare = itemName !== undefined && (nodes.length !== 1 || (only?.kind === 'scalar' && only.text.trim() !== ''));
  const node: InputNode | undefined = isBare
    ? { kind: 'object', text: '', attributes: new Map(), members: new Map([[itemName, nodes]]), items: [] }
    : only;
  if (node === undefined || (!isBare && nodes.length > 1)) {
    reader.reportError(`expected one element, found a list of ${nodes.length} values`);
    return undefined;
  }
  const value = readValueTree(node, reader);
  if (typeof value !== 'string') {
    return value;
  }
  if (value.trim() !== '') {
    reader.reportError(`expected elements, found '${excerpt(value)}'`);
    return undefined;
  }
  return { members: [] };
}

function buildLeafNode(setting: Leaf, value: Exclude<SettingValue, null>): OutputNode {
  if (typeof value !== 'object') {
    return { kind: 'value', value };
  }
  const itemName = setting.kind === 'map' ? 'entry' : setting.kind === 'parts' ? setting.itemName : undefined;
  return itemName !== undefined && value.members.every(({ name }) => name === itemName)
    ? { kind: 'list', itemName, items: value.members.map((member) => writeValueTree(member.value)) }
    : writeValueTree(value);
}

function createLeafSchema(setting: Leaf): JsonSchema {
  switch (setting.kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return { type: setting.isWhole ? 'integer' : 'number' };
    case 'choice':
      return { type: 'string', enum: setting.values };
    case 'text':
      return { type: 'string' };
    case 'map':
    case 'parts':
      return { type: 'object', additionalProperties: true };
  }
}
