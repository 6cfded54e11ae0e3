/** The schema of a page of events, which formats itself. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { changeDocument } from '../history/representation.ts';

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
            id: { type: 'string', description: 'Number of the change.' },
            source: { type: 'string', format: 'uri-reference' },
            type: { type: 'string' },
            time: { type: 'string', format: 'date-time' },
            subject: { type: 'string', description: 'Path of the first resource in the event.' },
            datacontenttype: { type: 'string' },
            data: changeDocument.schema,
          },
        },
      },
      position: { type: 'integer', description: 'Number of the last change.' },
    },
  },
  write() {
    throw new Error('Events format themselves.');
  },
};
