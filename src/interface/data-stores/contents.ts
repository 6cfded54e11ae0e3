/** The reply to a dry run that creates a store with `validate=connect`: the types that the store would have. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import type { DetailedTypeSummary } from '../../vector/port/port.ts';

export const storeContents: DocumentWriter<readonly DetailedTypeSummary[]> = {
  root: 'contents',
  schemaName: 'StoreContents',
  schema: {
    type: 'object',
    description: 'Only for dry runs with validate=connect; other requests return the name of the store.',
    properties: {
      contents: {
        type: 'object',
        properties: {
          type: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                hasGeometry: { type: 'boolean' },
                geometryType: { type: 'string', description: 'Absent if it is not declared.' },
                srs: { type: 'string', description: 'Absent if it is not declared.', examples: ['EPSG:4326'] },
                estimatedCount: { type: 'integer', description: 'Rows by the statistics of the database.' },
              },
              required: ['name', 'hasGeometry'],
            },
          },
        },
        required: ['type'],
      },
    },
    required: ['contents'],
  },
  write: (types) => ({
    root: 'contents',
    title: 'Contents of the store',
    node: {
      kind: 'object',
      members: [{ name: 'type', node: { kind: 'sequence', members: types.map((type) => buildMember(type)) } }],
    },
  }),
};

function buildMember({ name, hasGeometry, geometryType, crsCode, estimatedCount }: DetailedTypeSummary) {
  const values = { name, hasGeometry, geometryType, srs: crsCode, estimatedCount };
  const members = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ name: key, node: { kind: 'value', value } as const }],
  );
  return { name: 'type', node: { kind: 'object', members } satisfies OutputNode };
}
