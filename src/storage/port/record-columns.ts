/** The columns of a record, for both databases. */
import { readIntegerColumn, readJsonObjectColumn, readNullableTextColumn, readTextColumn } from './columns.ts';
import type { StoredRecord } from './port.ts';

type Row = Readonly<Record<number, unknown>>;

/** For a row that includes the name. */
export function toRecord(row: Row): StoredRecord {
  return toNamedRecord(row, readTextColumn(row[5]), readNullableTextColumn(row[6]), readTextColumn(row[7]));
}

/** For a row that was found by this name. */
export function toNamedRecord(row: Row, kind: string, parent: string | null, name: string): StoredRecord {
  return {
    id: readTextColumn(row[0]),
    kind,
    parent,
    name,
    body: readJsonObjectColumn(row[4]),
    version: readIntegerColumn(row[1]),
    createdAtMs: readIntegerColumn(row[2]),
    modifiedAtMs: readIntegerColumn(row[3]),
  };
}
