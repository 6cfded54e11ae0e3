/**
 * Wakes the followers of the change log when new entries are readable. Each follower continues from its own position.
 */
import type { Storage } from '../storage/port/port.ts';

export interface ChangeFeed {
  /** The number of the last readable change. */
  position(): number;
  /** Waits for a change after the given one, until the timeout or the signal. Returns whether there is one. */
  waitForChange(number: number, wait: FeedWaitOptions): Promise<boolean>;
  /** Aborted when the server shuts down, which ends all waits. */
  readonly ended: AbortSignal;
  end(): void;
}

export interface FeedWaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** For followers that may be numerous: changes in quick succession wake them once. */
  readonly isGathering?: boolean;
}

interface FeedSubscriber {
  readonly after: number;
  readonly isGathering: boolean;
  readonly wake: () => void;
}

/** The pause before gathering followers are woken again. Every wake-up costs the writer time. */
const GATHERING_MS = 8;

export function openChangeFeed(storage: Pick<Storage, 'watch' | 'position'>): ChangeFeed {
  const ended = new AbortController();
  const followers = new Set<FeedSubscriber>();
  let isWaking = false;
  let isGathering = false;

  /** Wakes followers in a later turn: pending replies go first, and further commits are included. */
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
