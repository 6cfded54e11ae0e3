/** The schemas of the configuration documents, which format themselves. */
import type { DocumentWriter } from '../../../http/documents/document.ts';

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
      kinds: { type: 'array', items: { type: 'string' } },
      message: { type: 'string', description: 'Message of the change.' },
      delete: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths of resources that are deleted if they exist.',
      },
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
  write: throwNeverWritten,
};

export const planShape: DocumentWriter<never> = {
  root: 'plan',
  schemaName: 'ConfigurationPlan',
  schema: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['merge', 'mirror'] },
      position: { type: 'integer' },
      hash: { type: 'string', description: 'Hash of the current configuration, for If-Match of an apply request.' },
      change: { description: 'Number of the change, or null.' },
      summary: {
        type: 'object',
        properties: Object.fromEntries(
          ['create', 'update', 'delete', 'unchanged'].map((name) => [name, { type: 'integer' }]),
        ),
      },
      unverified: {
        type: 'array',
        description:
          'Resources of the document that are stored without verification, because their data is unavailable.',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
        },
      },
      steps: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            action: { type: 'string', enum: ['create', 'update', 'delete'] },
            kind: { type: 'string' },
            path: { type: 'string' },
            changes: {
              type: 'array',
              items: { type: 'object', properties: { field: { type: 'string' }, before: {}, after: {} } },
            },
          },
        },
      },
    },
  },
  write: throwNeverWritten,
};

function throwNeverWritten(): never {
  throw new Error('The configuration formats itself.');
}
