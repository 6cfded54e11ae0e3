/** Wakes whoever follows the log of changes once there is more of it to read; each reads on from the number it is at. */
import type { Storage } from '../storage/port.ts';

export interface ChangeFeed {
  /** The number of the last change that can be read. */
  position(): number;
  /** Whether there is a change after this one: waits for it, but no longer than so, and not once the signal is given. */
  beyond(number: number, wait: { readonly signal: AbortSignal; readonly timeoutMs?: number }): Promise<boolean>;
  /** Given when the server is about to end: nobody waits any more. */
  readonly ended: AbortSignal;
  end(): void;
}

interface Follower {
  readonly after: number;
  readonly wake: () => void;
}

export function openChangeFeed(storage: Pick<Storage, 'watch' | 'position'>): ChangeFeed {
  const ended = new AbortController();
  const followers = new Set<Follower>();
  let isWaking = false;

  /** In a turn of its own: those who wait for their replies go first, and what is committed meanwhile is told with it. */
  function wakeSoon(): void {
    if (!isWaking && followers.size > 0) {
      isWaking = true;
      setImmediate(wake);
    }
  }

  function wake(): void {
    isWaking = false;
    if (ended.signal.aborted) {
      return;
    }
    const position = storage.position();
    for (const follower of followers) {
      if (follower.after < position) {
        follower.wake();
      }
    }
  }

  const stopWatching = storage.watch(wakeSoon);

  return {
    position: () => storage.position(),
    ended: ended.signal,
    end() {
      stopWatching();
      ended.abort();
    },
    async beyond(after, { signal, timeoutMs }) {
      if (signal.aborted || ended.signal.aborted) {
        return false;
      }
      if (storage.position() > after) {
        return true;
      }
      await new Promise<void>((resolve) => {
        const follower: Follower = { after, wake };
        const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs).unref();
        function wake(): void {
          clearTimeout(timer);
          followers.delete(follower);
          signal.removeEventListener('abort', wake);
          ended.signal.removeEventListener('abort', wake);
          resolve();
        }
        followers.add(follower);
        signal.addEventListener('abort', wake);
        ended.signal.addEventListener('abort', wake);
      });
      return !signal.aborted && !ended.signal.aborted && storage.position() > after;
    },
  };
}
