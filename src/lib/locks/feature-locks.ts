/** Locks of features, which hold on all nodes and outlive a restart. Expired locks hold nothing. */
import { createHash } from 'node:crypto';

/** The number of unexpired locks that one user can hold. */
export const MAX_LOCKS_PER_USER = 1_000;

/** After its end a lock is still known as expired for this time. */
export const EXPIRED_LOCK_RETENTION_MS = 86_400_000;

export interface NewLock {
  readonly id: string;
  /** The user who holds it. */
  readonly who: string;
  readonly seconds: number;
  /** The names of the layers, for administrators. */
  readonly layers: readonly string[];
  /** Keys of features without duplicates. */
  readonly keys: readonly string[];
  /** Whether features of other locks are skipped. Otherwise one of them prevents the whole lock. */
  readonly isPartial: boolean;
}

export interface FeatureLock extends Omit<NewLock, 'keys' | 'isPartial'> {
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The number of locked features. */
  readonly features: number;
}

export interface FeatureLocks {
  /** Returns the keys that other locks hold. If there are any and the lock is not partial, it is not created. */
  acquire(lock: NewLock): Promise<ReadonlySet<string>>;
  /** Returns a lock even if it expired a short time ago. */
  find(id: string): Promise<(FeatureLock & { readonly isExpired: boolean }) | undefined>;
  /** Lists the unexpired locks by id, after the given one. */
  list(after: string | undefined, limit: number): Promise<readonly FeatureLock[]>;
  /** Returns whether any lock is unexpired. */
  hasAny(): Promise<boolean>;
  /** Returns one of the keys that another lock than `own` holds. */
  findHeld(keys: readonly string[], own: string | undefined): Promise<string | undefined>;
  /** Starts the time of an unexpired lock again; false if it is unknown or expired. */
  renew(id: string, seconds: number): Promise<boolean>;
  /** Deletes a lock; false if it is unknown or expired. */
  release(id: string): Promise<boolean>;
  /** Unlocks some features of a lock, and starts the time of the others again. */
  releaseSome(id: string, keys: readonly string[]): Promise<void>;
}

/** Any feature id, of any length, has a key of the same short form. */
export function createLockKey(store: string, type: string, feature: string): string {
  return createHash('sha256')
    .update(JSON.stringify([store, type, feature]))
    .digest('base64url');
}

/** In a dry run, locks are read but not changed. */
export function createDryRunLocks(locks: FeatureLocks): FeatureLocks {
  return {
    ...bindReads(locks),
    async acquire({ keys }) {
      const held = new Set<string>();
      for (const key of keys) if ((await locks.findHeld([key], undefined)) !== undefined) held.add(key);
      return held;
    },
    renew: async (id) => (await locks.find(id))?.isExpired === false,
    release: async (id) => (await locks.find(id))?.isExpired === false,
    releaseSome: async () => undefined,
  };
}

function bindReads(locks: FeatureLocks): Pick<FeatureLocks, 'find' | 'list' | 'hasAny' | 'findHeld'> {
  return {
    find: (id) => locks.find(id),
    list: (after, limit) => locks.list(after, limit),
    hasAny: () => locks.hasAny(),
    findHeld: (keys, own) => locks.findHeld(keys, own),
  };
}
