/** Caches records by name: requests look up the same few records repeatedly. */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { LogReader, Snapshot, StoredRecord } from '../port/port.ts';
import type { RecordNameKey, RowSnapshot } from '../port/rows.ts';
import { type LogRules, RowLogReader } from './log-reader.ts';
import { RowRecordReader } from './record-reader.ts';

/** The maximum number of entries; a full cache is cleared. */
const MAX_CACHED = 10_000;

/** Longer names are not cached. */
const MAX_KEY_LENGTH = 500;

/** Records by name until that name is written. The owner must report every change before it is visible. */
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

/** A snapshot that uses the cache as long as it is the last state. */
export class CachingSnapshot extends RowRecordReader implements Snapshot {
  readonly position: number;
  readonly #rules: LogRules;
  readonly #assertUsable: () => void;
  #log: LogReader | undefined;
  readonly #rows: RowSnapshot;
  readonly #cache: RecordNameCache;
  readonly #lastPosition: () => number;
  #isReleased = false;

  constructor(rows: RowSnapshot, found: RecordNameCache, rules: LogRules, lastPosition: () => number) {
    const assertUsable = () => {
      if (this.#isReleased) throw new Error('This snapshot has been released.');
    };
    super(rows, rules.pace, assertUsable);
    this.position = rows.position;
    this.#rules = rules;
    this.#assertUsable = assertUsable;
    this.#rows = rows;
    this.#cache = found;
    this.#lastPosition = lastPosition;
  }

  /** Created when it is first used: most requests read no log. */
  get log(): LogReader {
    this.#log ??= new RowLogReader(this.#rows, this.#rules, this.#assertUsable);
    return this.#log;
  }

  override async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    if (this.position !== this.#lastPosition()) return super.find(kind, parent, name);
    const known = this.#cache.get(kind, parent, name);
    if (known !== undefined) return known ?? undefined;
    const record = await super.find(kind, parent, name);
    // A write may have completed while a slow database responded.
    return this.position === this.#lastPosition() ? this.#cache.set(kind, parent, name, record) : record;
  }

  release(): void {
    if (!this.#isReleased) {
      this.#isReleased = true;
      this.#rows.release();
    }
  }
}

/** A map with the key kind, parent and name. Nested maps: a combined key would cost more than the lookup. */
export class RecordNameMap<V> {
  readonly #kinds = new Map<string, Map<string | null, Map<string, V>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(kind: string, parent: string | null, name: string): V | undefined {
    return this.#kinds.get(kind)?.get(parent)?.get(name);
  }

  set(kind: string, parent: string | null, name: string, value: V): void {
    const names = getOrCreateMap(getOrCreateMap(this.#kinds, kind), parent);
    if (!names.has(name)) this.#size += 1;
    names.set(name, value);
  }

  delete(kind: string, parent: string | null, name: string): void {
    if (this.#kinds.get(kind)?.get(parent)?.delete(name)) this.#size -= 1;
  }

  clear(): void {
    this.#kinds.clear();
    this.#size = 0;
  }
}

function getOrCreateMap<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
