/** Runs work with the same key sequentially, in the order of the calls. */
import type { Fence } from './fence.ts';

/** The lock that is held while work runs. */
export interface HeldLock {
  /** Aborted when the lock is lost: another node can then run the same work. */
  readonly signal: AbortSignal;
  /** Rejects if the lock is lost. */
  confirm(): Promise<void>;
  /** The token for changes that must fail once another node holds the lock; undefined if the lock cannot be lost. */
  fence(): Promise<Fence | undefined>;
}

export type KeyedMutex = <T>(key: string, work: (turn: HeldLock) => Promise<T>) => Promise<T>;

/** A lock within one process, which cannot be lost. */
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
    // Start after the previous call has settled, whether or not it succeeded.
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
