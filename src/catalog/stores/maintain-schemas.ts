/** Cleans and rebuilds the persisted schemas of the document stores that an app-schema store reads from. */

import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { limitSentences, toPrintable } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { changeWithExternal } from '../../records/change-with-external.ts';
import type {
  InternalStore,
  PersistedSchemas,
  PreparedSchemaChange,
  SchemaOptions,
} from '../../vector/port/internal-stores.ts';
import type { VectorSource } from '../../vector/port/port.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { formatPersistedSchemasName, persistedSchemasKind } from '../kinds/persisted-schemas.ts';
import { type DataStoreView, findDataStore } from './data-stores.ts';
import type { StoreData } from './store-data.ts';

export interface MaintenanceTarget {
  readonly workspace: string;
  /** The app-schema store. */
  readonly store: string;
  /** The name of the internal store in the mapping; all of them if absent. */
  readonly internalStore?: string;
}

/** Cleaned schemas are derived again on the next use. */
export type Maintenance = { readonly kind: 'clean' } | ({ readonly kind: 'rebuild' } & SchemaOptions);

export async function maintainSchemas(
  { catalog, data }: { readonly catalog: Catalog; readonly data: StoreData },
  principal: Principal,
  place: MaintenanceTarget,
  maintenance: Maintenance,
): Promise<{ readonly warnings: readonly string[] }> {
  const view = await findMappingStore(catalog, place);
  const warnings = await data.useForWriting(view.store, async (source, signal, deadline) => {
    const chosen = selectStores(view, place, await listInternalStores(view, source, signal));
    const prepared: { readonly id: string; readonly change: PreparedSchemaChange }[] = [];
    const rollback = async (): Promise<void> => {
      await Promise.allSettled(prepared.map(({ change }) => change.rollback()));
    };
    try {
      for (const { id, schemas } of chosen) {
        const change =
          maintenance.kind === 'clean'
            ? await schemas.prepareClean(signal)
            : await schemas.prepareRebuild(maintenance, signal, deadline.extend);
        prepared.push({ id, change });
      }
      if (maintenance.kind === 'rebuild') checkSampleIds(maintenance, prepared);
    } catch (error) {
      await rollback();
      throw error;
    }
    const verb = maintenance.kind === 'clean' ? 'clean' : 'rebuild';
    await changeWithExternal(
      catalog,
      { principal, what: `${verb} document schemas of ${view.store.name} in ${view.workspace.name}` },
      (transaction) => writeSchemaRecords(transaction, view, prepared, maintenance),
      {
        rollback,
        commit: async () => {
          for (const { change } of prepared) await change.commit();
        },
        handOver: () => undefined,
      },
    );
    return prepared.flatMap(({ change }) => change.warnings);
  });
  // Open sources cache the schemas they have read.
  void data.reset(view.store.id);
  return { warnings: limitSentences(warnings) };
}

/** Any missing part of the path is one problem, since clients of other servers expect one status for all of them. */
async function findMappingStore(catalog: CatalogReader, place: MaintenanceTarget): Promise<DataStoreView> {
  try {
    return await findDataStore(catalog, place.workspace, place.store);
  } catch (error) {
    throw error instanceof Problem && error.status === 404
      ? problem('maintained-store-unknown', { reason: error.message })
      : error;
  }
}

async function listInternalStores(
  { store }: DataStoreView,
  source: VectorSource,
  signal: AbortSignal,
): Promise<readonly InternalStore[]> {
  if (source.internalStores === undefined) {
    throw problem('store-not-app-schema', { name: store.name, type: store.type });
  }
  return source.internalStores(signal);
}

interface DocumentStore {
  readonly id: string;
  readonly schemas: PersistedSchemas;
}

function selectStores(
  { store }: DataStoreView,
  { internalStore }: MaintenanceTarget,
  all: readonly InternalStore[],
): readonly DocumentStore[] {
  const documents = all.flatMap(({ id, schemas }) => (schemas === undefined ? [] : [{ id, schemas }]));
  if (internalStore === undefined) {
    if (documents.length === 0) throw problem('no-document-stores', { name: store.name });
    return documents;
  }
  const chosen = documents.filter(({ id }) => id === internalStore);
  if (chosen.length > 0) return chosen;
  const shown = toPrintable(internalStore, 60);
  throw all.some(({ id }) => id === internalStore)
    ? problem('internal-store-no-documents', { name: shown })
    : problem('maintained-store-unknown', {
        reason: `The mapping of the store '${store.name}' has no source data store '${shown}'.`,
      });
}

/** Rejects ids that no collection contains: the schema would lack what they were given for. */
function checkSampleIds(
  { sample }: SchemaOptions,
  prepared: readonly { readonly change: PreparedSchemaChange }[],
): void {
  const found = new Set(prepared.flatMap(({ change }) => change.foundIds));
  // Clients may send object ids in upper case.
  const missing = sample.ids.filter((id) => !found.has(id) && !found.has(id.toLowerCase()));
  if (missing.length > 0) {
    throw problem('document-unknown', { ids: missing.slice(0, 10).map((id) => toPrintable(id, 60)), field: 'ids' });
  }
}

/** Replaces only the rebuilt type if one was named, and keeps the others. */
async function writeSchemaRecords(
  transaction: CatalogTransaction,
  { store, workspace }: DataStoreView,
  prepared: readonly { readonly id: string; readonly change: PreparedSchemaChange }[],
  maintenance: Maintenance,
): Promise<true> {
  if ((await transaction.get(dataStoreKind, store.id)) === undefined) {
    throw problem('maintained-store-unknown', {
      reason: `No such store: '${store.name}' in the workspace '${workspace.name}'.`,
    });
  }
  const only = maintenance.kind === 'rebuild' ? maintenance.type : undefined;
  for (const { id, change } of prepared) {
    const name = formatPersistedSchemasName(store.id, id);
    const current = await transaction.find(persistedSchemasKind, null, name);
    const others = only === undefined ? [] : (current?.schemas ?? []).filter(({ type }) => type !== only);
    const schemas = [...others, ...change.schemas].sort((a, b) => (a.type < b.type ? -1 : 1));
    const next = { parent: null, name, store: store.id, internalStore: id, schemas };
    if (current === undefined) await transaction.insert(persistedSchemasKind, next);
    else await transaction.update(persistedSchemasKind, { ...current, ...next });
  }
  return true;
}
