/** What becomes of the data of a store that went with its workspace: connections are closed, and a mosaic's index goes. */
import { type CoverageStore, coverageStoreKind } from '../catalog/coverage-stores/coverage-store.ts';
import { isMosaic } from '../catalog/mosaics/mosaic-indexes.ts';
import type { Store } from '../catalog/stores/store.ts';
import type { Services } from './services.ts';

export function releaseStore({ catalog, vectorData, mosaicIndexes }: Services): (store: Store) => Promise<void> {
  return async (store) => {
    if (isCoverageStore(store) && isMosaic(store) && !catalog.isDryRun) {
      mosaicIndexes.dropLater(store);
    }
    await vectorData.reset(store.id);
  };
}

function isCoverageStore(store: Store): store is CoverageStore {
  return store.kind === coverageStoreKind.kind;
}
