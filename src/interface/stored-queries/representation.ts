/** The documents for stored queries. */
import type { StoredQueryParameter } from '../../catalog/kinds/stored-query.ts';
import type { StoredQueryView } from '../../catalog/stored-queries/stored-queries.ts';
import { defineDocument } from '../../http/documents/document.ts';
import type { WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';
import { isNil, listItems, toSequence, toValueMember } from '../common/list-nodes.ts';

const parameterMembers = ['name', 'type', 'title', 'abstract'] as const;

const { text, flag, reference } = createFieldBuilders<StoredQueryView>();

/** The path of a stored query; a global one has no workspace. */
export function getStoredQueryPath(name: string, workspace: string | null): ResourcePath {
  return workspace === null ? ['storedqueries', name] : ['workspaces', workspace, 'storedqueries', name];
}

export const storedQueryDocument = defineDocument(
  'storedQuery',
  {
    name: text(({ query }) => query.name, {
      required: true,
      description: 'Id in WFS requests. Unique among the global stored queries, or in the workspace.',
      example: 'urn:example:big-towns',
    }),
    workspace: reference(({ workspace }) =>
      workspace === null ? undefined : { name: workspace.name, path: ['workspaces', workspace.name] },
    ),
    title: text(({ query }) => query.title || undefined),
    abstract: text(({ query }) => query.abstract || undefined),
    isPrivate: flag(({ query }) => query.isPrivate, {
      description: 'Whether DescribeStoredQueries omits the queries; default: false.',
    }),
    parameters: parametersField(),
    queries: queriesField(),
  },
  { title: ({ query }) => `Stored query ${query.name}` },
);

export const storedQueryListing = createListWriter<StoredQueryView>('storedQueries', {
  itemName: 'storedQuery',
  title: 'Stored queries',
  name: ({ query }) => query.name,
  path: ({ query, workspace }) => getStoredQueryPath(query.name, workspace?.name ?? null),
});

function parametersField(): WritableField<StoredQueryView, readonly StoredQueryParameter[]> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      const parameters = listItems(nodes, 'parameter').map(readParameter);
      if (parameters.every((each) => each !== undefined)) return parameters;
      reportError(`expected a list of objects with the texts ${parameterMembers.join(', ')}`);
      return undefined;
    },
    write: ({ query }) => ({
      kind: 'sequence',
      members: query.parameters.map((parameter) => ({
        name: 'parameter',
        node: {
          kind: 'object',
          members: parameterMembers
            .filter((name) => parameter[name] !== '')
            .map((name) => toValueMember(name, parameter[name])),
        },
      })),
    }),
    required: false,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(parameterMembers.map((name) => [name, { type: 'string' }])),
        required: ['name', 'type'],
      },
      description: 'Parameters of the queries: simple types of XML Schema (xs:int) and geometry types of GML.',
      examples: [[{ name: 'population', type: 'xs:int' }]],
    },
  };
}

function readParameter(node: InputNode): StoredQueryParameter | undefined {
  if (node.kind !== 'object') return undefined;
  const names: ReadonlySet<string> = new Set(parameterMembers);
  if ([...node.members.keys(), ...node.attributes.keys()].some((name) => !names.has(name))) return undefined;
  const read = (name: (typeof parameterMembers)[number]): string | undefined => {
    const [only, ...more] = node.members.get(name) ?? [];
    if (only === undefined || only.kind === 'nil') return node.attributes.get(name) ?? '';
    return more.length === 0 && only.kind === 'scalar' ? only.text.trim() : undefined;
  };
  const [name, type, title, abstract] = parameterMembers.map(read);
  const isComplete = name !== undefined && type !== undefined && title !== undefined && abstract !== undefined;
  return isComplete ? { name, type, title, abstract } : undefined;
}

function queriesField(): WritableField<StoredQueryView, readonly string[]> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      const items = listItems(nodes, 'query');
      if (items.every(({ kind }) => kind === 'scalar')) return items.map((node) => node.text);
      reportError('expected a list of texts, each an escaped Query element of WFS 2.0.0');
      return undefined;
    },
    write: ({ query }) => toSequence('query', query.queries),
    required: true,
    schema: {
      type: 'array',
      items: { type: 'string' },
      description: 'Query elements of WFS 2.0.0 as texts, with placeholders such as ${population}.',
      examples: [['<wfs:Query xmlns:wfs="http://www.opengis.net/wfs/2.0" typeNames="acme:towns"/>']],
    },
  };
}
