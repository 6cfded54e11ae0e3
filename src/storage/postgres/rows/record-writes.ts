/** The write statements of records with their keys and files: one statement for each write. */
import { readTextColumn } from '../../port/columns.ts';
import type { RecordKeys, StoredRecord } from '../../port/port.ts';
import type { RowParts } from '../../port/rows.ts';
import { type BoundStatement, prepareStatement, type RunQuery } from '../connection/statement.ts';

/** In characters of up to four bytes; an index entry holds 2,700 bytes in all. */
const SHORT_LENGTH = 250;

/** Inserts several records with their keys and files. */
const insert = prepareStatement(
  'insert',
  `WITH record AS (
     INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
     SELECT id, kind, parent, name, version, created, modified, body
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
       WITH ORDINALITY n (id, kind, parent, name, version, created, modified, body, place) ORDER BY place
     RETURNING id, kind, age),
   added_keys AS (INSERT INTO record_keys (kind, key, value, record_age)
     SELECT r.kind, p.key, p.value, r.age FROM record r JOIN unnest($9::text[], $10::text[], $11::text[]) p (id, key, value)
     ON p.id = r.id ON CONFLICT DO NOTHING)
   INSERT INTO record_files (file, record_age)
     SELECT p.file, r.age FROM record r JOIN unnest($12::text[], $13::text[]) p (id, file) ON p.id = r.id
     ON CONFLICT DO NOTHING`,
);

/** Common table expressions over the age of a record: its keys are $1 to $3, its files $4. */
const addedParts = `
  added_keys AS (INSERT INTO record_keys (kind, key, value, record_age)
    SELECT $1, p.key, p.value, r.age FROM record r, unnest($2::text[], $3::text[]) p (key, value) ON CONFLICT DO NOTHING)
  INSERT INTO record_files (file, record_age)
    SELECT p.file, r.age FROM record r, unnest($4::text[]) p (file) ON CONFLICT DO NOTHING`;
/** Deletes only removed keys: all parts of a statement see the rows before it. */
const droppedParts = `
  dropped_keys AS (DELETE FROM record_keys k USING record r WHERE k.record_age = r.age
    AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) p (key, value) WHERE p.key = k.key AND p.value = k.value)),
  dropped_files AS (DELETE FROM record_files f USING record r WHERE f.record_age = r.age AND f.file <> ALL ($4::text[]))`;

const update = prepareStatement(
  'update',
  `WITH record AS (
     UPDATE records SET parent = $6, name = $7, version = $8, modified_at_ms = $9, body = $10
     WHERE id = $5 RETURNING age),${droppedParts},${addedParts}`,
);
const rewrite = prepareStatement(
  'rewrite',
  `WITH record AS (UPDATE records SET body = $6 WHERE id = $5 RETURNING age),${droppedParts},${addedParts}`,
);
const remove = prepareStatement('remove', 'DELETE FROM records WHERE id = $1');
const selectFiles = prepareStatement(
  'files_of',
  'SELECT f.file FROM record_files f JOIN records r ON r.age = f.record_age WHERE r.id = $1 ORDER BY f.file',
);

export interface InsertedRow {
  readonly record: StoredRecord;
  readonly parts: RowParts;
}

/** Returns whether all indexed values are far below the limit of an index entry. */
export function hasShortKeys({ name }: StoredRecord, { keys, files }: RowParts): boolean {
  return [name, ...Object.values(keys).flat(), ...files].every(({ length }) => length <= SHORT_LENGTH);
}

/** Inserts records in creation order. */
export function insertRecords(rows: readonly InsertedRow[]): BoundStatement {
  const records = rows.map(({ record }) => record);
  const keys = rows.flatMap(({ record: { id }, parts }) => listPairs(parts.keys).map((pair) => [id, ...pair] as const));
  const files = rows.flatMap(({ record: { id }, parts }) => parts.files.map((file) => [id, file] as const));
  return [
    insert,
    [
      records.map(({ id }) => id),
      records.map(({ kind }) => kind),
      records.map(({ parent }) => parent),
      records.map(({ name }) => name),
      records.map(({ version }) => version),
      records.map(({ createdAtMs }) => createdAtMs),
      records.map(({ modifiedAtMs }) => modifiedAtMs),
      rows.map(({ parts }) => parts.text),
      keys.map(([id]) => id),
      keys.map(([, key]) => key),
      keys.map(([, , value]) => value),
      files.map(([id]) => id),
      files.map(([, file]) => file),
    ],
  ];
}

export function updateRecord(record: StoredRecord, rowParts: RowParts): BoundStatement {
  const { id, kind, parent, name, version, modifiedAtMs } = record;
  return [update, [kind, ...toPartColumns(rowParts), id, parent, name, version, modifiedAtMs, rowParts.text]];
}

/** Rewrites body, keys and files without a new version. */
export function rewriteRecord({ id, kind }: StoredRecord, rowParts: RowParts): BoundStatement {
  return [rewrite, [kind, ...toPartColumns(rowParts), id, rowParts.text]];
}

/** Keys and files are deleted by the foreign keys. */
export function removeRecord(id: string): BoundStatement {
  return [remove, [id]];
}

export async function readRecordFiles(ask: RunQuery, id: string): Promise<readonly string[]> {
  return (await ask(selectFiles, [id])).map((row) => readTextColumn(row[0]));
}

/** Returns key names, values and files as columns. */
function toPartColumns({ keys, files }: RowParts): readonly (readonly string[])[] {
  const pairs = listPairs(keys);
  return [pairs.map(([key]) => key), pairs.map(([, value]) => value), files];
}

function listPairs(keys: RecordKeys): readonly (readonly [string, string])[] {
  return Object.entries(keys).flatMap(([key, values]) => values.map((value) => [key, value] as const));
}
