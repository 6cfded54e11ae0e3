/** So many at a time: places that are taken and left, with a bounded queue of those who wait for one. */
import { problem } from '../lib/problem.ts';
import { type Waiting, waitIn } from './waiting-line.ts';

export interface Places {
  /** Resolves once there is a place; `work-refused` if too many wait already. Whoever waits gives up at the signal. */
  take(signal?: AbortSignal): Promise<void>;
  /** To be called once by everybody who has one. */
  leave(): void;
  /** How many wait for one. */
  waiting(): number;
}

export interface PlaceLimits {
  readonly places: number;
  /** One more that would wait is refused. */
  readonly maxWaiting: number;
}

/** When it is worth to try again. */
export const RETRY_AFTER_SECONDS = 5;

export function createPlaces({ places, maxWaiting }: PlaceLimits): Places {
  let taken = 0;
  const waiting: Waiting[] = [];
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw problem('work-refused', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      await waitIn(waiting, (go) => ({ go }), signal);
    },
    // Whoever leaves hands its place over, so that nobody can come in between.
    leave() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next.go();
    },
    waiting: () => waiting.length,
  };
}
