/** Changes the granules of a mosaic together with its record, atomically for readers. */

import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { GranuleSession } from '../../raster/granules/port/port.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { changeWithExternal } from '../../records/change-with-external.ts';
import { addStoreName } from '../../workers/deadline.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import type { IndexHolder } from '../kinds/mosaic.ts';
import { isMosaic, type MosaicIndexes, type MosaicStore } from './mosaic-indexes.ts';

export interface MosaicWriteContext {
  readonly catalog: Catalog;
  readonly indexes: MosaicIndexes;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** For an index that no record refers to yet. */
  readonly isNew?: boolean;
}

/** The result of granule work, and the change that makes it visible. */
export interface GranuleChange<T> {
  /** The change description in the history: `remove 3 granules of ocean in acme`. */
  readonly what: string;
  /** Writes the record with the new index version; called once as a trial, then for real. */
  apply(transaction: CatalogTransaction, indexVersion: number): Promise<T>;
}

/**
 * Runs work on the granules of an index, then makes the change. Other writers of the same index wait; readers see the
 * previous version until the end. A dry run leaves nothing.
 */
export async function writeGranules<T>(
  { catalog, indexes, principal, signal, isNew = false }: MosaicWriteContext,
  holder: IndexHolder,
  currentVersion: () => Promise<number>,
  work: (session: GranuleSession) => Promise<GranuleChange<T>>,
): Promise<T> {
  const index = await indexes.getIndex(holder);
  const session = await index.startWriting(currentVersion, signal).catch((error: unknown) => {
    throw addStoreName(error, holder.name);
  });
  try {
    const { what, apply } = await work(session);
    const outcome = await changeWithExternal(
      catalog,
      { principal, what },
      async (transaction) => ({ value: await apply(transaction, session.version) }),
      {
        commit: () => session.commit(),
        rollback: () => session.rollback(),
        ...(holder.mosaic.index.kind === 'embedded'
          ? {
              // No record refers to the trial version, so it is invisible and removed by the cleanup.
              async tryOut() {
                await session.commit();
                return async () => void (isNew && (await indexes.drop(holder, 'purged')));
              },
            }
          : {}),
      },
    );
    if (outcome === undefined) {
      throw new Error('A granule change returned no result');
    }
    return outcome.value;
  } catch (error) {
    throw addStoreName(error, holder.name);
  } finally {
    await session.end();
  }
}

/** The result of work on the granules of a mosaic. */
export interface MosaicChange<T> {
  readonly what: string;
  /** Returns the updated store, based on its current state; the index version is set by the caller. */
  readonly updateStore?: (store: MosaicStore) => MosaicStore;
  /** Further writes in the same change. */
  readonly writeInSameChange?: (transaction: CatalogTransaction, store: MosaicStore) => Promise<void>;
  readonly result: T;
}

/** Runs `writeGranules` for an existing mosaic. */
export function writeMosaic<T>(
  writing: MosaicWriteContext,
  before: MosaicStore,
  work: (session: GranuleSession, store: MosaicStore) => Promise<MosaicChange<T>>,
): Promise<T> {
  const getCurrent = (reader: CatalogReader) => getCurrentMosaic(reader, before);
  return writeGranules(
    writing,
    before,
    async () => {
      // Another node may have written before.
      await writing.catalog.refresh();
      return (await getCurrent(writing.catalog)).mosaic.indexVersion;
    },
    async (session) => {
      const {
        what,
        updateStore: change = (store) => store,
        writeInSameChange: also,
        result,
      } = await work(session, await getCurrent(writing.catalog));
      return {
        what,
        async apply(transaction, indexVersion) {
          const now = await getCurrent(transaction);
          // Another request has undone a granule change.
          if (now.mosaic.indexVersion !== session.base) {
            throw problem('mosaic-gone', { name: now.name });
          }
          const changed = change(now);
          const store = { ...changed, mosaic: { ...changed.mosaic, indexVersion } };
          await transaction.update(coverageStoreKind, store);
          await also?.(transaction, store);
          return result;
        },
      };
    },
  );
}

/** Returns the current store; throws a problem if it was deleted or replaced. */
async function getCurrentMosaic(catalog: CatalogReader, { id, name, mosaic }: MosaicStore): Promise<MosaicStore> {
  const store = await catalog.get(coverageStoreKind, id);
  if (store === undefined || !isMosaic(store) || store.mosaic.index.key !== mosaic.index.key) {
    throw problem('mosaic-gone', { name });
  }
  return store;
}
