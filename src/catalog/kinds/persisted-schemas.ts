/**
 * The persisted schemas of one internal store of a mapping. The record is for the history; the schemas are stored
 * elsewhere.
 */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { dataStoreKind } from './data-store.ts';

export interface PersistedSchemasRecord extends RecordBase {
  readonly kind: 'persistedSchemas';
  /** The id of the app-schema store. */
  readonly store: string;
  /** The name of the internal store in the mapping. */
  readonly internalStore: string;
  /** Each with a hash of its content; empty after a cleanup. */
  readonly schemas: readonly { readonly type: string; readonly digest: string }[];
}

export const persistedSchemasKind: LinkedKind<PersistedSchemasRecord> = createLinkedKind(
  { kind: 'persistedSchemas', keys: {}, secrets: {} },
  {
    livesIn: [],
    // It is deleted with its store and does not block the deletion.
    references: [{ to: dataStoreKind.kind, key: 'store', ids: ({ store }) => [store], onDelete: 'cascades' }],
  },
);

/** These records have no parent, so that a store with nothing else counts as empty. */
export function formatPersistedSchemasName(storeId: string, internalStore: string): string {
  return `${storeId}/${internalStore}`;
}
