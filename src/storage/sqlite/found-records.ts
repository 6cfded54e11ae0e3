/** Remembers what was found by name until the next commit: every request looks for the same few records again. */
import { deepFreeze } from '../../lib/deep-freeze.ts';
import type { StoredRecord } from '../port.ts';

/** Remembered at most; a full memory starts over. */
const MAX_FOUND = 10_000;

/** Longer names are not worth their place. */
const MAX_KEY_LENGTH = 500;

/** Only one process writes to a database (the data directory is locked), so a commit of ours is all there is to know of. */
export class FoundRecords {
  /** By kind, parent and name, one map in the other: putting the three together as one key would cost more than the rest. */
  readonly #found = new Map<string, Map<string | null, Map<string, StoredRecord | undefined>>>();
  #count = 0;

  /** The record, or that there is none, as remembered or else as `look` finds it. */
  find(
    kind: string,
    parent: string | null,
    name: string,
    look: () => StoredRecord | undefined,
  ): StoredRecord | undefined {
    const known = this.#found.get(kind)?.get(parent);
    const record = known?.get(name);
    if (record !== undefined || known?.has(name)) {
      return record;
    }
    return this.#remember(kind, parent, name, look());
  }

  forget(): void {
    this.#found.clear();
    this.#count = 0;
  }

  #remember(
    kind: string,
    parent: string | null,
    name: string,
    record: StoredRecord | undefined,
  ): StoredRecord | undefined {
    if (name.length + (parent?.length ?? 0) > MAX_KEY_LENGTH) {
      return record;
    }
    if (this.#count >= MAX_FOUND) {
      this.forget();
    }
    const parents = mapIn(this.#found, kind);
    // Many callers will share it.
    mapIn(parents, parent).set(name, record && deepFreeze(record));
    this.#count += 1;
    return record;
  }
}

function mapIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
