/** Features on their way from a source to a client, neither of whom may keep the other, or anybody else, waiting for too long. */

import { createTooSlowProblem } from '../../filter/run/cpu-limit.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { VectorSource } from '../../vector/port/port.ts';
import type { AcquiredSource } from '../../vector/sources.ts';
import { isTimeout } from '../../workers/deadline.ts';

/** Whoever takes nothing for so long makes room for others, if there are any; they are looked for as often as that. */
const CLIENT_IDLE_MS = 3_000;
const WAITER_POLL_MS = 500;

/**
 * A source that gives nothing until its deadline is left behind. What a client does not take keeps a connection or a thread of
 * the source; when others wait for that, the reading ends, and the answer breaks off as soon as the client wants more.
 */
export async function* withTimeout<B>(
  batches: AsyncIterable<B>,
  held: Pick<AcquiredSource, 'source' | 'within'> & { readonly isFiltering: () => boolean },
  onFailure: (error: unknown) => void,
): AsyncGenerator<B> {
  const reading = batches[Symbol.asyncIterator]();
  // Not waited for: who does not answer does not end either.
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

/** Makes room once others wait, from some seconds on; tells how to stop that. */
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
