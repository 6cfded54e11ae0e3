/**
 * The thread pools of the server, one for each kind of work so that they do not delay each other. Threads start with
 * their first task.
 */
import { createFairSemaphore, type FairSemaphore, unlimitedSemaphore } from '../../workers/fair-semaphore.ts';
import { createWorkerPool, type WorkerLimits, type WorkerPool } from '../../workers/pool.ts';
import type { ThreadSupply } from '../../workers/thread-supply.ts';
import type { MemoryBudget } from '../settings/memory-budget.ts';
import type { Settings } from '../settings/settings.ts';

export interface WorkerPools {
  readonly styles: WorkerPool;
  readonly data: WorkerPool;
  readonly unpack: WorkerPool;
  readonly filters: WorkerPool;
  readonly granules: WorkerPool;
  readonly harvest: WorkerPool;
  readonly encode: WorkerPool;
  readonly maps: WorkerPool;
}

export function createWorkerPools(
  { pools }: Pick<MemoryBudget, 'pools'>,
  { storeTimeoutMs }: Pick<Settings, 'storeTimeoutMs'>,
  threads?: ThreadSupply,
): WorkerPools {
  const { data } = pools;
  const createPool = (limits: WorkerLimits, places?: FairSemaphore) => createWorkerPool(limits, places, threads);
  return {
    styles: createPool(pools.styles),
    // The store timeout can be longer.
    data: createPool({ ...data, deadlineMs: Math.max(data.deadlineMs, storeTimeoutMs) }),
    unpack: createPool(pools.unpack),
    filters: createPool(pools.filters),
    granules: createPool(pools.granules),
    harvest: createPool(pools.harvest),
    encode: createPool(pools.encode),
    maps: createPool(pools.maps, unlimitedSemaphore),
  };
}

export interface MapSemaphores {
  readonly underWay: FairSemaphore;
  readonly threads: FairSemaphore;
}

export function createMapSemaphores({
  mapsUnderWay,
  pools,
}: Pick<MemoryBudget, 'mapsUnderWay' | 'pools'>): MapSemaphores {
  return {
    underWay: createFairSemaphore(mapsUnderWay),
    threads: createFairSemaphore({
      places: pools.maps.maxThreads,
      extraPlaces: pools.maps.extraThreads,
      isExtraForRestartable: true,
      // All maps in progress may wait, even if they belong to one client.
      maxWaiting: 2 * (mapsUnderWay.places + mapsUnderWay.extraPlaces),
    }),
  };
}

export async function closeWorkerPools(pools: WorkerPools): Promise<void> {
  await Promise.all(Object.values<WorkerPool>({ ...pools }).map((pool) => pool.close()));
}
