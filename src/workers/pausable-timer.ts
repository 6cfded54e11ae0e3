/** Deadlines of data do not run while the work waits for a thread: a busy server is no reason to call a store unreachable. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface PausableDeadline {
  pause(): void;
  resume(): void;
}

const deadlines = new AsyncLocalStorage<readonly PausableDeadline[]>();

/** Runs the work below one more deadline. */
export function runWithDeadline<T>(deadline: PausableDeadline, work: () => T): T {
  return deadlines.run([...(deadlines.getStore() ?? []), deadline], work);
}

/** Stops the deadlines that the current work is below, until the work that it waits for is done. */
export async function runWithoutDeadlines<T>(work: () => Promise<T>): Promise<T> {
  const paused = deadlines.getStore() ?? [];
  for (const deadline of paused) deadline.pause();
  try {
    return await work();
  } finally {
    for (const deadline of paused) deadline.resume();
  }
}

export interface PausableTimer {
  readonly deadline: PausableDeadline;
  /** Starts the time again, unless the work waits for a thread or the timer has been stopped. */
  restart(): void;
  stop(): void;
}

/** Calls back after the time, which starts again from 0 when work that has waited for a thread gets one. */
export function startPausableTimer(milliseconds: number, ring: () => void): PausableTimer {
  let timer = setTimeout(ring, milliseconds);
  let isStopped = false;
  let waits = 0;
  const restart = () => {
    if (isStopped || waits > 0) return;
    // Not refreshed: a timer that was cleared stays so.
    clearTimeout(timer);
    timer = setTimeout(ring, milliseconds);
  };
  return {
    deadline: {
      pause() {
        waits += 1;
        clearTimeout(timer);
      },
      resume() {
        waits -= 1;
        restart();
      },
    },
    restart,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
