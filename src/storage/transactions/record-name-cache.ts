/** Remembers what was found by name until that place is written to: every request looks for the same few records again. */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { StoredRecord } from '../port/port.ts';
import type { RecordNameKey } from '../port/rows.ts';
import { RecordNameMap } from './record-name-map.ts';

/** Remembered at most; a full memory starts over. */
const MAX_CACHED = 10_000;

/** Longer names are not worth their place. */
const MAX_KEY_LENGTH = 500;

/** Whoever owns it tells it of every change, before anybody may see that change. */
export class RecordNameCache {
  readonly #cached = new RecordNameMap<StoredRecord | null>();

  /** What is remembered of a place: a record, that there is none (null), or nothing (undefined). */
  get(kind: string, parent: string | null, name: string): StoredRecord | null | undefined {
    return this.#cached.get(kind, parent, name);
  }

  /** Remembers what is at a place (undefined: nothing), and gives it back. */
  set(kind: string, parent: string | null, name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    if (name.length + (parent?.length ?? 0) > MAX_KEY_LENGTH) return record;
    if (this.#cached.size >= MAX_CACHED) this.clear();
    // Many callers will share it.
    this.#cached.set(kind, parent, name, record === undefined ? null : deepFreeze(record));
    return record;
  }

  delete(places: readonly RecordNameKey[]): void {
    for (const { kind, parent, name } of places) this.#cached.delete(kind, parent, name);
  }

  clear(): void {
    this.#cached.clear();
  }
}
