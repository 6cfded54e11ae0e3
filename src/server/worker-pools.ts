/** The threads of the server, apart by what they do: none of it shall wait for another. None runs before its first task. */
import { createFairPlaces, type FairPlaces, unlimitedPlaces } from '../workers/fair-places.ts';
import { createWorkerPool, type WorkerPool } from '../workers/pool.ts';
import { limits } from './limits.ts';

export interface WorkerPools {
  readonly styles: WorkerPool;
  readonly data: WorkerPool;
  readonly unpack: WorkerPool;
  readonly granules: WorkerPool;
  readonly harvest: WorkerPool;
  readonly encode: WorkerPool;
  readonly maps: WorkerPool;
}

export function createWorkerPools(): WorkerPools {
  return {
    styles: createWorkerPool(limits.workers),
    data: createWorkerPool(limits.dataWorkers),
    unpack: createWorkerPool(limits.unpackWorkers),
    granules: createWorkerPool(limits.granuleWorkers),
    harvest: createWorkerPool(limits.harvestWorkers),
    encode: createWorkerPool(limits.encodeWorkers),
    maps: createWorkerPool(limits.mapWorkers, unlimitedPlaces),
  };
}

export interface MapPlaces {
  readonly underWay: FairPlaces;
  readonly threads: FairPlaces;
}

export function createMapPlaces(): MapPlaces {
  const { mapsUnderWay, mapWorkers } = limits;
  return {
    underWay: createFairPlaces(mapsUnderWay),
    threads: createFairPlaces({
      places: mapWorkers.maxThreads,
      extraPlaces: mapWorkers.extraThreads,
      isExtraForRestartable: true,
      // All maps that are under way may wait, also if they belong to one client.
      maxWaiting: 2 * (mapsUnderWay.places + mapsUnderWay.extraPlaces),
    }),
  };
}

export async function closeWorkerPools(pools: WorkerPools): Promise<void> {
  await Promise.all(Object.values<WorkerPool>({ ...pools }).map((pool) => pool.close()));
}
