/** The read statements over records, the same for a state and for an open transaction. */
import { integerColumn, textColumn } from '../columns.ts';
import type { RecordPlace, StoredRecord, ValueRange } from '../port.ts';
import { recordAt, toRecord } from '../record-columns.ts';
import type { AgedRecord, RowReader } from '../rows.ts';
import { readMarks } from './read-marks.ts';
import { type Ask, prepared, type Row } from './statement.ts';

const columns = 'r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body, r.kind, r.parent, r.name';
/** Written exactly as in the index `records_by_name`, or PostgreSQL would not use it. */
const inParent = "r.kind = $1 AND coalesce(r.parent, '') = $2";

const find = prepared(
  'find',
  `SELECT r.id, r.version, r.created_at_ms, r.modified_at_ms, r.body FROM records r WHERE ${inParent} AND r.name = $3`,
);
const get = prepared('get', `SELECT ${columns} FROM records r WHERE r.id = $1`);
const list = prepared('list', `SELECT ${columns} FROM records r WHERE ${inParent} ORDER BY r.name LIMIT $3`);
const listAfter = prepared(
  'list_after',
  `SELECT ${columns} FROM records r WHERE ${inParent} AND r.name > $4 ORDER BY r.name LIMIT $3`,
);
const listNames = prepared('list_names', `SELECT r.name FROM records r WHERE ${inParent} ORDER BY r.name LIMIT $3`);
const listNamesAfter = prepared(
  'list_names_after',
  `SELECT r.name FROM records r WHERE ${inParent} AND r.name > $4 ORDER BY r.name LIMIT $3`,
);
const listKeyValues = prepared(
  'list_key_values',
  `SELECT DISTINCT k.value FROM record_keys k WHERE k.kind = $1 AND k.key = $2 AND k.value >= $3
   AND ($4::text IS NULL OR k.value < $4) ORDER BY k.value LIMIT $5`,
);
const listKeyValuesAfter = prepared(
  'list_key_values_after',
  `SELECT DISTINCT k.value FROM record_keys k WHERE k.kind = $1 AND k.key = $2 AND k.value > $3
   AND ($4::text IS NULL OR k.value < $4) ORDER BY k.value LIMIT $5`,
);
const listByKey = prepared(
  'list_by_key',
  `SELECT ${columns}, r.age FROM record_keys k JOIN records r ON r.age = k.record_age
   WHERE k.kind = $1 AND k.key = $2 AND k.value = $3 AND k.record_age > $4 ORDER BY k.record_age LIMIT $5`,
);
const ofKind = `SELECT ${columns} FROM records r WHERE r.kind = $1`;
const listOfKind = prepared('list_of_kind', `${ofKind} ORDER BY coalesce(r.parent, ''), r.name LIMIT $2`);
const listOfKindAfter = prepared(
  'list_of_kind_after',
  `${ofKind} AND (coalesce(r.parent, ''), r.name) > ($3, $4) ORDER BY coalesce(r.parent, ''), r.name LIMIT $2`,
);
const children = prepared(
  'children',
  `SELECT ${columns} FROM records r WHERE r.parent = $1 ORDER BY r.kind, r.name LIMIT $2`,
);
const countChildren = prepared('count_children', 'SELECT count(*) FROM records r WHERE r.parent = $1');
const count = prepared('count', 'SELECT count(*) FROM records r WHERE r.kind = $1');
const ageOf = prepared('age_of', 'SELECT r.age FROM records r WHERE r.id = $1');

export class PostgresRowReader implements RowReader {
  protected readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const [row] = await this.ask(find, [kind, parent ?? '', name], readMarks.place(kind, parent, name));
    return row && recordAt(row, kind, parent, name);
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    const [row] = await this.ask(get, [id], readMarks.id(id));
    return row && toRecord(row);
  }

  async list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]> {
    const rows =
      after === undefined
        ? await this.ask(list, [kind, parent ?? '', limit])
        : await this.ask(listAfter, [kind, parent ?? '', limit, after]);
    return rows.map(toRecord);
  }

  async listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]> {
    const rows =
      after === undefined
        ? await this.ask(listNames, [kind, parent ?? '', limit])
        : await this.ask(listNamesAfter, [kind, parent ?? '', limit, after]);
    return rows.map(firstText);
  }

  async listKeyValues(
    kind: string,
    key: string,
    { from = '', before }: ValueRange,
    after: string | undefined,
    limit: number,
  ): Promise<string[]> {
    const statement = after === undefined ? listKeyValues : listKeyValuesAfter;
    return (await this.ask(statement, [kind, key, after ?? from, before ?? null, limit])).map(firstText);
  }

  async listByKey(kind: string, key: string, value: string, after: number, limit: number): Promise<AgedRecord[]> {
    const rows = await this.ask(listByKey, [kind, key, value, after, limit], readMarks.value(kind, key, value));
    return rows.map((row) => ({ age: integerColumn(row[8]), record: toRecord(row) }));
  }

  async children(parent: string, limit: number): Promise<StoredRecord[]> {
    return (await this.ask(children, [parent, limit])).map(toRecord);
  }

  async countChildren(parent: string): Promise<number> {
    return integerColumn((await this.ask(countChildren, [parent]))[0]?.[0]);
  }

  async count(kind: string): Promise<number> {
    return integerColumn((await this.ask(count, [kind]))[0]?.[0]);
  }

  async listOfKind(kind: string, after: RecordPlace | undefined, limit: number): Promise<StoredRecord[]> {
    const rows =
      after === undefined
        ? await this.ask(listOfKind, [kind, limit])
        : await this.ask(listOfKindAfter, [kind, limit, after.parent ?? '', after.name]);
    return rows.map(toRecord);
  }

  async ageOf(id: string): Promise<number | undefined> {
    const [row] = await this.ask(ageOf, [id], readMarks.id(id));
    return row && integerColumn(row[0]);
  }
}

function firstText(row: Row): string {
  return textColumn(row[0]);
}
