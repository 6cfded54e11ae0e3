/**
 * Reads records over rows: text that is not storable is never found, long results are read in batches, and records of the
 * last state are cached by name.
 */
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Page } from '../../lib/text/page.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import { requireLimit } from '../port/limit.ts';
import type { LogReader, RecordReader, RecordSortKey, Snapshot, StoredRecord, ValueRange } from '../port/port.ts';
import type { AgedRecord, RecordNameKey, RowReader, RowSnapshot } from '../port/rows.ts';
import { isStorable, requireStorable } from '../port/storable-text.ts';
import { type LogRules, RowLogReader } from './log-reader.ts';

/** This many rows are read within two milliseconds. */
const ROWS_AT_ONCE = 500;

export class RowRecordReader implements RecordReader {
  readonly #rows: RowReader;
  readonly #pace: YieldIfDue;
  readonly #assertUsable: () => void;

  /** `assertUsable` throws once this reader has ended. */
  constructor(rows: RowReader, pace: YieldIfDue, assertUsable: () => void) {
    this.#rows = rows;
    this.#pace = pace;
    this.#assertUsable = assertUsable;
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    this.#assertUsable();
    return isStorableList(kind, parent) && isStorable(name) ? this.#rows.find(kind, parent, name) : undefined;
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    this.#assertUsable();
    return isStorable(id) ? this.#rows.get(id) : undefined;
  }

  async list(kind: string, parent: string | null, page: Page = {}): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    const limit = readLimit(page);
    if (!isStorableList(kind, parent)) return [];
    return this.#readAll(limit, (last: StoredRecord | undefined, count) =>
      this.#rows.list(kind, parent, last?.name ?? page.after, count),
    );
  }

  async listNames(kind: string, parent: string | null, page: Page = {}): Promise<readonly string[]> {
    this.#assertUsable();
    const limit = readLimit(page);
    if (!isStorableList(kind, parent)) return [];
    return this.#readAll(limit, (last: string | undefined, count) =>
      this.#rows.listNames(kind, parent, last ?? page.after, count),
    );
  }

  async listKeyValues(kind: string, key: string, range: ValueRange = {}): Promise<readonly string[]> {
    this.#assertUsable();
    requireStorable('value to list from', range.from ?? '');
    requireStorable('value to list before', range.before ?? '');
    requireStorable('value to list after', range.after ?? '');
    requireLimit(range.limit ?? 0);
    if (!isStorable(kind) || !isStorable(key)) return [];
    return this.#readAll(range.limit ?? Number.MAX_SAFE_INTEGER, (last: string | undefined, count) =>
      this.#rows.listKeyValues(kind, key, { ...range, after: last ?? range.after, limit: count }),
    );
  }

  async findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    requireLimit(limit);
    if (!isStorable(kind) || !isStorable(key) || !isStorable(value)) return [];
    const found = await this.#readAll(limit, (last: AgedRecord | undefined, count) =>
      this.#rows.listByKey(kind, key, value, { after: last?.age ?? 0, limit: count }),
    );
    return found.map(({ record }) => record);
  }

  async listChildren(parent: string, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    requireLimit(limit);
    return isStorable(parent) ? this.#rows.listChildren(parent, limit) : [];
  }

  async countChildren(parent: string): Promise<number> {
    this.#assertUsable();
    return isStorable(parent) ? this.#rows.countChildren(parent) : 0;
  }

  async count(kind: string): Promise<number> {
    this.#assertUsable();
    return isStorable(kind) ? this.#rows.count(kind) : 0;
  }

  async listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]> {
    requireLimit(limit);
    // Callers continue until there are no more rows.
    await this.#pace();
    this.#assertUsable();
    return isStorable(kind) ? this.#rows.listOfKind(kind, after, limit) : [];
  }

  async #readAll<R>(limit: number, next: (last: R | undefined, count: number) => Promise<R[]>): Promise<R[]> {
    let piece = await next(undefined, Math.min(limit, ROWS_AT_ONCE));
    const all = piece;
    while (piece.length === ROWS_AT_ONCE && all.length < limit) {
      await this.#pace();
      this.#assertUsable();
      piece = await next(all.at(-1), Math.min(limit - all.length, ROWS_AT_ONCE));
      all.push(...piece);
    }
    return all;
  }
}

function readLimit({ limit, after }: Page): number {
  if (after !== undefined) requireStorable('name to list after', after);
  return requireLimit(limit ?? Number.MAX_SAFE_INTEGER);
}

/** The top level is null, never an empty id. */
function isStorableList(kind: string, parent: string | null): boolean {
  return isStorable(kind) && parent !== '' && isStorable(parent ?? '');
}

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
