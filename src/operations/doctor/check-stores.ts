/** Checks that the data of stores is available, without side effects: no store is disabled for a failure. */

import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import type { RasterData } from '../../catalog/coverage-stores/raster-data.ts';
import type { CascadedStore } from '../../catalog/kinds/cascaded-store.ts';
import type { CoverageStore } from '../../catalog/kinds/coverage-store.ts';
import type { DataStore } from '../../catalog/kinds/data-store.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import { Problem } from '../../lib/problems/problem.ts';

export interface StoreData {
  readonly vectorData: VectorData;
  readonly rasterData: RasterData;
  readonly remoteServers: RemoteServers;
}

/** Returns why a store is unavailable, or undefined. Uses the usual timeout of the store. */
export async function findStoreProblem(store: Store, data: StoreData): Promise<Problem | undefined> {
  try {
    await connectStore(store, data);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function connectStore(store: Store, { vectorData, rasterData, remoteServers }: StoreData): Promise<void> {
  if (isDataStore(store)) {
    await vectorData.listCurrentTypes(store);
  } else if (isCoverageStore(store)) {
    await rasterData.toDryRun().listCoverages({ store });
  } else if (isCascadedStore(store)) {
    await remoteServers.toDryRun().loadCapabilities(store, null);
  }
}

function isDataStore(store: Store): store is DataStore {
  return store.kind === 'dataStore';
}

function isCoverageStore(store: Store): store is CoverageStore {
  return store.kind === 'coverageStore';
}

function isCascadedStore(store: Store): store is CascadedStore {
  return store.kind === 'wmsStore' || store.kind === 'wmtsStore';
}
