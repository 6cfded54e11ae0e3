/** Lets work of the same key run one after the other, in the order it was asked for. */
import type { Fence } from './fence.ts';

/** The lock that work runs under. */
export interface HeldLock {
  /** Aborted when the lock is lost: from then on another node may do the same work. */
  readonly signal: AbortSignal;
  /** Fails if the lock is lost. */
  confirm(): Promise<void>;
  /** For changes that must not happen after another node has taken the lock; undefined for a lock that cannot be lost. */
  fence(): Promise<Fence | undefined>;
}

export type KeyedMutex = <T>(key: string, work: (turn: HeldLock) => Promise<T>) => Promise<T>;

/** Of one process, which loses no lock. */
const localLock: HeldLock = {
  signal: new AbortController().signal,
  confirm: async () => undefined,
  fence: async () => undefined,
};

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const startWork = () => work(localLock);
    // Whether the one before succeeded is its own business.
    const own = before === undefined ? startWork() : before.then(startWork, startWork);
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
