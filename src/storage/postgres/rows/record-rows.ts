/** The read statements of records, shared by snapshots and transactions. */
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import type { RecordSortKey, StoredRecord } from '../../port/port.ts';
import { toNamedRecord, toRecord } from '../../port/record-columns.ts';
import type { AgedRecord, AgePage, RowReader, ValuePage } from '../../port/rows.ts';
import { prepareStatement, type Row, type RunQuery } from '../connection/statement.ts';
import { formatReadMark } from './read-marks.ts';

const columns = 'r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body, r.kind, r.parent, r.name';
/** Must match the index `records_by_name` exactly, or PostgreSQL does not use it. */
const inParent = "r.kind = $1 AND coalesce(r.parent, '') = $2";

const find = prepareStatement(
  'find',
  `SELECT r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body FROM records r WHERE ${inParent} AND r.name = $3`,
);
const get = prepareStatement('get', `SELECT ${columns} FROM records r WHERE r.id = $1`);
const list = prepareStatement('list', `SELECT ${columns} FROM records r WHERE ${inParent} ORDER BY r.name LIMIT $3`);
const listAfter = prepareStatement(
  'list_after',
  `SELECT ${columns} FROM records r WHERE ${inParent} AND r.name > $4 ORDER BY r.name LIMIT $3`,
);
const listNames = prepareStatement(
  'list_names',
  `SELECT r.name FROM records r WHERE ${inParent} ORDER BY r.name LIMIT $3`,
);
const listNamesAfter = prepareStatement(
  'list_names_after',
  `SELECT r.name FROM records r WHERE ${inParent} AND r.name > $4 ORDER BY r.name LIMIT $3`,
);
const listKeyValues = prepareStatement(
  'list_key_values',
  `SELECT DISTINCT k.value FROM record_keys k WHERE k.kind = $1 AND k.key = $2 AND k.value >= $3
   AND ($4::text IS NULL OR k.value < $4) ORDER BY k.value LIMIT $5`,
);
const listKeyValuesAfter = prepareStatement(
  'list_key_values_after',
  `SELECT DISTINCT k.value FROM record_keys k WHERE k.kind = $1 AND k.key = $2 AND k.value > $3
   AND ($4::text IS NULL OR k.value < $4) ORDER BY k.value LIMIT $5`,
);
const listByKey = prepareStatement(
  'list_by_key',
  `SELECT ${columns}, r.age FROM record_keys k JOIN records r ON r.age = k.record_age
   WHERE k.kind = $1 AND k.key = $2 AND k.value = $3 AND k.record_age > $4 ORDER BY k.record_age LIMIT $5`,
);
const selectOfKind = `SELECT ${columns} FROM records r WHERE r.kind = $1`;
const listOfKind = prepareStatement('list_of_kind', `${selectOfKind} ORDER BY coalesce(r.parent, ''), r.name LIMIT $2`);
const listOfKindAfter = prepareStatement(
  'list_of_kind_after',
  `${selectOfKind} AND (coalesce(r.parent, ''), r.name) > ($3, $4) ORDER BY coalesce(r.parent, ''), r.name LIMIT $2`,
);
const selectChildren = prepareStatement(
  'children',
  `SELECT ${columns} FROM records r WHERE r.parent = $1 ORDER BY r.kind, r.name LIMIT $2`,
);
const countChildren = prepareStatement('count_children', 'SELECT count(*) FROM records r WHERE r.parent = $1');
const count = prepareStatement('count', 'SELECT count(*) FROM records r WHERE r.kind = $1');
const selectAge = prepareStatement('age_of', 'SELECT r.age FROM records r WHERE r.id = $1');

export class PostgresRowReader implements RowReader {
  protected readonly query: RunQuery;

  constructor(ask: RunQuery) {
    this.query = ask;
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const [row] = await this.query(find, [kind, parent ?? '', name], formatReadMark.place(kind, parent, name));
    return row && toNamedRecord(row, kind, parent, name);
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    const [row] = await this.query(get, [id], formatReadMark.id(id));
    return row && toRecord(row);
  }

  async list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]> {
    const rows =
      after === undefined
        ? await this.query(list, [kind, parent ?? '', limit])
        : await this.query(listAfter, [kind, parent ?? '', limit, after]);
    return rows.map(toRecord);
  }

  async listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]> {
    const rows =
      after === undefined
        ? await this.query(listNames, [kind, parent ?? '', limit])
        : await this.query(listNamesAfter, [kind, parent ?? '', limit, after]);
    return rows.map(readFirstText);
  }

  async listKeyValues(kind: string, key: string, { from = '', before, after, limit }: ValuePage): Promise<string[]> {
    const statement = after === undefined ? listKeyValues : listKeyValuesAfter;
    return (await this.query(statement, [kind, key, after ?? from, before ?? null, limit])).map(readFirstText);
  }

  async listByKey(kind: string, key: string, value: string, { after, limit }: AgePage): Promise<AgedRecord[]> {
    const rows = await this.query(listByKey, [kind, key, value, after, limit], formatReadMark.value(kind, key, value));
    return rows.map((row) => ({ age: readIntegerColumn(row[8]), record: toRecord(row) }));
  }

  async listChildren(parent: string, limit: number): Promise<StoredRecord[]> {
    return (await this.query(selectChildren, [parent, limit])).map(toRecord);
  }

  async countChildren(parent: string): Promise<number> {
    return readIntegerColumn((await this.query(countChildren, [parent]))[0]?.[0]);
  }

  async count(kind: string): Promise<number> {
    return readIntegerColumn((await this.query(count, [kind]))[0]?.[0]);
  }

  async listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]> {
    const rows =
      after === undefined
        ? await this.query(listOfKind, [kind, limit])
        : await this.query(listOfKindAfter, [kind, limit, after.parent ?? '', after.name]);
    return rows.map(toRecord);
  }

  async findAge(id: string): Promise<number | undefined> {
    const [row] = await this.query(selectAge, [id], formatReadMark.id(id));
    return row && readIntegerColumn(row[0]);
  }
}

function readFirstText(row: Row): string {
  return readTextColumn(row[0]);
}
