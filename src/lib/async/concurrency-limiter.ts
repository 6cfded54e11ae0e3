/** Limits how many calls run concurrently; further calls wait in order. Meant for work that needs much memory. */

export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createConcurrencyLimiter(maxRunning: number): ConcurrencyLimiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxRunning) {
      // A finished call passes its slot to the next one directly, so that no later call can overtake it.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
