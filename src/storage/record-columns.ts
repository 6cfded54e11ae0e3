/** The columns of a record, as both databases are asked for them. */
import { integerColumn, jsonObjectColumn, nullableTextColumn, textColumn } from './columns.ts';
import type { StoredRecord } from './port.ts';

type Row = Readonly<Record<number, unknown>>;

/** Of a row whose place is asked for, too. */
export function toRecord(row: Row): StoredRecord {
  return recordAt(row, textColumn(row[5]), nullableTextColumn(row[6]), textColumn(row[7]));
}

/** Of a row that was found at this place. */
export function recordAt(row: Row, kind: string, parent: string | null, name: string): StoredRecord {
  return {
    id: textColumn(row[0]),
    kind,
    parent,
    name,
    body: jsonObjectColumn(row[4]),
    version: integerColumn(row[1]),
    createdAtMs: integerColumn(row[2]),
    modifiedAtMs: integerColumn(row[3]),
  };
}
