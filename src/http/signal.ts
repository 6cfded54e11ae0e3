/** Tells work that takes long that nobody waits for it any more. */
import { problem } from '../lib/problem.ts';
import type { Answer } from './exchange.ts';

/** Made only where it is asked for: most requests end before anybody could lose patience. */
export function signalOf(reply: Answer): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(problem('client-gone', {}));
  if (reply.raw.destroyed) {
    leave();
  }
  // Whoever has got all of it has not left.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) {
      leave();
    }
  });
  return gone.signal;
}
