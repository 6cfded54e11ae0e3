/**
 * Streams features from a source to a client with time limits for both, so that neither blocks the other or other
 * requests.
 */

import { createTooSlowProblem } from '../../filter/run/cpu-limit.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { VectorSource } from '../../vector/port/port.ts';
import type { AcquiredSource } from '../../vector/sources.ts';
import { isTimeout } from '../../workers/deadline.ts';

/** A client that reads nothing for this long is cut off if other requests wait, which is polled after that. */
const CLIENT_IDLE_MS = 3_000;
const WAITER_POLL_MS = 500;

/**
 * Ends with an error if the source misses its deadline. A slow client holds a connection or a thread of the source;
 * if other requests wait for that, reading stops and the response is aborted on the next read of the client.
 */
export async function* withTimeout<B>(
  batches: AsyncIterable<B>,
  held: Pick<AcquiredSource, 'source' | 'within'> & { readonly isFiltering: () => boolean },
  onFailure: (error: unknown) => void,
): AsyncGenerator<B> {
  const reading = batches[Symbol.asyncIterator]();
  // Not awaited: a source that does not respond may not close either.
  const endReading = () => void reading.return?.().catch(() => undefined);
  let isDone = false;
  let isBrokenOff = false;
  let stopPolling: () => void = () => undefined;
  try {
    while (!isDone) {
      const { done, value } = await held.within(() => reading.next());
      isDone = done === true;
      if (!isDone) {
        stopPolling = watchForWaiters(held.source, () => {
          isBrokenOff = true;
          endReading();
        });
        yield value;
        stopPolling();
      }
      if (isBrokenOff) {
        throw problem('work-refused', { retryAfterSeconds: CLIENT_IDLE_MS / 1_000 });
      }
    }
  } catch (error) {
    const reason = isTimeout(error) && held.isFiltering() ? createTooSlowProblem() : error;
    onFailure(reason);
    throw reason;
  } finally {
    stopPolling();
    if (!isDone) {
      endReading();
    }
  }
}

/** Releases the source once other requests wait, after some seconds; returns a function that stops the watch. */
function watchForWaiters(source: Pick<VectorSource, 'isAwaited'>, makeRoom: () => void): () => void {
  const pollWaiters = () => {
    if (source.isAwaited?.() === true) {
      makeRoom();
    } else {
      timer = setTimeout(pollWaiters, WAITER_POLL_MS).unref();
    }
  };
  let timer = setTimeout(pollWaiters, CLIENT_IDLE_MS).unref();
  return () => clearTimeout(timer);
}
