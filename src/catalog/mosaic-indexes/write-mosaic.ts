/** Changes the granules of a mosaic together with its record: readers see all of it, or nothing. */

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
  /** For an index that nobody else knows of yet. */
  readonly isNew?: boolean;
}

/** What the work with granules came to, and the change that shows it to others. */
export interface GranuleChange<T> {
  /** For the history: `remove 3 granules of ocean in acme`. */
  readonly what: string;
  /** Writes the record, which names this version from then on; it is tried once before it is done. */
  apply(transaction: CatalogTransaction, indexVersion: number): Promise<T>;
}

/**
 * Works with the granules of an index and then makes the change. Others who write into the same index wait until that has
 * ended; whoever reads meanwhile sees what was there before. In a dry run nothing is left of it.
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
              // No record will name the version, so that nobody else sees it, and what is left of it is cleared away.
              async tryOut() {
                await session.commit();
                return async () => void (isNew && (await indexes.drop(holder, 'purged')));
              },
            }
          : {}),
      },
    );
    if (outcome === undefined) {
      throw new Error('A change of granules came to nothing');
    }
    return outcome.value;
  } catch (error) {
    throw addStoreName(error, holder.name);
  } finally {
    await session.end();
  }
}

/** What the work with the granules of a mosaic came to. */
export interface MosaicChange<T> {
  readonly what: string;
  /** The store as the work leaves it, made of how it is then; the version of its index is seen to. */
  readonly updateStore?: (store: MosaicStore) => MosaicStore;
  /** Whatever else goes into the same change. */
  readonly writeInSameChange?: (transaction: CatalogTransaction, store: MosaicStore) => Promise<void>;
  readonly result: T;
}

/** The same for a mosaic that is there already. */
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
      // Another node may have had its turn before.
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
          // Somebody has taken a change of its granules back.
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

/** The store as it is now; a problem if it is gone, or has become another. */
async function getCurrentMosaic(catalog: CatalogReader, { id, name, mosaic }: MosaicStore): Promise<MosaicStore> {
  const store = await catalog.get(coverageStoreKind, id);
  if (store === undefined || !isMosaic(store) || store.mosaic.index.key !== mosaic.index.key) {
    throw problem('mosaic-gone', { name });
  }
  return store;
}
