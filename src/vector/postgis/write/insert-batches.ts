/**
 * Inserts features with one statement per batch and one array parameter per column, so that no value becomes part of
 * the SQL.
 */
import type { PoolClient } from 'pg';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { encodeWkb } from '../../../geometry/wkb-encode.ts';
import type { Feature, Value, ValueType } from '../../port/port.ts';
import { type ColumnMatch, isGeometry, toRow } from '../../support/match-columns.ts';
import type { WritableColumn } from './writable-columns.ts';
import { toWriteProblem } from './write-failure.ts';

const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 4_194_304;

/** A cast to these types silently truncates; an assignment rejects texts that are too long. */
export const assignedTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name']);

type Row = readonly (string | null)[];

export async function insertBatches(
  client: PoolClient,
  table: { readonly schema: string; readonly name: string },
  matches: readonly ColumnMatch<WritableColumn>[],
  batches: AsyncIterable<readonly Feature[]>,
): Promise<void> {
  const statement = writeInsertStatement(table, matches);
  const insert = async (rows: readonly Row[], first: string, last: string): Promise<void> => {
    const arrays = matches.map((_, index) => rows.map((row) => row[index] ?? null));
    const count = matches.length === 0 ? [rows.length] : [];
    await client.query(statement, [...arrays, ...count]).catch((error: unknown) => {
      const features = first === last ? `the feature '${first}'` : `one of the features '${first}' to '${last}'`;
      throw toWriteProblem(error, table.name, features);
    });
  };

  for await (const batch of batches) {
    let rows: Row[] = [];
    let characters = 0;
    let first = batch[0]?.id ?? '';
    for (const [index, feature] of batch.entries()) {
      const row = toRow(table.name, matches, feature).map((value, at) => formatColumnValue(value, matches[at]?.column));
      rows.push(row);
      for (const text of row) characters += text?.length ?? 4;
      if (rows.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS || index === batch.length - 1) {
        await insert(rows, first, feature.id);
        [rows, characters, first] = [[], 0, batch[index + 1]?.id ?? ''];
      }
    }
  }
}

function writeInsertStatement(
  table: { readonly schema: string; readonly name: string },
  matches: readonly ColumnMatch<WritableColumn>[],
): string {
  const into = qualifyName(table.schema, table.name);
  if (matches.length === 0) return `INSERT INTO ${into} SELECT FROM generate_series(1, $1::int)`;
  const names = matches.map(({ column }) => quoteName(column.name)).join(', ');
  const arrays = matches.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const given = matches.map((_, index) => `v${index}`);
  const values = matches.map(({ column }, index) => {
    const { typeSchema, typeName } = column.catalog;
    return assignedTypes.has(typeName) ? given[index] : `${given[index]}::${qualifyName(typeSchema, typeName)}`;
  });
  return `INSERT INTO ${into} (${names}) SELECT ${values.join(', ')} FROM unnest(${arrays}) AS given(${given.join(', ')})`;
}

export function formatColumnValue(value: Value | Geometry, column: WritableColumn | undefined): string | null {
  if (value === null || column === undefined) return null;
  if (isGeometry(value)) {
    const srid = column.kind === 'geometry' ? column.srid : 0;
    return Buffer.from(encodeWkb(value, { srid }).buffer).toString('hex');
  }
  if (value instanceof Date) return formatMoment(value.toISOString(), column.type);
  if (column.type === 'timestamp' && typeof value === 'string') return formatMoment(value, column.type);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
}

/** PostgreSQL writes years before 1 with BC, and five-digit years without a sign. */
function formatMoment(iso: string, type: ValueType | string): string {
  const [, written, day = '', time = ''] = /^([+-]?\d+)(-\d\d-\d\d)T([\d:.]+)Z$/.exec(iso) ?? [];
  const year = Number(written);
  const years = String(year > 0 ? year : 1 - year).padStart(4, '0');
  return `${years}${day}${type === 'date' ? '' : ` ${time}`}${year > 0 ? '' : ' BC'}`;
}
