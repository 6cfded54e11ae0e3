/** Streams the rows of a GeoPackage table and yields to other work between batches. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import type { SqlFilter, SqlParameter } from '../../filter/sql/sql.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { WkbError } from '../../geometry/wkb-decode.ts';
import type { Feature, ReadQuery } from '../port/port.ts';
import { filterFeatures } from '../support/filter-features.ts';
import { readValue } from './columns.ts';
import { decodeBlobHeader, decodeGeometryBlob } from './geometry-blob.ts';
import { readView } from './read-view.ts';
import { writeTableCondition } from './sql-table.ts';
import type { Table } from './table.ts';
import { BATCH_BYTES, BATCH_ROWS, measureRow } from './view-batches.ts';

type Row = readonly SQLOutputValue[];

/** Yields rows in file order. */
export async function* readTable(
  database: DatabaseSync,
  table: Table,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const limit = Math.trunc(Math.min(query.limit ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
  if (limit <= 0) return;
  const condition = query.filter === undefined ? everything : writeCondition(table, query.filter);
  const { remainder } = condition;
  const selected = { condition, order: [], sorts: [], cut: remainder === undefined ? { limit } : {}, isPaged: false };
  const rows = readRows(database, table, selected, { needed: undefined, signal });
  if (remainder === undefined) {
    yield* rows;
    return;
  }
  const names = table.columns.map(({ name }) => name);
  yield* filterFeatures(rows, { names, filter: remainder, limit, runner: inlineFilterRunner, signal });
}

/** Statements on views have no parameters. */
function writeCondition(table: Table, filter: ResolvedFilter): SqlFilter {
  return table.isView ? { ...everything, remainder: filter } : writeTableCondition(table, filter);
}

/** The selection and order of rows. */
export interface RowSelection {
  readonly condition: Pick<SqlFilter, 'sql' | 'parameters'>;
  readonly order: readonly { readonly name: string; readonly isDescending: boolean }[];
  /** The sort columns, which precede the key. */
  readonly sorts: readonly string[];
  readonly cut: { readonly offset?: number; readonly limit?: number };
  /** Whether features have page keys. */
  readonly isPaged: boolean;
}

const everything: SqlFilter = { sql: 'TRUE', parameters: [], remainder: undefined };

/** Reads the values of the requested attributes, by default all; the others are null. */
export async function* readRows(
  database: DatabaseSync,
  table: Table,
  selected: RowSelection,
  { needed, signal }: { readonly needed: readonly string[] | undefined; readonly signal: AbortSignal },
): AsyncGenerator<readonly Feature[]> {
  const { key, columns, geometry } = table;
  const named = needed && new Set(needed);
  const keys = key === undefined ? [] : [key];
  const first = selected.sorts.length + keys.length;
  const read = columns.filter(({ name }) => named?.has(name) ?? true);
  const readers = columns.map(({ name, ...attribute }) => ({
    place: read.some((each) => each.name === name) ? first + read.findIndex((each) => each.name === name) : -1,
    read:
      name === geometry?.name
        ? readGeometry
        : (value: SQLOutputValue) => (attribute.kind === 'value' ? readValue(attribute.type, value) : null),
  }));
  let number = 0;
  const names = [...selected.sorts, ...keys, ...read.map(({ name }) => name)];
  for await (const rows of readBatches(database, table, { columns: names, ...selected }, signal)) {
    yield rows.map((row) => {
      number += 1;
      return {
        id: `${table.name}.${key === undefined ? number : String(row[first - 1])}`,
        values: readers.map(({ place, read: value }) => value(row[place] ?? null)),
        ...(selected.isPaged ? { key: formatPageKey(row.slice(0, first)) } : {}),
      };
    });
  }
}

/** Integers are written as text to avoid rounding. */
function formatPageKey(values: Row): string {
  return JSON.stringify(values.map((each) => (typeof each === 'bigint' ? [String(each)] : each)));
}

/** Computes the bounds of all geometries and the number of rows. */
export async function survey(
  database: DatabaseSync,
  table: Table,
  geometry: string,
  signal: AbortSignal,
): Promise<{ readonly bounds?: Bounds; readonly count: number }> {
  let bounds: Bounds | undefined;
  let count = 0;
  for await (const rows of readBatches(
    database,
    table,
    { columns: [geometry], condition: everything, order: [], cut: {} },
    signal,
  )) {
    count += rows.length;
    for (const [blob] of rows) bounds = mergeBounds(bounds, readBounds(blob ?? null));
  }
  return bounds === undefined ? { count } : { bounds, count };
}

/** Returns the first geometry that is not null. */
export async function readFirstGeometry(
  database: DatabaseSync,
  table: Table,
  column: string,
  signal: AbortSignal,
): Promise<Geometry | null> {
  const statement = `SELECT ${quoteName(column)} FROM ${quoteName(table.name)} WHERE ${quoteName(column)} IS NOT NULL LIMIT 1`;
  return readGeometry((await readFirstValue(database, table, statement, signal)) ?? null);
}

/** Returns the number of rows. */
export async function countAllRows(database: DatabaseSync, table: Table, signal: AbortSignal): Promise<number> {
  const statement = `SELECT count(*) FROM ${quoteName(table.name)}`;
  return Number(await readFirstValue(database, table, statement, signal));
}

async function readFirstValue(
  database: DatabaseSync,
  table: Table,
  statement: string,
  signal: AbortSignal,
): Promise<SQLOutputValue | undefined> {
  for await (const [row] of runStatement(database, table, { statement, parameters: [] }, signal)) return row?.[0];
  return undefined;
}

async function* readBatches(
  database: DatabaseSync,
  table: Table,
  {
    columns,
    condition,
    order,
    cut,
  }: Pick<RowSelection, 'condition' | 'order' | 'cut'> & { readonly columns: readonly string[] },
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const expressions = columns.length === 0 ? 'NULL' : columns.map(quoteName).join(', ');
  const terms = order.map(
    ({ name, isDescending }) =>
      `${quoteName(name)} COLLATE BINARY ${isDescending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`,
  );
  const sorted = terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
  const where = order.length === 0 ? writeOrderedCondition(table, condition.sql) : condition.sql;
  const statement = `SELECT ${expressions} FROM ${quoteName(table.name)} WHERE ${where}${sorted}
     LIMIT ${cut.limit ?? -1} OFFSET ${cut.offset ?? 0}`;
  yield* runStatement(database, table, { statement, parameters: condition.parameters }, signal);
}

/** A statement on a view runs in a process of its own. */
async function* runStatement(
  database: DatabaseSync,
  { isView }: Table,
  { statement, parameters }: { readonly statement: string; readonly parameters: readonly SqlParameter[] },
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  if (isView) {
    yield* readView({ path: database.location() ?? '', statement }, { signal });
    return;
  }
  const prepared = database.prepare(statement, { readBigInts: true, returnArrays: true });
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of prepared.iterate(...parameters.map(toBoundValue)) as Iterable<unknown>) {
    if (!isRow(row)) continue;
    batch.push(row);
    bytes += measureRow(row);
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

/**
 * SQLite reads alternatives one after the other, so that the order would depend on the boxes of a map across the
 * antimeridian. A list of keys is read in the order of the file, and only the keys are sorted.
 */
function writeOrderedCondition({ name, key }: Table, sql: string): string {
  if (key === undefined || !sql.includes(' OR ')) return sql;
  return `${quoteName(key)} IN (SELECT ${quoteName(key)} FROM ${quoteName(name)} WHERE ${sql})`;
}

/** Lists are for other databases. */
export function toBoundValue(parameter: SqlParameter): SQLInputValue {
  return typeof parameter === 'object' && !(parameter instanceof Uint8Array) ? JSON.stringify(parameter) : parameter;
}

function isRow(row: unknown): row is Row {
  return Array.isArray(row);
}

function readGeometry(value: SQLOutputValue): Geometry | null {
  return value === null ? null : decodeGeometryBlob(requireBytes(value)).geometry;
}

function readBounds(value: SQLOutputValue): Bounds | undefined {
  if (value === null) return undefined;
  const bytes = requireBytes(value);
  return decodeBlobHeader(bytes).bounds ?? computeGeometryBounds(decodeGeometryBlob(bytes).geometry);
}

function requireBytes(value: SQLOutputValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new WkbError(0, 'the value is not a blob');
  return value;
}
