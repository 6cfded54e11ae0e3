/** Fields of providers whose users are authenticated elsewhere: lists and maps. */
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { AuthProvider, ProviderSettings } from '../../security/auth-providers/model/auth-provider.ts';

type ListName = 'audience' | 'allowedAlgorithms' | 'defaultRoles';
type MapName = 'requiredClaims' | 'claimHeaders';

/** Repeated elements in XML, or an array. */
export function createListField(
  name: ListName,
  itemName: string,
  description: string,
): WritableField<AuthProvider, readonly string[]> {
  return {
    read: readTexts,
    write: ({ settings }) => {
      const values = settings[name];
      return values === undefined
        ? undefined
        : { kind: 'sequence', members: values.map((value) => ({ name: itemName, node: { kind: 'value', value } })) };
    },
    required: false,
    schema: { type: 'array', items: { type: 'string' }, description },
  };
}

function readTexts(nodes: readonly InputNode[], reader: FieldReader): readonly string[] | null | undefined {
  if (nodes.length === 1 && nodes[0]?.kind === 'nil') return null;
  const items = nodes.flatMap((node) => (node.kind === 'object' ? [...node.members.values()].flat() : [node]));
  if (items.some(({ kind }) => kind !== 'scalar')) {
    reader.reportError('a list of texts was expected');
    return undefined;
  }
  return items.map(({ text }) => text.trim());
}

/** `entry` elements with a `key` in XML, or an object. */
export function createMapField(
  name: MapName,
  description: string,
): WritableField<AuthProvider, Readonly<Record<string, string>>> {
  return {
    read: (nodes, reader) => {
      const pairs = readPairs(nodes, reader);
      return pairs && Object.fromEntries(pairs);
    },
    write: ({ settings }) => {
      const entries = Object.entries(settings[name] ?? {});
      return entries.length === 0 ? undefined : { kind: 'map', entries };
    },
    required: false,
    schema: { type: 'object', description, additionalProperties: true },
  };
}

/** Claim values with lists of roles; a value with several roles has several entries. */
export function createRoleMappingField(
  description: string,
): WritableField<AuthProvider, NonNullable<ProviderSettings['roleMapping']>> {
  return {
    read: (nodes, reader) => {
      const pairs = readPairs(nodes, reader);
      if (pairs == null) return pairs;
      const byKey = Map.groupBy(pairs, ([key]) => key);
      return Object.fromEntries([...byKey].map(([key, all]) => [key, all.map(([, role]) => role)]));
    },
    write: ({ settings: { roleMapping = {} } }) => {
      const entries = Object.entries(roleMapping).flatMap(([key, roles]) => roles.map((role) => [key, role] as const));
      return entries.length === 0 ? undefined : { kind: 'map', entries };
    },
    required: false,
    schema: { type: 'object', description, additionalProperties: true },
  };
}

function readPairs(
  nodes: readonly InputNode[],
  reader: FieldReader,
): readonly (readonly [string, string])[] | null | undefined {
  const [node] = nodes;
  if (nodes.length === 1 && node?.kind === 'nil') return null;
  if (nodes.length !== 1 || node === undefined || (node.kind === 'scalar' && node.text.trim() !== '')) {
    reader.reportError('names with values were expected');
    return undefined;
  }
  const pairs = [...node.members].flatMap(([name, values]) =>
    values.map((value) => [value.attributes.get('key') ?? (name === 'entry' ? value.text : name), value] as const),
  );
  if (pairs.some(([, value]) => value.kind !== 'scalar' && !value.attributes.has('key'))) {
    reader.reportError('names with values were expected');
    return undefined;
  }
  return pairs.map(([key, value]) => [key, value.text.trim()]);
}
