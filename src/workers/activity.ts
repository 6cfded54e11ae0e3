/**
 * Measures how long the thread of a task has computed without progress. The thread records progress in shared memory;
 * the main thread compares it with the active time of the thread's event loop, which it can read while the thread
 * computes.
 */
import type { Worker } from 'node:worker_threads';
import { type StartTimer, startTimer } from '../lib/async/timer.ts';

/**
 * Two numbers: the id of the thread, 0 before the task starts, and the active time of the thread at its last progress.
 */
export type Activity = Float64Array<SharedArrayBuffer>;

const [THREAD, ACTIVE_MS] = [0, 1] as const;

export function createActivity(): Activity {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Returns the id of the thread of a task; 0 before it starts. */
export function readThreadId(activity: Activity): number {
  return activity[THREAD] ?? 0;
}

/** Set in the worker thread. */
let current: Activity | undefined;

/** A thread runs one task at a time. */
export function startActivity(activity: Activity, threadId: number): void {
  current = activity;
  recordProgress();
  activity[THREAD] = threadId;
}

/** Called for each message that a task reads. Other long tasks must call it themselves. */
export function recordProgress(): void {
  if (current !== undefined) current[ACTIVE_MS] = performance.eventLoopUtilization().active;
}

/** Calls `stuck` when a task has computed this long without progress; waiting time does not count. */
export function watchActivity(
  activity: Activity,
  maxActiveMs: number,
  { threads, stuck, alarm = startTimer }: { threads: () => readonly Worker[]; stuck: () => void; alarm?: StartTimer },
): () => void {
  let stop: () => void;
  const watch = (milliseconds: number): void => {
    stop = alarm(milliseconds, () => {
      const thread = threads().find(({ threadId }) => threadId === readThreadId(activity));
      const active = thread?.performance.eventLoopUtilization().active ?? 0;
      const computed = thread === undefined ? 0 : active - (activity[ACTIVE_MS] ?? 0);
      if (computed >= maxActiveMs) stuck();
      else watch(Math.max(MIN_CHECK_MS, maxActiveMs - computed));
    });
  };
  watch(maxActiveMs);
  return () => stop();
}

/** The clocks of two threads differ by some milliseconds. */
const MIN_CHECK_MS = 10;
