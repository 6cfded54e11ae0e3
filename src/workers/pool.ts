/** A few threads for work that would keep everybody waiting, each task within a deadline and a limit of memory. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import type { Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { Problem, problem } from '../lib/problems/problem.ts';
import { createActivity, readThreadId, watchActivity } from './activity.ts';
import { createFairSemaphore, type FairSemaphore, RETRY_AFTER_SECONDS } from './fair-semaphore.ts';
import { runTask, threadFile } from './run-task.ts';
import { deserializeProblem, type TaskOutcome } from './serialized-problem.ts';
import type { SentTask, Task } from './task.ts';

export interface WorkerLimits {
  readonly maxThreads: number;
  /** Threads beside those, for short tasks while others are long; none unless said otherwise. */
  readonly extraThreads?: number;
  /** Tasks that wait for a thread; one more is refused. */
  readonly maxWaiting: number;
  /** How long one task may run, unless the caller watches over it itself. */
  readonly deadlineMs: number;
  /** How long any task may compute without progress; as long as the deadline, unless said otherwise. */
  readonly maxComputingMs?: number;
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
  /**
   * In the place of the usual deadline; null if the caller ends the task by its signal. Then the task may wait for the caller
   * without limit, but may not compute without limit.
   */
  readonly deadlineMs?: number | null;
  /** In the place of the usual limit. */
  readonly maxComputingMs?: number;
  /** The data that the task works on: one store gets no more than its share of the threads. */
  readonly store?: string;
  /** Parts of the input that the thread gets, rather than a copy of them. */
  readonly transfer?: readonly Transferable[];
  /** Called once when the thread can do other work or has ended, which may be after the task was given up. */
  readonly onFree?: () => void;
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
  /** Whether others could begin if a task on this store ended. */
  isAwaited?(store: string | undefined): boolean;
  /** Ends all threads, with whatever they do. */
  close(): Promise<void>;
}

/** Places are the pool's own, unless the caller takes them before it runs a task. */
export function createWorkerPool(
  limits: WorkerLimits,
  places: FairSemaphore = createFairSemaphore({
    places: limits.maxThreads,
    extraPlaces: limits.extraThreads ?? 0,
    maxWaiting: limits.maxWaiting,
  }),
): WorkerPool {
  let started: Promise<Piscina> | undefined;
  let pool: Piscina | undefined;
  let isClosed = false;

  const startPool = async (): Promise<Piscina> => {
    // Loaded with the first task: most servers get small documents only.
    const { Piscina } = await import('piscina');
    pool = new Piscina({
      filename: threadFile,
      name: runTask.name,
      minThreads: 0,
      maxThreads: limits.maxThreads + (limits.extraThreads ?? 0),
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

  /** Runs a task that has a place, until it ends or has to end. `ending` gets the end of a thread that was told to end. */
  async function runWithPermit<I, O>(
    task: Task<I, O>,
    input: I,
    options: RunOptions,
    ending: (gone: Promise<unknown>) => void,
  ): Promise<O> {
    if (isClosed) throw problem('draining', {});
    started ??= startPool();
    const threads = await started;
    // The deadline of a task begins when it has a place to run in.
    const { deadlineMs = limits.deadlineMs, maxComputingMs = limits.maxComputingMs ?? limits.deadlineMs } = options;
    const late = deadlineMs === null ? undefined : AbortSignal.timeout(deadlineMs);
    const stuck = new AbortController();
    const activity = createActivity();
    const stopWatching = watchActivity(activity, maxComputingMs, {
      threads: () => threads.threads,
      stuck: () => stuck.abort(),
    });
    const signals = [options.signal, late, stuck.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    // The pool forgets a thread as soon as it tells it to end.
    const watchEnding = () => {
      const thread = threads.threads.find(({ threadId }) => threadId === readThreadId(activity));
      if (thread !== undefined) ending(once(thread, 'exit'));
    };
    signal.addEventListener('abort', watchEnding);
    const compileCache = getCompileCacheDir();
    const sent: SentTask = { module: task.module, name: task.name, input, compileCache, activity };
    try {
      const outcome = (await threads.run(sent, {
        signal,
        ...(options.transfer === undefined ? {} : { transferList: [...options.transfer] }),
      })) as TaskOutcome<O>;
      if ('problem' in outcome) throw deserializeProblem(outcome.problem);
      return outcome.value;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (late?.aborted || stuck.signal.aborted) {
        throw problem('work-too-slow', {
          seconds: (late?.aborted && deadlineMs !== null ? deadlineMs : maxComputingMs) / 1_000,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      throw error;
    } finally {
      stopWatching();
      signal.removeEventListener('abort', watchEnding);
    }
  }

  return {
    async run<I, O>(task: Task<I, O>, input: I, options: RunOptions = {}): Promise<O> {
      const place = await places.acquire({ signal: options.signal, store: options.store });
      let gone: Promise<unknown> | undefined;
      const releaseThread = () => {
        place.release();
        options.onFree?.();
      };
      try {
        return await runWithPermit(task, input, options, (exit) => {
          gone = exit;
        });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (isOutOfMemory(error)) throw problem('work-too-large', { megabytes: limits.maxMemoryMegabytes });
        throw isClosed && !(error instanceof Problem) ? problem('draining', {}) : error;
      } finally {
        // Native code cannot be interrupted: a thread that was told to end keeps its place until it has ended.
        if (gone === undefined) releaseThread();
        else void gone.then(releaseThread);
      }
    },
    threads: () => pool?.threads.length ?? 0,
    waiting: () => places.countWaiting(),
    isAwaited: (store) => places.isAwaited(store),
    async close() {
      isClosed = true;
      await (await started)?.destroy();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
