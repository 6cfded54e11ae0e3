/** Releases the data of stores deleted with their workspace: closes connections and deletes mosaic indexes. */
import { type CoverageStore, coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import { isMosaic, type MosaicStore } from '../../catalog/mosaic-indexes/mosaic-indexes.ts';
import type { StoreCleanup } from '../../catalog/workspaces/workspaces.ts';
import type { Services } from './services.ts';

export function createStoreRelease({ catalog, vectorData, mosaicIndexes }: Services): StoreCleanup {
  const hasIndex = (store: Store): store is MosaicStore =>
    isCoverageStore(store) && isMosaic(store) && !catalog.isDryRun;
  return {
    async prepare(store) {
      if (hasIndex(store)) {
        await mosaicIndexes.schedulePendingDrop(store);
      }
    },
    async release(store) {
      // Running readers keep their connections; the deletion does not wait for them.
      void vectorData.reset(store.id);
      return hasIndex(store) ? ((await catalog.afterCommit(() => mosaicIndexes.drop(store))) ?? []) : [];
    },
  };
}

function isCoverageStore(store: Store): store is CoverageStore {
  return store.kind === coverageStoreKind.kind;
}
