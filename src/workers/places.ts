/** So many at a time: places that are taken and left, with a bounded queue of those who wait for one. */
import { problem } from '../lib/problem.ts';

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
  const waiting: (() => void)[] = [];
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw problem('work-refused', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      const turn = Promise.withResolvers<void>();
      const giveUp = () => {
        const at = waiting.indexOf(turn.resolve);
        if (at >= 0) {
          waiting.splice(at, 1);
          turn.reject(signal?.reason);
        }
      };
      waiting.push(turn.resolve);
      signal?.addEventListener('abort', giveUp);
      try {
        await turn.promise;
      } finally {
        signal?.removeEventListener('abort', giveUp);
      }
    },
    // Whoever leaves hands its place over, so that nobody can come in between.
    leave() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
    waiting: () => waiting.length,
  };
}
