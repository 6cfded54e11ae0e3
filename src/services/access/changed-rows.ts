/** The rows that an edit changes: they must not be locked by others. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { createLockKey, type FeatureLocks } from '../../lib/locks/feature-locks.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { FeatureEdits } from '../../vector/port/port.ts';
import type { OpenedType } from './open-type.ts';
import { toPublishedId } from './publication.ts';

/** A feature in the data of a store. Layers of one table share its rows, and therefore their locks. */
export interface StoredRow {
  /** The name of the table. */
  readonly type: string;
  /** The id in the data. */
  readonly feature: string;
}

/** A lock of the caller. */
export interface UsedLock {
  readonly id: string;
  /** Whether a change releases all features of the lock, or only those that it changes. */
  readonly releases: 'all' | 'changed';
}

export class ChangedRows {
  readonly #store: string;
  /** With the published id for messages. */
  readonly #rows: (StoredRow & { readonly id: string })[] = [];

  constructor(store: string) {
    this.#store = store;
  }

  /** Returns edits that remember the rows they change. Inserted rows have no locks. */
  recordEdits(edits: FeatureEdits, { publication }: Pick<OpenedType, 'publication'>): FeatureEdits {
    const { native, name } = publication;
    const record = (type: string, features: readonly string[]): readonly string[] => {
      for (const feature of features) {
        this.#rows.push({ type, feature, id: toPublishedId(feature, native.name, name) });
      }
      return features;
    };
    return {
      insert: (type, features) => edits.insert(type, features),
      update: async (type, changes, filter) => record(type, await edits.update(type, changes, filter)),
      remove: async (type, filter) => record(type, await edits.remove(type, filter)),
      find: (type, filter) => edits.find(type, filter),
    };
  }

  /** Throws if another lock than `own` holds one of the rows. */
  async refuseLocked(locks: FeatureLocks, own: string | undefined): Promise<void> {
    if (own !== undefined) await requireLock(locks, own);
    if (this.#rows.length === 0 || !(await locks.hasAny())) return;
    const keys = await this.#createKeys();
    const held = await locks.findHeld([...keys.keys()], own);
    if (held !== undefined) throw problem('feature-locked', { id: keys.get(held) ?? '', field: 'lockId' });
  }

  async releaseLock(locks: FeatureLocks, { id, releases }: UsedLock): Promise<void> {
    if (releases === 'all') await locks.release(id);
    else await locks.releaseSome(id, [...(await this.#createKeys()).keys()]);
  }

  async #createKeys(): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, string>();
    for (const { type, feature, id } of this.#rows) {
      keys.set(createLockKey(this.#store, type, feature), id);
      await yieldIfDue();
    }
    return keys;
  }
}

/** Throws if the lock is unknown or has expired. */
export async function requireLock(locks: FeatureLocks, id: string): Promise<void> {
  const found = await locks.find(id);
  if (found === undefined) throw problem('lock-unknown', { id, field: 'lockId' });
  if (found.isExpired) throw problem('lock-expired', { id, field: 'lockId' });
}
