/** Runs the sources of raster drivers in threads, because unpacking blocks its thread. */
import type { WorkerPool } from '../../workers/pool.ts';
import type { RasterDriver } from '../port/driver.ts';
import type { RasterSource } from '../port/port.ts';
import { describeCoverageTask, listCoveragesTask, readWindowTask, type SourceAddress } from './source-tasks.ts';

/** Returns the driver with all its work in threads. */
export function createThreadedDriver(driver: RasterDriver, pool: WorkerPool): RasterDriver {
  return { ...driver, open: async (path) => createThreadedSource({ type: driver.type, path }, pool) };
}

function createThreadedSource(source: SourceAddress, pool: WorkerPool): RasterSource {
  let isClosed = false;
  /** The caller enforces the timeout. */
  const createRunOptions = (signal: AbortSignal) => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    return { signal, deadlineMs: null, store: `${source.type}\n${source.path}` };
  };
  return {
    listCoverages: async (signal) => pool.run(listCoveragesTask, source, createRunOptions(signal)),
    describe: async (name, signal) => pool.run(describeCoverageTask, { source, name }, createRunOptions(signal)),
    read: async (name, request, signal) =>
      pool.run(readWindowTask, { source, name, request }, createRunOptions(signal)),
    async close() {
      isClosed = true;
    },
  };
}
