/** What the console does without a connection: it sends requests until the server answers, then renews what pages show. */
import { effect } from '@preact/signals';
import { queries } from './cache.ts';
import { callRest, isUnreachable } from './client.ts';

/** Users reload the page if it takes longer. */
const PROBE_MS = 3_000;
/** A network that drops packets rejects no request. */
const PROBE_TIMEOUT_MS = 10_000;

/** Follows the connection until the returned function is called. */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  // A server on the same machine answers without a network: only a request shows whether it does.
  const probe = () =>
    void callRest('/security/self', { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => {});
  const unfollow = effect(() => {
    if (isUnreachable.value) timer ??= setInterval(probe, PROBE_MS);
    else if (timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
      void queries.invalidateQueries();
    }
  });
  addEventListener('offline', probe);
  addEventListener('online', probe);
  return () => {
    unfollow();
    clearInterval(timer);
    removeEventListener('offline', probe);
    removeEventListener('online', probe);
  };
}
