/** The document of search results. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { encodePath } from '../changes/record-path.ts';
import type { Candidate } from './matches.ts';

export interface SearchResults {
  readonly total: number;
  readonly results: readonly Candidate[];
}

const result: JsonSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', examples: ['layer'] },
    name: { type: 'string' },
    title: { type: 'string', description: 'Title of a layer, description of a change, or roles of a rule.' },
    workspace: { type: 'string' },
    path: { type: 'string', description: 'Path below the REST root.', examples: ['/workspaces/acme/layers/roads'] },
  },
  required: ['kind', 'name', 'path'],
};

export const searchDocument: DocumentWriter<SearchResults> = {
  root: 'search',
  schemaName: 'SearchResults',
  schema: {
    type: 'object',
    properties: {
      search: {
        type: 'object',
        properties: {
          total: { type: 'integer', description: 'Number of all matches.' },
          results: { type: 'array', items: result, description: 'The best matches, at most `limit`.' },
        },
        required: ['total', 'results'],
      },
    },
    required: ['search'],
  },
  write: ({ total, results }) => ({
    root: 'search',
    title: 'Search',
    node: {
      kind: 'object',
      members: [
        toMember('total', total),
        {
          name: 'results',
          node: {
            kind: 'sequence',
            members: results.map((each) => ({
              name: 'result',
              node: { kind: 'object', members: listMembers(each) },
            })),
          },
        },
      ],
    },
  }),
};

function listMembers({ kind, name, title, workspace, listSegments }: Candidate): readonly OutputMember[] {
  return [
    toMember('kind', kind),
    toMember('name', name),
    ...(title == null ? [] : [toMember('title', title)]),
    ...(workspace == null ? [] : [toMember('workspace', workspace)]),
    toMember('path', encodePath(listSegments())),
  ];
}

function toMember(name: string, value: string | number): OutputMember {
  return { name, node: { kind: 'value', value } };
}
