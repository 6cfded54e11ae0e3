/** The schemas of the history documents, which format themselves. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';

const fields: JsonSchema = { description: 'Fields of the record without secrets; null if it did not exist.' };

const createChangeSchema = (isWhole: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    sequence: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    who: { type: 'string' },
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
          ...(isWhole ? { before: fields, after: fields } : {}),
        },
      },
    },
  },
});

export const changeDocumentShape: DocumentWriter<never> = {
  root: 'change',
  schemaName: 'Change',
  schema: createChangeSchema(true),
  write: throwNeverWritten,
};

export const historyShape: DocumentWriter<never> = {
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
  write: throwNeverWritten,
};

function throwNeverWritten(): never {
  throw new Error('History documents format themselves.');
}
