/** Streams the rows of a GeoPackage table, letting other work run between the batches. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { SqlFilter, SqlParameter } from '../../filter/sql.ts';
import { fittingFeatures } from '../fitting-features.ts';
import type { Geometry } from '../geometry.ts';
import { geometryBounds, unionBounds } from '../geometry-bounds.ts';
import type { Feature, ReadQuery } from '../port.ts';
import { quoted } from '../quoted-sql.ts';
import { WkbError } from '../wkb-decode.ts';
import { readValue } from './columns.ts';
import { decodeBlobHeader, decodeGeometryBlob } from './geometry-blob.ts';
import { conditionFor } from './sql-table.ts';
import type { Table } from './table.ts';

const BATCH_ROWS = 1_024;
const BATCH_BYTES = 4_194_304;

type Row = readonly SQLOutputValue[];

export async function* readTable(
  database: DatabaseSync,
  table: Table,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const limit = Math.trunc(Math.min(query.limit ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
  if (limit <= 0) return;
  const condition = query.filter && conditionFor(table, query.filter);
  const { columns } = table;
  if (condition?.remainder === undefined) {
    yield* readRows(database, table, limit, condition, signal);
    return;
  }
  const rows = readRows(database, table, Number.MAX_SAFE_INTEGER, condition, signal);
  yield* fittingFeatures(
    rows,
    columns.map(({ name }) => name),
    condition.remainder,
    limit,
  );
}

async function* readRows(
  database: DatabaseSync,
  table: Table,
  limit: number,
  condition: SqlFilter | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const { key, columns, geometry } = table;
  const readers = columns.map(({ name, ...attribute }) =>
    name === geometry?.name
      ? readGeometry
      : (value: SQLOutputValue) => (attribute.kind === 'value' ? readValue(attribute.type, value) : null),
  );
  let number = 0;
  const expressions = [...(key === undefined ? [] : [key]), ...columns.map((each) => each.name)];
  for await (const rows of batches(database, table, expressions, limit, signal, condition)) {
    yield rows.map((row) => {
      number += 1;
      const offset = key === undefined ? 0 : 1;
      return {
        id: `${table.name}.${key === undefined ? number : String(row[0])}`,
        values: readers.map((read, index) => read(row[index + offset] ?? null)),
      };
    });
  }
}

/** The rectangle around all the geometries, and how many rows there are. */
export async function survey(
  database: DatabaseSync,
  table: Table,
  geometry: string,
  signal: AbortSignal,
): Promise<{ readonly bounds?: Bounds; readonly count: number }> {
  let bounds: Bounds | undefined;
  let count = 0;
  for await (const rows of batches(database, table, [geometry], Number.MAX_SAFE_INTEGER, signal)) {
    count += rows.length;
    for (const [blob] of rows) bounds = unionBounds(bounds, boundsOf(blob ?? null));
  }
  return bounds === undefined ? { count } : { bounds, count };
}

/** The first geometry that there is. */
export function firstGeometry(database: DatabaseSync, table: Table, column: string): Geometry | null {
  const statement = `SELECT ${quoted(column)} AS geometry FROM ${quoted(table.name)} WHERE ${quoted(column)} IS NOT NULL LIMIT 1`;
  return readGeometry(database.prepare(statement).get()?.['geometry'] ?? null);
}

async function* batches(
  database: DatabaseSync,
  table: Table,
  columns: readonly string[],
  limit: number,
  signal: AbortSignal,
  condition: Pick<SqlFilter, 'sql' | 'parameters'> = { sql: 'TRUE', parameters: [] },
): AsyncGenerator<readonly Row[]> {
  const expressions = columns.length === 0 ? 'NULL' : columns.map(quoted).join(', ');
  const statement = database.prepare(
    `SELECT ${expressions} FROM ${quoted(table.name)} WHERE ${condition.sql} LIMIT ${limit}`,
    { readBigInts: true, returnArrays: true },
  );
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...condition.parameters.map(boundValue)) as Iterable<unknown>) {
    if (!isRow(row)) continue;
    batch.push(row);
    for (const value of row) bytes += value instanceof Uint8Array || typeof value === 'string' ? value.length : 8;
    if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) {
      yield batch;
      await turn();
      signal.throwIfAborted();
      [batch, bytes] = [[], 0];
    }
  }
  signal.throwIfAborted();
  if (batch.length > 0) yield batch;
}

/** Lists are for other databases. */
function boundValue(parameter: SqlParameter): SQLInputValue {
  return typeof parameter === 'object' && !(parameter instanceof Uint8Array) ? JSON.stringify(parameter) : parameter;
}

function isRow(row: unknown): row is Row {
  return Array.isArray(row);
}

function readGeometry(value: SQLOutputValue): Geometry | null {
  return value === null ? null : decodeGeometryBlob(bytesOf(value)).geometry;
}

function boundsOf(value: SQLOutputValue): Bounds | undefined {
  if (value === null) return undefined;
  const bytes = bytesOf(value);
  return decodeBlobHeader(bytes).bounds ?? geometryBounds(decodeGeometryBlob(bytes).geometry);
}

function bytesOf(value: SQLOutputValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new WkbError(0, 'it is a number or a text');
  return value;
}
