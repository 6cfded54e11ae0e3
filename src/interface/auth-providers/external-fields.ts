/** Fields of providers whose users are authenticated elsewhere: lists and maps. */
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { AuthProvider, ProviderSettings } from '../../security/auth-providers/model/auth-provider.ts';

type ListName = 'audience' | 'allowedAlgorithms' | 'defaultRoles';
type MapName = 'requiredClaims' | 'claimHeaders';

/** Repeated elements in XML, or an array. */
export function createListField(name: ListName, description: string): WritableField<AuthProvider, readonly string[]> {
  return {
    read: readTexts,
    write: ({ settings }) => {
      const values = settings[name];
      return values === undefined ? undefined : { kind: 'repeated', items: values };
    },
    required: false,
    schema: { type: 'array', items: { type: 'string' }, description },
  };
}

function readTexts(nodes: readonly InputNode[], reader: FieldReader): readonly string[] | null | undefined {
  if (nodes.length === 1 && nodes[0]?.kind === 'nil') return null;
  if (nodes.some(({ kind }) => kind !== 'scalar')) {
    reader.reportError('a list of texts was expected');
    return undefined;
  }
  return nodes.map(({ text }) => text.trim());
}

/** `entry` elements with a `key` in XML, or an object. */
export function createMapField(
  name: MapName,
  description: string,
): WritableField<AuthProvider, Readonly<Record<string, string>>> {
  return {
    read: (nodes, reader) => {
      const entries = readEntries(nodes, reader);
      if (entries == null) return entries;
      if (entries.some(([, values]) => values.length !== 1)) {
        reader.reportError('one value for each name was expected');
        return undefined;
      }
      return Object.fromEntries(entries.map(([key, [value = '']]) => [key, value]));
    },
    write: ({ settings }) => {
      const entries = Object.entries(settings[name] ?? {});
      return entries.length === 0 ? undefined : { kind: 'dictionary', entries };
    },
    required: false,
    schema: { type: 'object', description, additionalProperties: true },
  };
}

/** Claim values with lists of roles; a value with several roles has several entries in XML. */
export function createRoleMappingField(
  description: string,
): WritableField<AuthProvider, NonNullable<ProviderSettings['roleMapping']>> {
  return {
    read: (nodes, reader) => {
      const entries = readEntries(nodes, reader);
      return entries && Object.fromEntries(entries.map(([key, roles]) => [key, roles.filter((role) => role !== '')]));
    },
    write: ({ settings: { roleMapping = {} } }) => {
      const entries = Object.entries(roleMapping);
      return entries.length === 0 ? undefined : { kind: 'dictionary', entries };
    },
    required: false,
    schema: { type: 'object', description, additionalProperties: true },
  };
}

/** Returns the values by key, in the order of the document. */
function readEntries(
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly (readonly [string, readonly string[]])[] | null | undefined {
  const [node] = nodes;
  if (nodes.length === 1 && node?.kind === 'nil') return null;
  const values = node === undefined ? [] : [...node.members].flatMap(listValues);
  // JSON members with a leading @ are attributes of the object, and `$` is its text.
  const isMap = nodes.length === 1 && node?.attributes.size === 0 && node.text.trim() === '';
  if (!isMap || values.some(({ node: { kind, members } = {} }) => kind === 'list' || kind === 'nil' || members?.size)) {
    reader.reportError('names with values were expected; names do not start with @ or $');
    return undefined;
  }
  const byKey = Map.groupBy(values, ({ key }) => key);
  return [...byKey].map(([key, all]) => [key, all.flatMap(({ node: value }) => value?.text.trim() ?? [])]);
}

/** An empty JSON array is a key without a value. */
function listValues([name, nodes]: readonly [string, readonly InputNode[]]): readonly {
  readonly key: string;
  readonly node?: InputNode;
}[] {
  return nodes.length === 0
    ? [{ key: name }]
    : nodes.map((node) => ({ key: node.attributes.get('key') ?? name, node }));
}
