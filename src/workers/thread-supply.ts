/** Starts and ends the threads of pools. */
import type { Piscina } from 'piscina';
import { acceptProcessRequest } from './processes.ts';
import { runTask, threadFile } from './run-task.ts';

export interface ThreadOptions {
  readonly maxThreads: number;
  /** An idle thread ends after this time. */
  readonly idleMs: number;
  /** The heap of one thread. */
  readonly maxMemoryMegabytes: number;
  /** The young generation of that heap; V8 decides by default. */
  readonly maxYoungMegabytes?: number | undefined;
}

export interface ThreadSupply {
  /** Returns threads that no other pool uses. */
  acquire(options: ThreadOptions): Promise<Piscina>;
  /** Called when a pool closes and none of its tasks runs. */
  release(threads: Piscina): Promise<void>;
}

/** Every pool has new threads, which end with it. */
export const newThreads: ThreadSupply = {
  acquire: startThreads,
  release: (threads) => threads.destroy(),
};

export async function startThreads({
  maxThreads,
  idleMs,
  maxMemoryMegabytes,
  maxYoungMegabytes,
}: ThreadOptions): Promise<Piscina> {
  // Loaded with the first task: most servers process small documents only.
  const { Piscina } = await import('piscina');
  const threads = new Piscina({
    filename: threadFile,
    name: runTask.name,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: {
      maxOldGenerationSizeMb: maxMemoryMegabytes,
      ...(maxYoungMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: maxYoungMegabytes }),
    },
    // Threads must not block on Atomics: a task can exchange messages with the main thread while it runs.
    atomics: 'disabled',
  });
  // Emitted only without a task: a result that arrives after its task was aborted, or a thread that fails while it is
  // idle and is replaced. Without a listener it would end the process.
  threads.on('error', () => undefined);
  threads.on('message', acceptProcessRequest);
  return threads;
}
