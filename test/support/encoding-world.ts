/** The environment of encoders that write temporary files, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodingEnvironment } from '../../src/formats/in-thread/encode-collection.ts';
import { createEncodeThreads } from '../../src/formats/in-thread/encode-threads.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';

/** Its threads end when idle. */
export function encodingWorld(temporaryFolder = tmpdir()): EncodingEnvironment {
  const workers = createWorkerPool({
    maxThreads: 1,
    maxWaiting: 10,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 256,
    idleMs: 1_000,
  });
  return {
    createFolder: async () => {
      const path = await mkdtemp(join(temporaryFolder, 'graticule-features-'));
      return { path, discard: () => rm(path, { recursive: true, force: true }) };
    },
    threads: createEncodeThreads(workers, { threads: 1, encodings: 10, stepMs: 60_000 }),
  };
}
