/** The write statements over records, their keys and their files: one for each write, whatever it has of them. */
import { textColumn } from '../columns.ts';
import type { RecordKeys, StoredRecord } from '../port.ts';
import type { RowParts } from '../rows.ts';
import { type Ask, prepared, type SentStatement } from './statement.ts';

/** Parts of statements over the age of a record: its keys are $1 to $3, its files $4. */
const added = `
  added_keys AS (INSERT INTO record_keys (kind, key, value, record_age)
    SELECT $1, p.key, p.value, r.age FROM record r, unnest($2::text[], $3::text[]) p (key, value) ON CONFLICT DO NOTHING)
  INSERT INTO record_files (file, record_age)
    SELECT p.file, r.age FROM record r, unnest($4::text[]) p (file) ON CONFLICT DO NOTHING`;
/** Only those that it has no more: all parts of a statement see what was there before it. */
const dropped = `
  dropped_keys AS (DELETE FROM record_keys k USING record r WHERE k.record_age = r.age
    AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) p (key, value) WHERE p.key = k.key AND p.value = k.value)),
  dropped_files AS (DELETE FROM record_files f USING record r WHERE f.record_age = r.age AND f.file <> ALL ($4::text[]))`;

const insert = prepared(
  'insert',
  `WITH record AS (
     INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
     VALUES ($5, $1, $6, $7, $8, $9, $10, $11) RETURNING age),${added}`,
);
const update = prepared(
  'update',
  `WITH record AS (
     UPDATE records SET parent = $6, name = $7, version = $8, modified_at_ms = $9, body = $10
     WHERE id = $5 RETURNING age),${dropped},${added}`,
);
const rewrite = prepared(
  'rewrite',
  `WITH record AS (UPDATE records SET body = $6 WHERE id = $5 RETURNING age),${dropped},${added}`,
);
const remove = prepared('remove', 'DELETE FROM records WHERE id = $1');
const filesOf = prepared(
  'files_of',
  'SELECT f.file FROM record_files f JOIN records r ON r.age = f.record_age WHERE r.id = $1 ORDER BY f.file',
);

export function insertRecord(record: StoredRecord, rowParts: RowParts): SentStatement {
  const { id, kind, parent, name, version, createdAtMs, modifiedAtMs } = record;
  const own = [id, parent, name, version, createdAtMs, modifiedAtMs, rowParts.text];
  return [insert, [kind, ...partsOf(rowParts), ...own]];
}

export function updateRecord(record: StoredRecord, rowParts: RowParts): SentStatement {
  const { id, kind, parent, name, version, modifiedAtMs } = record;
  return [update, [kind, ...partsOf(rowParts), id, parent, name, version, modifiedAtMs, rowParts.text]];
}

/** Writes body, keys and files anew, as if they had always been so. */
export function rewriteRecord({ id, kind }: StoredRecord, rowParts: RowParts): SentStatement {
  return [rewrite, [kind, ...partsOf(rowParts), id, rowParts.text]];
}

/** Keys and files go with the record: the schema says so. */
export function removeRecord(id: string): SentStatement {
  return [remove, [id]];
}

export async function readFilesOf(ask: Ask, id: string): Promise<readonly string[]> {
  return (await ask(filesOf, [id])).map((row) => textColumn(row[0]));
}

/** The names of keys and their values, side by side, and the files. */
function partsOf({ keys, files }: RowParts): readonly (readonly string[])[] {
  const pairs = pairsOf(keys);
  return [pairs.map(([key]) => key), pairs.map(([, value]) => value), files];
}

function pairsOf(keys: RecordKeys): readonly (readonly [string, string])[] {
  return Object.entries(keys).flatMap(([key, values]) => values.map((value) => [key, value] as const));
}
