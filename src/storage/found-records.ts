/** Remembers what was found by name until that place is written to: every request looks for the same few records again. */
import { deepFreeze } from '../lib/deep-freeze.ts';
import type { StoredRecord } from './port.ts';
import type { TouchedPlace } from './rows.ts';

/** Remembered at most; a full memory starts over. */
const MAX_FOUND = 10_000;

/** Longer names are not worth their place. */
const MAX_KEY_LENGTH = 500;

/** Whoever owns it tells it of every change, before anybody may see that change. */
export class FoundRecords {
  /** By kind, parent and name, one map in the other: putting the three together as one key would cost more than the rest. */
  readonly #found = new Map<string, Map<string | null, Map<string, StoredRecord | null>>>();
  #count = 0;

  /** What is remembered of a place: a record, that there is none (null), or nothing (undefined). */
  recall(kind: string, parent: string | null, name: string): StoredRecord | null | undefined {
    return this.#found.get(kind)?.get(parent)?.get(name);
  }

  /** Remembers what is at a place (undefined: nothing), and gives it back. */
  remember(
    kind: string,
    parent: string | null,
    name: string,
    record: StoredRecord | undefined,
  ): StoredRecord | undefined {
    if (name.length + (parent?.length ?? 0) > MAX_KEY_LENGTH) return record;
    if (this.#count >= MAX_FOUND) this.forgetAll();
    // Many callers will share it.
    const names = mapIn(mapIn(this.#found, kind), parent);
    if (!names.has(name)) this.#count += 1;
    names.set(name, record === undefined ? null : deepFreeze(record));
    return record;
  }

  forget(places: readonly TouchedPlace[]): void {
    for (const { kind, parent, name } of places) {
      if (this.#found.get(kind)?.get(parent)?.delete(name)) this.#count -= 1;
    }
  }

  forgetAll(): void {
    this.#found.clear();
    this.#count = 0;
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
