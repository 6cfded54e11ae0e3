/** Runs the sources of raster drivers in threads: unpacking keeps the thread it runs on until it is done. */
import type { Problem } from '../../../lib/problem.ts';
import { unpackProblem } from '../../../workers/carried-problem.ts';
import type { WorkerPool } from '../../../workers/pool.ts';
import type { RasterDriver } from '../driver.ts';
import type { CoverageDescription, RasterSource } from '../port.ts';
import {
  describingCoverage,
  listingCoverages,
  readingHeaders,
  readingWindow,
  type SourceAddress,
} from './source-tasks.ts';

/** The same driver, none of whose work is done on this thread. */
export function inThread(driver: RasterDriver, pool: WorkerPool): RasterDriver {
  return { ...driver, open: async (path) => sourceInThread({ type: driver.type, path }, pool) };
}

function sourceInThread(source: SourceAddress, pool: WorkerPool): RasterSource {
  let isClosed = false;
  /** Whoever gives the signal watches over the time as well. */
  const options = (signal: AbortSignal) => {
    if (isClosed) throw new Error('This source is closed.');
    signal.throwIfAborted();
    return { signal, deadlineMs: null };
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

/** What the headers of a file say, or the problem with them. */
export type HarvestedFile =
  | { readonly path: string; readonly type: string; readonly coverages: readonly CoverageDescription[] }
  | { readonly path: string; readonly problem: Problem };

/** Files whose headers a thread reads at once: so many that the way there and back does not matter. */
const FILES_AT_ONCE = 64;

/** Sets of files that are under way at the same time, so that no thread waits for the next. */
const SETS_AHEAD = 2;

/**
 * Reads the headers of many files in threads, in the order of the files; no sample is read. A file of no known kind has no
 * coverages and an empty type. What is wrong with one file is told in its place and does not keep the others.
 */
export async function* harvestHeaders(
  pool: WorkerPool,
  paths: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<HarvestedFile> {
  const underWay: Promise<readonly HarvestedFile[]>[] = [];
  const start = (set: readonly string[]): void => {
    const reading = pool
      .run(readingHeaders, set, { signal, deadlineMs: null })
      .then((headers) =>
        headers.map((file) => ('problem' in file ? { path: file.path, problem: unpackProblem(file.problem) } : file)),
      );
    // It is waited for in its turn; until then a failure of it is nobody's.
    reading.catch(() => undefined);
    underWay.push(reading);
  };
  let set: string[] = [];
  for await (const path of paths) {
    signal.throwIfAborted();
    set.push(path);
    if (set.length < FILES_AT_ONCE) continue;
    start(set);
    set = [];
    if (underWay.length > SETS_AHEAD) yield* (await underWay.shift()) ?? [];
  }
  if (set.length > 0) start(set);
  for (const reading of underWay) yield* await reading;
}
