/** Aborts long work when the client disconnects. */
import { problem } from '../../lib/problems/problem.ts';
import type { HttpResponse } from './exchange.ts';

/** Created on demand, because most requests end sooner. */
export function createDisconnectSignal(reply: HttpResponse): AbortSignal {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(problem('client-gone', {}));
  if (reply.raw.destroyed) {
    abort();
  }
  // A complete response also closes.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) {
      abort();
    }
  });
  return disconnected.signal;
}
