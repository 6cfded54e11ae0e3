/** Templates that clients of other servers store with resources. This server does not evaluate them. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { coverageKind } from './coverage.ts';
import { coverageStoreKind } from './coverage-store.ts';
import { dataStoreKind } from './data-store.ts';
import { featureTypeKind } from './feature-type.ts';

/** Its parent is the resource it belongs to; a global template has none. */
export interface Template extends RecordBase {
  readonly kind: 'template';
  /** The hash of its bytes. */
  readonly content: string;
  readonly sizeBytes: number;
}

export const templateKind: LinkedKind<Template> = createLinkedKind(
  { kind: 'template', keys: {}, secrets: {}, files: ({ content }) => [content] },
  {
    livesIn: [workspaceKind, dataStoreKind, coverageStoreKind, featureTypeKind, coverageKind].map(({ kind }) => kind),
    goesAlong: true,
    references: [],
  },
);
