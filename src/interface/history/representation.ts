/** What the documents of history look like; they print themselves. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';

const fields: JsonSchema = { description: 'The fields of the record, without secrets; null where there was none.' };

const createChangeSchema = (isWhole: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    sequence: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    who: { type: 'string' },
    what: { type: 'string' },
    undoes: { description: 'The number of the change that it took back, or null.' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string' },
          id: { type: 'string' },
          path: { description: 'Where the resource is read, or null.' },
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
      position: { type: 'integer', description: 'The number of the last change.' },
      oldest: { type: 'integer', description: 'The number of the first change that is kept.' },
    },
  },
  write: throwNeverWritten,
};

function throwNeverWritten(): never {
  throw new Error('History prints itself.');
}
