/**
 * The reading half of the port over rows: text that is not storable is never found, and long results are read in
 * batches.
 */

import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Page } from '../../lib/text/page.ts';
import type { RecordReader, RecordSortKey, StoredRecord, ValueRange } from '../port/port.ts';
import type { AgedRecord, RowReader } from '../port/rows.ts';
import { isStorable, requireStorable } from '../port/storable-text.ts';

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

/** Some databases treat a negative limit as no limit, which is never intended. */
export function requireLimit(limit: number): number {
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new RangeError(`The limit ${limit} is invalid. Use an integer of at least 0.`);
  }
  return limit;
}
