/** The documents of the history: JSON is streamed by the routes, and pages are written here. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { buildChangePage, buildHistoryPage, type HistoryPage, type PageChange } from './page.ts';

const fields: JsonSchema = { description: 'Fields of the record without secrets; null if it did not exist.' };

const references: JsonSchema = {
  description: 'The paths of the records whose ids are among the fields, by id.',
  additionalProperties: { type: 'string' },
};

const createChangeSchema = (isWhole: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    sequence: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    who: { type: 'string' },
    via: { description: 'How the user signed in: `method`, with the id of the `token` or the name of the `provider`.' },
    what: { type: 'string' },
    undoes: { description: 'Number of the change that was undone, or null.' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string' },
          id: { type: 'string' },
          path: { description: 'Path of the resource, or null.' },
          action: { type: 'string', enum: ['create', 'update', 'delete'] },
          ...(isWhole ? { before: fields, after: fields, references } : {}),
        },
      },
    },
  },
});

/** The tree of documents that are written only as pages. */
const pageOnly: OutputNode = { kind: 'object', members: [] };

export const changeDocument: DocumentWriter<PageChange> = {
  root: 'change',
  schemaName: 'Change',
  schema: createChangeSchema(true),
  write: (change) => ({
    root: 'change',
    title: `Change ${change.head.sequence}`,
    node: pageOnly,
    page: { writeContent: (context) => buildChangePage(change, context) },
  }),
};

export const historyDocument: DocumentWriter<HistoryPage> = {
  root: 'changes',
  schemaName: 'History',
  schema: {
    type: 'object',
    properties: {
      changes: { type: 'array', items: createChangeSchema(false) },
      position: { type: 'integer', description: 'Number of the last change.' },
      oldest: { type: 'integer', description: 'Number of the oldest retained change.' },
    },
  },
  write: (history) => ({
    root: 'changes',
    title: 'History',
    node: pageOnly,
    page: { writeContent: (context) => buildHistoryPage(history, context) },
  }),
};
