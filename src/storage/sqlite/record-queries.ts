/** The read statements of records, prepared once per connection and run synchronously. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import type { RecordSortKey, StoredRecord } from '../port/port.ts';
import { toNamedRecord, toRecord } from '../port/record-columns.ts';
import type { AgedRecord, AgePage, ValuePage } from '../port/rows.ts';

type Row = Readonly<Record<number, SQLOutputValue>>;

/**
 * With a bare parameter SQLite would plan the statement again for each limit, which takes ten times as long as most
 * reads.
 */
const limit = 'LIMIT ? + 0';

const columns = 'r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body, r.kind, r.parent, r.name';
/** Must match the index `records_by_name` exactly, or SQLite does not use it. */
const inParent = "r.kind = ? AND ifnull(r.parent, '') = ?";

/** The SQL of every read, exported so that a test can check the query plans. */
export const recordSql = {
  // The caller knows kind, parent and name: omitting them saves a quarter of the cost.
  find: `SELECT r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body FROM records r WHERE ${inParent} AND r.name = ?`,
  get: `SELECT ${columns} FROM records r WHERE r.id = ?`,
  list: `SELECT ${columns} FROM records r WHERE ${inParent} ORDER BY r.name ${limit}`,
  listAfter: `SELECT ${columns} FROM records r WHERE ${inParent} AND r.name > ? ORDER BY r.name ${limit}`,
  // Served from the index alone.
  listNames: `SELECT r.name FROM records r WHERE ${inParent} ORDER BY r.name ${limit}`,
  listNamesAfter: `SELECT r.name FROM records r WHERE ${inParent} AND r.name > ? ORDER BY r.name ${limit}`,
  listKeyValues: `SELECT DISTINCT k.value FROM record_keys k
    WHERE k.kind = ? AND k.key = ? AND k.value >= ? AND k.value < ? ORDER BY k.value ${limit}`,
  listKeyValuesAfter: `SELECT DISTINCT k.value FROM record_keys k
    WHERE k.kind = ? AND k.key = ? AND k.value > ? AND k.value < ? ORDER BY k.value ${limit}`,
  // A cross join fixes the join order: otherwise SQLite would scan all records by age.
  listByKey: `SELECT ${columns}, r.age FROM record_keys k CROSS JOIN records r ON r.age = k.record_age
    WHERE k.kind = ? AND k.key = ? AND k.value = ? AND k.record_age > ? ORDER BY k.record_age ${limit}`,
  // `listAfter` returns the rest of a parent: for a row value comparison, SQLite would scan everything before it.
  listOfKind: `SELECT ${columns} FROM records r WHERE r.kind = ? AND ifnull(r.parent, '') > ?
    ORDER BY ifnull(r.parent, ''), r.name ${limit}`,
  children: `SELECT ${columns} FROM records r WHERE r.parent = ? ORDER BY r.kind, r.name ${limit}`,
  countChildren: 'SELECT count(*) FROM records r WHERE r.parent = ?',
  count: 'SELECT count(*) FROM records r WHERE r.kind = ?',
  ageOf: 'SELECT r.age FROM records r WHERE r.id = ?',
} as const;

export class RecordQueries {
  readonly #find: StatementSync;
  readonly #get: StatementSync;
  readonly #list: StatementSync;
  readonly #listAfter: StatementSync;
  readonly #listNames: StatementSync;
  readonly #listNamesAfter: StatementSync;
  readonly #listKeyValues: StatementSync;
  readonly #listKeyValuesAfter: StatementSync;
  readonly #listByKey: StatementSync;
  readonly #listOfKind: StatementSync;
  readonly #listChildren: StatementSync;
  readonly #countChildren: StatementSync;
  readonly #count: StatementSync;
  readonly #findAge: StatementSync;

  constructor(database: DatabaseSync) {
    // Arrays are faster than objects: rows are read on the hot path of every request.
    const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true });
    this.#find = prepare(recordSql.find);
    this.#get = prepare(recordSql.get);
    this.#list = prepare(recordSql.list);
    this.#listAfter = prepare(recordSql.listAfter);
    this.#listNames = prepare(recordSql.listNames);
    this.#listNamesAfter = prepare(recordSql.listNamesAfter);
    this.#listKeyValues = prepare(recordSql.listKeyValues);
    this.#listKeyValuesAfter = prepare(recordSql.listKeyValuesAfter);
    this.#listByKey = prepare(recordSql.listByKey);
    this.#listOfKind = prepare(recordSql.listOfKind);
    this.#listChildren = prepare(recordSql.children);
    this.#countChildren = prepare(recordSql.countChildren);
    this.#count = prepare(recordSql.count);
    this.#findAge = prepare(recordSql.ageOf);
  }

  find(kind: string, parent: string | null, name: string): StoredRecord | undefined {
    const row = this.#find.get(kind, parent ?? '', name);
    return row === undefined ? undefined : toNamedRecord(row, kind, parent, name);
  }

  get(id: string): StoredRecord | undefined {
    const row = this.#get.get(id);
    return row === undefined ? undefined : toRecord(row);
  }

  list(kind: string, parent: string | null, after: string | undefined, limit: number): StoredRecord[] {
    const rows =
      after === undefined
        ? this.#list.all(kind, parent ?? '', limit)
        : this.#listAfter.all(kind, parent ?? '', after, limit);
    return rows.map(toRecord);
  }

  listNames(kind: string, parent: string | null, after: string | undefined, limit: number): string[] {
    const rows =
      after === undefined
        ? this.#listNames.all(kind, parent ?? '', limit)
        : this.#listNamesAfter.all(kind, parent ?? '', after, limit);
    return rows.map(readFirstText);
  }

  listKeyValues(kind: string, key: string, { from = '', before, after, limit }: ValuePage): string[] {
    // Blobs sort after every text.
    const end = before ?? new Uint8Array();
    const rows =
      after === undefined
        ? this.#listKeyValues.all(kind, key, from, end, limit)
        : this.#listKeyValuesAfter.all(kind, key, after, end, limit);
    return rows.map(readFirstText);
  }

  listByKey(kind: string, key: string, value: string, { after, limit }: AgePage): AgedRecord[] {
    return this.#listByKey
      .all(kind, key, value, after, limit)
      .map((row: Row) => ({ age: readIntegerColumn(row[8]), record: toRecord(row) }));
  }

  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): StoredRecord[] {
    // Numbers sort before every text, including the empty parent of top-level records.
    const rest = after === undefined ? [] : this.list(kind, after.parent, after.name, limit);
    const parent = after === undefined ? -1 : (after.parent ?? '');
    return rest.length === limit
      ? rest
      : [...rest, ...this.#listOfKind.all(kind, parent, limit - rest.length).map(toRecord)];
  }

  children(parent: string, limit: number): StoredRecord[] {
    return this.#listChildren.all(parent, limit).map(toRecord);
  }

  countChildren(parent: string): number {
    return readIntegerColumn(this.#countChildren.get(parent)?.[0]);
  }

  count(kind: string): number {
    return readIntegerColumn(this.#count.get(kind)?.[0]);
  }

  ageOf(id: string): number | undefined {
    const row = this.#findAge.get(id);
    return row === undefined ? undefined : readIntegerColumn(row[0]);
  }
}

function readFirstText(row: Row): string {
  return readTextColumn(row[0]);
}
