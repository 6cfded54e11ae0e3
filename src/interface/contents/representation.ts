/** The document for the table of contents. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { buildContentsPage, type CatalogCount, type ContentsEntry, type ContentsGroup } from './page.ts';

export interface Contents {
  readonly groups: readonly ContentsGroup[];
  /** For HTML only. */
  readonly figures: readonly CatalogCount[];
}

/** Every path without variables that can be read. */
export const contentsDocument: DocumentWriter<Contents> = {
  root: 'resources',
  schema: {
    type: 'object',
    properties: {
      resources: {
        type: 'object',
        properties: {
          resource: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string', examples: ['workspaces'] },
                summary: { type: 'string', examples: ['List the workspaces'] },
                methods: { type: 'string', examples: ['GET, POST'] },
                href: { type: 'string', format: 'uri' },
              },
              required: ['name', 'summary', 'methods', 'href'],
            },
          },
        },
      },
    },
    required: ['resources'],
  },
  write: ({ groups, figures }) => ({
    root: 'resources',
    title: 'Graticule REST API',
    node: {
      kind: 'list',
      itemName: 'resource',
      items: groups.flatMap(({ entries }) => entries.map(buildEntryNode)),
    },
    page: { writeContent: (context) => buildContentsPage(groups, figures, context) },
  }),
};

function buildEntryNode(entry: ContentsEntry): OutputNode {
  return {
    kind: 'object',
    link: entry.path.split('/'),
    members: [
      { name: 'name', node: { kind: 'value', value: entry.path } },
      { name: 'summary', node: { kind: 'value', value: entry.summary } },
      { name: 'methods', node: { kind: 'value', value: entry.methods.join(', ') } },
    ],
  };
}
