/** What a page of events looks like; it prints itself. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { changeDocumentShape } from '../history/representation.ts';

export const eventsShape: DocumentWriter<never> = {
  root: 'events',
  schemaName: 'Events',
  schema: {
    type: 'object',
    properties: {
      events: {
        type: 'array',
        items: {
          type: 'object',
          description: 'A CloudEvents 1.0 document.',
          properties: {
            specversion: { type: 'string' },
            id: { type: 'string', description: 'The number of the change.' },
            source: { type: 'string', format: 'uri-reference' },
            type: { type: 'string' },
            time: { type: 'string', format: 'date-time' },
            subject: { type: 'string', description: 'The path of the first resource it tells of.' },
            datacontenttype: { type: 'string' },
            data: changeDocumentShape.schema,
          },
        },
      },
      position: { type: 'integer', description: 'The number of the last change.' },
    },
  },
  write() {
    throw new Error('Events print themselves.');
  },
};
