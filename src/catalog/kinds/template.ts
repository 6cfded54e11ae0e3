/** Templates of feature info, next to the resources that they apply to, and the layouts of the server. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { coverageKind } from './coverage.ts';
import { coverageStoreKind } from './coverage-store.ts';
import { dataStoreKind } from './data-store.ts';
import { featureTypeKind } from './feature-type.ts';

/** Precedes the names of the files of layouts. */
export const LAYOUTS = 'layouts/';

/** Its parent is the resource it belongs to; a global template or a file of layouts has none. */
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
