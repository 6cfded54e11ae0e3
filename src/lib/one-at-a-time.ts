/** Lets work of the same key run one after the other, in the order it was asked for. */
import type { Fence } from './fence.ts';

/** The lock that work runs under. */
export interface Turn {
  /** Aborted when the lock is lost: from then on another node may do the same work. */
  readonly signal: AbortSignal;
  /** Fails if the lock is lost. */
  confirm(): Promise<void>;
  /** For changes that must not happen after another node has taken the lock; undefined for a lock that cannot be lost. */
  fence(): Promise<Fence | undefined>;
}

export type OneAtATime = <T>(key: string, work: (turn: Turn) => Promise<T>) => Promise<T>;

/** Of one process, which loses no lock. */
const localTurn: Turn = {
  signal: new AbortController().signal,
  confirm: async () => undefined,
  fence: async () => undefined,
};

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const begin = () => work(localTurn);
    // Whether the one before succeeded is its own business.
    const own = before === undefined ? begin() : before.then(begin, begin);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) {
        last.delete(key);
      }
    }
  };
}
