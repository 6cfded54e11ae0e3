/** A few threads for work that would keep everybody waiting, each task within a deadline and a limit of memory. */
import { getCompileCacheDir } from 'node:module';
import type { Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { problem } from '../lib/problem.ts';
import { type Outcome, unpackProblem } from './carried-problem.ts';
import { createPlaces, RETRY_AFTER_SECONDS } from './places.ts';
import { runTask, threadFile } from './run-task.ts';
import type { SentTask, Task } from './task.ts';

export interface WorkerLimits {
  readonly maxThreads: number;
  /** Tasks that wait for a thread; one more is refused. */
  readonly maxWaiting: number;
  /** How long one task may run, unless the caller watches over it itself. */
  readonly deadlineMs: number;
  /** Of the heap of one thread. */
  readonly maxMemoryMegabytes: number;
  /** Of that for what is new; as much as the engine likes, unless said otherwise. */
  readonly maxYoungMegabytes?: number;
  /** A thread that had nothing to do for so long ends. */
  readonly idleMs: number;
}

export interface RunOptions {
  /** Ends the task, with its thread, when it is given. */
  readonly signal?: AbortSignal;
  /** In the place of the usual deadline; null if the caller ends the task by its signal. */
  readonly deadlineMs?: number | null;
  /** Parts of the input that the thread gets, rather than a copy of them. */
  readonly transfer?: readonly Transferable[];
}

export interface WorkerPool {
  /**
   * Runs a task in a thread. Problems come out as they were thrown; beside them there are `work-refused` if too much
   * waits, `work-too-slow` at the deadline, and `work-too-large` for what needs more memory than there is for one task.
   */
  run<I, O>(task: Task<I, O>, input: I, options?: RunOptions): Promise<O>;
  /** The threads there are; none before the first task. */
  threads(): number;
  /** The tasks that wait for one. */
  waiting(): number;
  /** Ends all threads, with whatever they do. */
  close(): Promise<void>;
}

export function createWorkerPool(limits: WorkerLimits): WorkerPool {
  let started: Promise<Piscina> | undefined;
  let pool: Piscina | undefined;
  let isClosed = false;
  // The deadline of a task begins when it has a place to run in.
  const places = createPlaces({ places: limits.maxThreads, maxWaiting: limits.maxWaiting });

  const start = async (): Promise<Piscina> => {
    // Loaded with the first task: most servers get small documents only.
    const { Piscina } = await import('piscina');
    pool = new Piscina({
      filename: threadFile,
      name: runTask.name,
      minThreads: 0,
      maxThreads: limits.maxThreads,
      idleTimeout: limits.idleMs,
      resourceLimits: {
        maxOldGenerationSizeMb: limits.maxMemoryMegabytes,
        ...(limits.maxYoungMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: limits.maxYoungMegabytes }),
      },
      // Threads wait as everything else in Node does: a task may talk with the main thread while it runs.
      atomics: 'disabled',
    });
    return pool;
  };

  return {
    async run<I, O>(task: Task<I, O>, input: I, options: RunOptions = {}): Promise<O> {
      await places.take(options.signal);
      const deadlineMs = options.deadlineMs === undefined ? limits.deadlineMs : options.deadlineMs;
      const late = deadlineMs === null ? undefined : AbortSignal.timeout(deadlineMs);
      const signals = [options.signal, late].filter((signal) => signal !== undefined);
      try {
        if (isClosed) throw problem('draining', {});
        started ??= start();
        const sent: SentTask = {
          module: task.module,
          name: task.name,
          input,
          compileCache: getCompileCacheDir(),
        };
        const outcome = (await (
          await started
        ).run(sent, {
          ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
          ...(options.transfer === undefined ? {} : { transferList: [...options.transfer] }),
        })) as Outcome<O>;
        if ('problem' in outcome) throw unpackProblem(outcome.problem);
        return outcome.value;
      } catch (error) {
        options.signal?.throwIfAborted();
        if (late?.aborted) {
          throw problem('work-too-slow', {
            seconds: limits.deadlineMs / 1_000,
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          });
        }
        if (isOutOfMemory(error)) throw problem('work-too-large', { megabytes: limits.maxMemoryMegabytes });
        throw isClosed ? problem('draining', {}) : error;
      } finally {
        places.leave();
      }
    },
    threads: () => pool?.threads.length ?? 0,
    waiting: () => places.waiting(),
    async close() {
      isClosed = true;
      await (await started)?.destroy();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
