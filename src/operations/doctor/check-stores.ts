/** Whether the data of stores can be had, asked without any effect: few at once, and none for long. */
import { type CascadedStore, serviceOf } from '../../catalog/cascaded/cascaded-store.ts';
import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import { type CoverageStore, urlOf } from '../../catalog/coverage-stores/coverage-store.ts';
import type { RasterData } from '../../catalog/coverage-stores/raster-data.ts';
import type { DataStore } from '../../catalog/stores/data-store.ts';
import type { Store } from '../../catalog/stores/store.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import { Problem } from '../../lib/problem.ts';

export interface StoreData {
  readonly vectorData: VectorData;
  readonly rasterData: RasterData;
  readonly remoteServers: RemoteServers;
}

/** Why a store cannot be had; undefined if it can. */
export async function whyUnreachable(store: Store, data: StoreData): Promise<Problem | undefined> {
  if (isDataStore(store)) {
    return data.vectorData.whyUnreachable(store.name, store);
  }
  if (isCoverageStore(store)) {
    return store.mosaic === null
      ? data.rasterData.whyUnreachable(store.name, { ...store, url: urlOf(store) })
      : problemOf(data.rasterData.withoutEffect().listCoverages({ store }));
  }
  if (isCascadedStore(store)) {
    return data.remoteServers.whyUnreachable(store.name, serviceOf(store), store);
  }
  return undefined;
}

async function problemOf(work: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
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
