/** The threads of the server, apart by what they do: none of it shall wait for another. None runs before its first task. */
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
  readonly passingMaps: WorkerPool;
}

export function createWorkerPools(): WorkerPools {
  return {
    styles: createWorkerPool(limits.workers),
    data: createWorkerPool(limits.dataWorkers),
    unpack: createWorkerPool(limits.unpackWorkers),
    granules: createWorkerPool(limits.granuleWorkers),
    harvest: createWorkerPool(limits.harvestWorkers),
    encode: createWorkerPool(limits.encodeWorkers),
    maps: createWorkerPool(limits.mapWorkers),
    passingMaps: createWorkerPool(limits.passingMapWorkers),
  };
}

export async function closeWorkerPools(pools: WorkerPools): Promise<void> {
  await Promise.all(Object.values<WorkerPool>({ ...pools }).map((pool) => pool.close()));
}
