/** Lets only so much work run at once, and the rest wait in the order it was asked for: for work that takes memory. */

export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createConcurrencyLimiter(maxRunning: number): ConcurrencyLimiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxRunning) {
      // Whoever ends hands its place over, so that nobody can come in between.
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
