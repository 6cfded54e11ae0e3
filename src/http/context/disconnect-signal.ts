/** Tells work that takes long that nobody waits for it any more. */
import { problem } from '../../lib/problems/problem.ts';
import type { HttpResponse } from './exchange.ts';

/** Made only where it is asked for: most requests end before anybody could lose patience. */
export function createDisconnectSignal(reply: HttpResponse): AbortSignal {
  const gone = new AbortController();
  const abortGone = () => gone.abort(problem('client-gone', {}));
  if (reply.raw.destroyed) {
    abortGone();
  }
  // Whoever has got all of it has not left.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) {
      abortGone();
    }
  });
  return gone.signal;
}
