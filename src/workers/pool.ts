/** A thread pool for work that would block the main thread, with a deadline and a memory limit for each task. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import type { Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { Problem, problem } from '../lib/problems/problem.ts';
import { createActivity, readThreadId, watchActivity } from './activity.ts';
import { createFairSemaphore, type FairSemaphore, RETRY_AFTER_SECONDS } from './fair-semaphore.ts';
import { deserializeProblem, type TaskOutcome } from './serialized-problem.ts';
import type { SentTask, Task } from './task.ts';
import { newThreads, type ThreadSupply } from './thread-supply.ts';

export interface WorkerLimits {
  readonly maxThreads: number;
  /** Additional threads for short tasks while others are long; 0 by default. */
  readonly extraThreads?: number;
  /** The number of waiting tasks; further ones are rejected. */
  readonly maxWaiting: number;
  /** How long one task can run, unless the caller controls it. */
  readonly deadlineMs: number;
  /** How long any task can compute without progress; the deadline by default. */
  readonly maxComputingMs?: number;
  /** The heap of one thread. */
  readonly maxMemoryMegabytes: number;
  /** The young generation of that heap; V8 decides by default. */
  readonly maxYoungMegabytes?: number;
  /** An idle thread ends after this time. */
  readonly idleMs: number;
}

export interface RunOptions {
  /** Ends the task and its thread when aborted. */
  readonly signal?: AbortSignal;
  /**
   * Replaces the default deadline; null if the caller ends the task by its signal. Then the task can wait for the
   * caller without limit, but not compute without limit.
   */
  readonly deadlineMs?: number | null;
  /** Replaces the default limit. */
  readonly maxComputingMs?: number;
  /** The data that the task works on: one store gets only its share of the threads. */
  readonly store?: string;
  /** Parts of the input that are transferred instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Called once when the thread is free or has ended, possibly after the task was aborted. */
  readonly onFree?: () => void;
}

export interface PoolUsage {
  readonly maxThreads: number;
  /** The number of tasks in threads. */
  readonly running: number;
  readonly results: Readonly<Record<'done' | 'failed' | 'rejected', number>>;
  /** The time that finished tasks spent in threads. */
  readonly busySeconds: number;
}

export interface WorkerPool {
  /**
   * Runs a task in a thread. Throws the problems of the task, `work-refused` if too many tasks wait, `work-too-slow` at
   * the deadline, and `work-too-large` if the task exceeds its memory limit.
   */
  run<I, O>(task: Task<I, O>, input: I, options?: RunOptions): Promise<O>;
  /** The number of threads; 0 before the first task. */
  threads(): number;
  /** The number of waiting tasks. */
  waiting(): number;
  /** The use of the threads so far. */
  getUsage(): PoolUsage;
  /** Whether other tasks could start if a task on this store ended. */
  isAwaited?(store: string | undefined): boolean;
  /** Ends all threads and their tasks. */
  close(): Promise<void>;
}

/** Creates its own semaphore unless the caller acquires permits before running tasks. */
export function createWorkerPool(
  limits: WorkerLimits,
  places: FairSemaphore = createFairSemaphore({
    places: limits.maxThreads,
    extraPlaces: limits.extraThreads ?? 0,
    maxWaiting: limits.maxWaiting,
  }),
  supply: ThreadSupply = newThreads,
): WorkerPool {
  return new PiscinaPool(limits, places, supply);
}

class PiscinaPool implements WorkerPool {
  readonly #limits: WorkerLimits;
  readonly #places: FairSemaphore;
  readonly #supply: ThreadSupply;
  #started: Promise<Piscina> | undefined;
  #pool: Piscina | undefined;
  #isClosed = false;
  #running = 0;
  readonly #results = { done: 0, failed: 0, rejected: 0 };
  #busyMs = 0;

  constructor(limits: WorkerLimits, places: FairSemaphore, supply: ThreadSupply) {
    this.#limits = limits;
    this.#places = places;
    this.#supply = supply;
  }

  async run<I, O>(task: Task<I, O>, input: I, options: RunOptions = {}): Promise<O> {
    const place = await this.#places
      .acquire({ signal: options.signal, store: options.store })
      .catch((error: unknown) => {
        if (error instanceof Problem) this.#results.rejected += 1;
        throw error;
      });
    let exited: Promise<unknown> | undefined;
    const startedAtMs = performance.now();
    this.#running += 1;
    const releaseThread = () => {
      this.#running -= 1;
      this.#busyMs += performance.now() - startedAtMs;
      place.release();
      options.onFree?.();
    };
    try {
      const output = await this.#runWithPermit(task, input, options, (exit) => {
        exited = exit;
      });
      this.#results.done += 1;
      return output;
    } catch (error) {
      this.#results.failed += 1;
      options.signal?.throwIfAborted();
      if (isOutOfMemory(error)) throw problem('work-too-large', { megabytes: this.#limits.maxMemoryMegabytes });
      throw this.#isClosed && !(error instanceof Problem) ? problem('draining', {}) : error;
    } finally {
      // Native code cannot be interrupted: a terminated thread keeps its permit until it has exited.
      if (exited === undefined) releaseThread();
      else void exited.then(releaseThread);
    }
  }

  threads(): number {
    return this.#pool?.threads.length ?? 0;
  }

  waiting(): number {
    return this.#places.countWaiting();
  }

  getUsage(): PoolUsage {
    const { maxThreads, extraThreads = 0 } = this.#limits;
    return {
      maxThreads: maxThreads + extraThreads,
      running: this.#running,
      results: { ...this.#results },
      busySeconds: this.#busyMs / 1_000,
    };
  }

  isAwaited(store: string | undefined): boolean {
    return this.#places.isAwaited(store);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const started = this.#started;
    // A second call must not release the same threads again.
    this.#started = undefined;
    const threads = await started;
    this.#pool = undefined;
    if (threads === undefined) return;
    // Threads that still run a task must end.
    await (this.#running === 0 ? this.#supply.release(threads) : threads.destroy());
  }

  async #startThreads(): Promise<Piscina> {
    const { maxThreads, extraThreads = 0, idleMs, maxMemoryMegabytes, maxYoungMegabytes } = this.#limits;
    this.#pool = await this.#supply.acquire({
      maxThreads: maxThreads + extraThreads,
      idleMs,
      maxMemoryMegabytes,
      maxYoungMegabytes,
    });
    return this.#pool;
  }

  /** Runs a task with a permit until it ends. `ending` receives the exit of a terminated thread. */
  async #runWithPermit<I, O>(
    task: Task<I, O>,
    input: I,
    options: RunOptions,
    ending: (exited: Promise<unknown>) => void,
  ): Promise<O> {
    if (this.#isClosed) throw problem('draining', {});
    this.#started ??= this.#startThreads();
    const threads = await this.#started;
    // The deadline of a task starts when it has a permit.
    const {
      deadlineMs = this.#limits.deadlineMs,
      maxComputingMs = this.#limits.maxComputingMs ?? this.#limits.deadlineMs,
    } = options;
    const late = deadlineMs === null ? undefined : AbortSignal.timeout(deadlineMs);
    const stuck = new AbortController();
    const activity = createActivity();
    const stopWatching = watchActivity(activity, maxComputingMs, {
      threads: () => threads.threads,
      stuck: () => stuck.abort(),
    });
    const signals = [options.signal, late, stuck.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    // Piscina drops a thread from its list as soon as it terminates it.
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
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
