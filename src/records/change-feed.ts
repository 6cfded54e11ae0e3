/** Wakes whoever follows the log of changes once there is more of it to read; each reads on from the number it is at. */
import type { Storage } from '../storage/port/port.ts';

export interface ChangeFeed {
  /** The number of the last change that can be read. */
  position(): number;
  /** Whether there is a change after this one: waits for it, but no longer than so, and not once the signal is given. */
  waitForChange(number: number, wait: FeedWaitOptions): Promise<boolean>;
  /** Given when the server is about to end: nobody waits any more. */
  readonly ended: AbortSignal;
  end(): void;
}

export interface FeedWaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Many of these may listen: while one change follows the other, several are told together. */
  readonly isGathering?: boolean;
}

interface FeedSubscriber {
  readonly after: number;
  readonly isGathering: boolean;
  readonly wake: () => void;
}

/** Whoever was just told of a change hears of the next ones together, after so long; who writes pays for all who listen. */
const GATHERING_MS = 8;

export function openChangeFeed(storage: Pick<Storage, 'watch' | 'position'>): ChangeFeed {
  const ended = new AbortController();
  const followers = new Set<FeedSubscriber>();
  let isWaking = false;
  let isGathering = false;

  /** In a turn of its own: those who wait for their replies go first, and what is committed meanwhile is told with it. */
  function queueWake(): void {
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
    const woken = [...followers].filter((each) => each.after < position && !(each.isGathering && isGathering));
    if (woken.some((each) => each.isGathering)) {
      startGathering();
    }
    for (const follower of woken) {
      follower.wake();
    }
  }

  function startGathering(): void {
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      wake();
    }, GATHERING_MS).unref();
  }

  const stopWatching = storage.watch(queueWake);

  return {
    position: () => storage.position(),
    ended: ended.signal,
    end() {
      stopWatching();
      ended.abort();
    },
    async waitForChange(after, { signal, timeoutMs, isGathering: isPatient = false }) {
      if (signal.aborted || ended.signal.aborted) {
        return false;
      }
      if (storage.position() > after && !(isPatient && isGathering)) {
        if (isPatient) {
          startGathering();
        }
        return true;
      }
      await new Promise<void>((resolve) => {
        const follower: FeedSubscriber = { after, isGathering: isPatient, wake };
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
