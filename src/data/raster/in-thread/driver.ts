/** Runs the sources of raster drivers in threads: unpacking keeps the thread it runs on until it is done. */
import type { WorkerPool } from '../../../workers/pool.ts';
import type { RasterDriver } from '../driver.ts';
import type { RasterSource } from '../port.ts';
import { describingCoverage, listingCoverages, readingWindow, type SourceAddress } from './source-tasks.ts';

/** The same driver, none of whose work is done on this thread. */
export function inThread(driver: RasterDriver, pool: WorkerPool): RasterDriver {
  return { ...driver, open: async (path) => sourceInThread({ type: driver.type, path }, pool) };
}

function sourceInThread(source: SourceAddress, pool: WorkerPool): RasterSource {
  let isClosed = false;
  /** The caller watches over the time. */
  const options = (signal: AbortSignal) => {
    if (isClosed) throw new Error('This source is closed.');
    signal.throwIfAborted();
    return { signal, deadlineMs: null, store: `${source.type}\n${source.path}` };
  };
  return {
    listCoverages: async (signal) => pool.run(listingCoverages, source, options(signal)),
    describe: async (name, signal) => pool.run(describingCoverage, { source, name }, options(signal)),
    read: async (name, request, signal) => pool.run(readingWindow, { source, name, request }, options(signal)),
    async close() {
      isClosed = true;
    },
  };
}
