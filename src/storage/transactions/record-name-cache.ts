/** Caches records by name until that name is written: requests look up the same few records repeatedly. */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { StoredRecord } from '../port/port.ts';
import type { RecordNameKey } from '../port/rows.ts';
import { RecordNameMap } from './record-name-map.ts';

/** The maximum number of entries; a full cache is cleared. */
const MAX_CACHED = 10_000;

/** Longer names are not cached. */
const MAX_KEY_LENGTH = 500;

/** The owner must report every change before it is visible. */
export class RecordNameCache {
  readonly #cached = new RecordNameMap<StoredRecord | null>();

  /** Returns the cached record, null if no record exists, or undefined if nothing is cached. */
  get(kind: string, parent: string | null, name: string): StoredRecord | null | undefined {
    return this.#cached.get(kind, parent, name);
  }

  /** Caches a record (undefined: none exists) and returns it. */
  set(kind: string, parent: string | null, name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    if (name.length + (parent?.length ?? 0) > MAX_KEY_LENGTH) return record;
    if (this.#cached.size >= MAX_CACHED) this.clear();
    // Callers share the record.
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
