/** Deadlines pause while the work waits for a thread: a busy server does not make a store unreachable. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface PausableDeadline {
  pause(): void;
  resume(): void;
}

const deadlines = new AsyncLocalStorage<readonly PausableDeadline[]>();

/** Runs the work with an additional deadline. */
export function runWithDeadline<T>(deadline: PausableDeadline, work: () => T): T {
  return deadlines.run([...(deadlines.getStore() ?? []), deadline], work);
}

/** Pauses the deadlines of the current work until `work` ends. */
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
  /** Restarts the time, unless the work waits for a thread or the timer is stopped. */
  restart(): void;
  stop(): void;
}

/** Calls back after the time, which restarts from 0 when waiting work gets a thread. */
export function startPausableTimer(milliseconds: number, onExpired: () => void): PausableTimer {
  let timer = setTimeout(onExpired, milliseconds);
  let isStopped = false;
  let waits = 0;
  const restart = () => {
    if (isStopped || waits > 0) return;
    // Create a new timer: refreshing a cleared one has no effect.
    clearTimeout(timer);
    timer = setTimeout(onExpired, milliseconds);
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
