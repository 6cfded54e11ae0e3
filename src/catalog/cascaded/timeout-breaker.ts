/** Rejects requests to a server at once after it did not answer several in time, so that maps do not wait for it. */
import type { Problem } from '../../lib/problems/problem.ts';
import { isTimeout } from '../../workers/deadline.ts';

/** One slow map must not make the layers of a working server unavailable. */
const MAX_TIMEOUTS = 3;

/** Afterwards one request tests the server again, while others are still rejected. */
const PAUSE_MS = 10_000;

interface Timeouts {
  count: number;
  /** Requests are rejected until then, if the count is reached. */
  until: number;
  last: Problem;
}

export interface TimeoutBreaker {
  /** Runs a request to the server of a store, or rejects it with the last timeout. */
  run<T>(key: string, request: () => Promise<T>): Promise<T>;
}

export function createTimeoutBreaker(clock: () => number): TimeoutBreaker {
  const late = new Map<string, Timeouts>();
  return {
    async run(key, request) {
      const known = late.get(key);
      if (known !== undefined && known.count >= MAX_TIMEOUTS) {
        if (clock() < known.until) throw known.last;
        known.until = clock() + PAUSE_MS;
      }
      try {
        const result = await request();
        late.delete(key);
        return result;
      } catch (error) {
        if (!isTimeout(error)) throw error;
        const count = (late.get(key)?.count ?? 0) + 1;
        late.set(key, { count, until: clock() + PAUSE_MS, last: error });
        throw error;
      }
    },
  };
}
