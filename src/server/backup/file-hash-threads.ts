/**
 * Hashes large files of a backup in two threads, while the thread of the backup copies them. The threads read the open
 * files again, from the memory of the operating system.
 */
import { Worker } from 'node:worker_threads';
import type { HashedContent } from '../../lib/backup/stored-file-checks.ts';

const THREADS = 2;

export interface FileHashOrder {
  readonly descriptor: number;
  readonly bytes: number;
  readonly result: FileHashResult;
}

/** Shared memory: the thread of the backup waits without an event loop. */
export interface FileHashResult {
  /** One of `states`. */
  readonly state: Int32Array<SharedArrayBuffer>;
  readonly checksum: Uint32Array<SharedArrayBuffer>;
  readonly sha256: Uint8Array<SharedArrayBuffer>;
}

export const states = { pending: 0, finished: 1, failed: 2 } as const;

const SHA256_BYTES = 32;

/** Even slow disks read a file within this time. */
const MIN_WAIT_MS = 60_000;
const MIN_BYTES_PER_MS = 1_000;

export class FileHashThreads {
  #workers: readonly Worker[] = [];
  #orders = 0;

  /** Starts to hash an open file, and returns a function that waits for the result. */
  start(descriptor: number, bytes: number): () => HashedContent {
    if (this.#workers.length === 0) this.#workers = Array.from({ length: THREADS }, startWorker);
    const result: FileHashResult = {
      state: new Int32Array(new SharedArrayBuffer(4)),
      checksum: new Uint32Array(new SharedArrayBuffer(4)),
      sha256: new Uint8Array(new SharedArrayBuffer(SHA256_BYTES)),
    };
    const order: FileHashOrder = { descriptor, bytes, result };
    this.#workers[this.#orders % THREADS]?.postMessage(order);
    this.#orders += 1;
    return () => {
      Atomics.wait(result.state, 0, states.pending, MIN_WAIT_MS + bytes / MIN_BYTES_PER_MS);
      if (Atomics.load(result.state, 0) !== states.finished) throw new Error('A stored file could not be hashed');
      return { hash: Buffer.from(result.sha256).toString('hex'), checksum: result.checksum[0] ?? 0 };
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function startWorker(): Worker {
  // The worker is in the same folder. Its extension differs after the build.
  return new Worker(new URL(import.meta.url.replace(/file-hash-threads(\.\w+)$/, 'file-hash-worker$1')), {
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  });
}
