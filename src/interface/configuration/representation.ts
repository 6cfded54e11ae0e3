/** What the documents of the configuration look like; they print themselves. */
import type { DocumentWriter } from '../../http/documents/document.ts';

export const FORMAT = 'graticule-configuration/1';

export const configurationShape: DocumentWriter<never> = {
  root: 'configuration',
  schemaName: 'Configuration',
  schema: {
    type: 'object',
    properties: {
      format: { type: 'string', enum: [FORMAT] },
      position: { type: 'integer' },
      hash: { type: 'string' },
      scope: { type: 'array', items: { type: 'string' } },
      message: { type: 'string', description: 'What a change by it is called.' },
      resources: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string' },
            path: { type: 'string' },
            fields: { type: 'object', additionalProperties: true },
          },
          required: ['kind', 'path', 'fields'],
        },
      },
    },
    required: ['format', 'resources'],
  },
  write: neverWritten,
};

function neverWritten(): never {
  throw new Error('The configuration prints itself.');
}
