/** The reading half of the port over one connection; the transaction and the storage add their own halves to it. */
import type { Page, RecordReader, StoredRecord } from '../port.ts';
import type { RecordQueries } from './record-queries.ts';
import { isStorable, requireStorable } from './storable-text.ts';

/** Text that cannot be stored is never found: SQLite would look for something else in its place. */
export class SqliteReader implements RecordReader {
  readonly #queries: RecordQueries;
  readonly #assertUsable: () => void;

  /** `assertUsable` throws once this reader may no longer be asked. */
  constructor(queries: RecordQueries, assertUsable: () => void) {
    this.#queries = queries;
    this.#assertUsable = assertUsable;
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    this.#assertUsable();
    return this.findNow(kind, parent, name);
  }

  protected findNow(kind: string, parent: string | null, name: string): StoredRecord | undefined {
    if (!isStorable(kind) || !isStorable(parent ?? '') || !isStorable(name)) return undefined;
    // The index spells "at the top" as an empty parent, which is no record's id.
    if (parent === '') return undefined;
    return this.#queries.find(kind, parent, name);
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    this.#assertUsable();
    return isStorable(id) ? this.#queries.get(id) : undefined;
  }

  async list(kind: string, parent: string | null, page: Page = {}): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    if (page.limit !== undefined) requireLimit(page.limit);
    if (page.after !== undefined) requireStorable('name to list after', page.after);
    if (!isStorable(kind) || !isStorable(parent ?? '') || parent === '') return [];
    return page.after === undefined
      ? this.#queries.list(kind, parent, page.limit)
      : this.#queries.listAfter(kind, parent, page.after, page.limit);
  }

  async findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    requireLimit(limit);
    if (!isStorable(kind) || !isStorable(key) || !isStorable(value)) return [];
    return this.#queries.findByKey(kind, key, value, limit);
  }

  async children(parent: string, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertUsable();
    requireLimit(limit);
    return isStorable(parent) ? this.#queries.children(parent, limit) : [];
  }

  async countChildren(parent: string): Promise<number> {
    this.#assertUsable();
    return isStorable(parent) ? this.#queries.countChildren(parent) : 0;
  }

  async count(kind: string): Promise<number> {
    this.#assertUsable();
    return isStorable(kind) ? this.#queries.count(kind) : 0;
  }
}

/** To SQLite a negative limit means none at all, which nobody here would want by accident. */
export function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new RangeError(`A limit must be a whole number from 0 on, but it is ${limit}.`);
  }
}
