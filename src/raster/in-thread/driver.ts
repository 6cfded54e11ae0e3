/** Runs the sources of raster drivers in threads, because unpacking blocks its thread. */

import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { runWithChannel } from '../../remote/run-with-channel.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';
import type { RasterDriver } from '../port/driver.ts';
import type { RasterSource } from '../port/port.ts';
import { describeCoverageTask, listCoveragesTask, readWindowTask, type SourceAddress } from './source-tasks.ts';

/** Returns the driver with all its work in threads; its sources are files or, if it reads them, URLs. */
export function createThreadedDriver(driver: RasterDriver, pool: WorkerPool, remote: RemoteBlocks): RasterDriver {
  return { ...driver, open: async (path) => createThreadedSource({ type: driver.type, path }, pool, remote) };
}

function createThreadedSource(source: SourceAddress, pool: WorkerPool, remote: RemoteBlocks): RasterSource {
  let isClosed = false;
  /** The caller enforces the timeout. */
  const run = <I, O>(task: Task<I, O>, signal: AbortSignal, createInput: (source: SourceAddress) => I): Promise<O> => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    const limits = { signal, deadlineMs: null, store: `${source.type}\n${source.path}` };
    return runWithChannel(remote, [source.path], signal, ({ input, options }) =>
      pool.run(task, createInput({ ...source, ...input }), { ...limits, ...options }),
    );
  };
  return {
    listCoverages: async (signal) => run(listCoveragesTask, signal, (address) => address),
    describe: async (name, signal) => run(describeCoverageTask, signal, (address) => ({ source: address, name })),
    read: async (name, request, signal) =>
      run(readWindowTask, signal, (address) => ({ source: address, name, request })),
    async close() {
      isClosed = true;
    },
  };
}
