/** What was persisted for one internal store of a mapping: told in the history, since the schemas themselves are elsewhere. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { dataStoreKind } from './data-store.ts';

export interface PersistedSchemasRecord extends RecordBase {
  readonly kind: 'persistedSchemas';
  /** The id of the app-schema store. */
  readonly store: string;
  /** What the mapping calls the internal store. */
  readonly internalStore: string;
  /** Each with a hash of its content; none once they were cleaned. */
  readonly schemas: readonly { readonly type: string; readonly digest: string }[];
}

export const persistedSchemasKind: LinkedKind<PersistedSchemasRecord> = createLinkedKind(
  { kind: 'persistedSchemas', keys: {}, secrets: {} },
  {
    livesIn: [],
    // It goes with its store, and is in nobody's way.
    references: [{ to: dataStoreKind.kind, key: 'store', ids: ({ store }) => [store], onDelete: 'cascades' }],
  },
);

/** They have no parent, so that a store with nothing but them is empty. */
export function formatPersistedSchemasName(storeId: string, internalStore: string): string {
  return `${storeId}/${internalStore}`;
}
