/** Streams the features of a table through a cursor, in batches of limited size. */
import type { CustomTypesConfig } from 'pg';
import Cursor from 'pg-cursor';
import { listFilterAttributes } from '../../../filter/model/list-attributes.ts';
import type { FilterRunner } from '../../../filter/run/filter-runner.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createOrdinateBlocks } from '../../../geometry/ordinate-blocks.ts';
import { decodeWkb } from '../../../geometry/wkb-decode.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Feature, ReadQuery, Selection, SourceQuery, Value } from '../../port/port.ts';
import type { SqlView } from '../../port/sql-view.ts';
import { filterFeatures } from '../../support/filter-features.ts';
import { readDate, readMoment, readWholeNumber } from '../../support/value-text.ts';
import type { Connections } from '../connection/connections.ts';
import type { PostgisSettings } from '../connection/parameters.ts';
import { type CatalogColumn, createValueAttribute, isGeometryColumn } from '../table/columns.ts';
import { listVisibleColumns } from '../table/describe.ts';
import { type PagePlan, planPage } from '../table/estimate.ts';
import { BEGIN, END, withQueryTable } from '../table/query-table.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import { formatPageKey, type Statement, type StatementParts, writeStatement } from '../table/statement.ts';
import { findTable, listKeyColumns, type Table } from '../table/table.ts';
import { type Row, ShortQuery } from './short-query.ts';

const FIRST_ROWS = 64;
const MOST_ROWS = 512;
const BATCH_CHARACTERS = 1_048_576;

/** Values stay text; the column determines their type. */
export const asText: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** The context of reads. */
export interface PostgisContext {
  readonly connections: Connections;
  readonly settings: PostgisSettings;
  /** Evaluates the part of a filter that SQL cannot express. */
  readonly filterRunner: FilterRunner;
}

/** Yields features in database order. */
export async function* readTable(
  place: PostgisContext,
  named: string | SqlView,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const table = await getTable(place, named, signal);
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return;
  const columns = listVisibleColumns(table, place.settings);
  const condition = query.filter && writeTableCondition(table, query.filter);
  const remainder = condition?.remainder;
  const parts = {
    columns,
    condition,
    query: remainder === undefined && Number.isFinite(limit) ? { limit } : {},
    isOrdered: false,
    isFenced: false,
    isCounted: false,
  };
  const rows = readRows(place, table, parts, { signal });
  if (remainder === undefined) {
    yield* rows;
    return;
  }
  const names = columns.map(({ name }) => name);
  yield* filterFeatures(rows, { names, filter: remainder, limit, runner: place.filterRunner, signal });
}

/** Filters as far as SQL is equivalent, sorts, starts after page keys, and applies the limit. */
export async function selectRows(
  place: PostgisContext,
  named: string | SqlView,
  query: SourceQuery,
  signal: AbortSignal,
): Promise<Selection> {
  const table = await getTable(place, named, signal);
  const condition = query.filter && writeTableCondition(table, query.filter);
  const { sort, start, offset, limit } = query;
  const remainder = condition?.remainder;
  const isWhole = remainder === undefined;
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const needed =
    query.attributes && new Set([...query.attributes, ...(isWhole ? [] : listFilterAttributes(remainder))]);
  const parts = {
    columns: listVisibleColumns(table, place.settings).filter(({ name }) => needed?.has(name) ?? true),
    condition,
    query: {
      ...(sort === undefined ? {} : { sort }),
      ...(start === undefined ? {} : { start }),
      ...(isWhole ? cut : {}),
    },
    isOrdered: start !== undefined || offset !== undefined || limit !== undefined,
  };
  const plan = await planPage(place.connections, table, parts, signal);
  // After a page key not all matches are counted.
  const isCounted = plan.isCounted && isWhole && query.isCounted === true && start === undefined;
  let matched: number | undefined;
  const recordMatched = (row: Row): void => {
    matched = Number(row.at(-1));
  };
  return {
    batches: readPage(
      place,
      table,
      { ...parts, isFenced: plan.isFenced, isCounted },
      { plan, signal, tellCounted: recordMatched },
    ),
    remainder: isWhole ? {} : { filter: remainder, ...cut },
    ...(isCounted ? { matched: () => matched } : {}),
  };
}

export async function getTable(
  { connections, settings }: PostgisContext,
  named: string | SqlView,
  signal: AbortSignal,
): Promise<Table> {
  if (typeof named !== 'string')
    return connections.withClient(signal, (client) => withQueryTable(client, named, (found) => found));
  const table = await connections.withClient(signal, (client) => findTable(client, settings.schema, named));
  if (table === undefined) throw problem('vector-type-unknown', { name: named });
  return table;
}

/** Reads a short page at once, so that the connection is free before the client reads a feature. */
async function* readPage(
  place: PostgisContext,
  table: Table,
  parts: StatementParts,
  {
    plan: { short },
    signal,
    tellCounted,
  }: { readonly plan: PagePlan; readonly signal: AbortSignal; readonly tellCounted: (row: Row) => void },
): AsyncGenerator<readonly Feature[]> {
  const rows = short === undefined ? undefined : await readAtOnce(place, table, parts, signal);
  if (rows === undefined) {
    short?.wasLong();
    yield* readRows(place, table, parts, { signal, tellCounted });
    return;
  }
  if (parts.isCounted && rows[0] !== undefined) tellCounted(rows[0]);
  const toFeature = createFeatureReader(table, place.settings, parts, writeStatement(table, parts));
  for (let at = 0; at < rows.length; at += MOST_ROWS) {
    yield rows.slice(at, at + MOST_ROWS).map((row, index) => toFeature(row, at + index + 1));
  }
}

/** Returns undefined if the result is too large for memory. */
async function readAtOnce(
  { connections }: PostgisContext,
  table: Table,
  parts: StatementParts,
  signal: AbortSignal,
): Promise<readonly Row[] | undefined> {
  const { text, values } = writeStatement(table, parts);
  const { limit = 0, start } = parts.query;
  return connections.withClient(signal, async (client) => {
    try {
      return await client.query(new ShortQuery({ text, values, rows: limit })).result;
    } catch (error) {
      throw isAboutKey(error, start) ? problem('page-key-invalid', {}) : error;
    }
  });
}

/** The database parses the values of the key; class 22 means invalid values. */
function isAboutKey(error: unknown, start: SourceQuery['start']): boolean {
  return start !== undefined && findErrorCode(error)?.startsWith('22') === true;
}

async function* readRows(
  { connections, settings }: PostgisContext,
  table: Table,
  parts: StatementParts,
  { signal, tellCounted }: { readonly signal: AbortSignal; readonly tellCounted?: (row: Row) => void },
): AsyncGenerator<readonly Feature[]> {
  const statement = writeStatement(table, parts);
  const { limit = Number.POSITIVE_INFINITY, start } = parts.query;
  const taken = await connections.acquire(signal);
  let isOpen = true;
  const isQuery = table.declared !== undefined;
  try {
    if (isQuery) await taken.client.query(BEGIN);
    const cursor = taken.client.query(
      new Cursor<Row>(statement.text, [...statement.values], { rowMode: 'array', types: asText }),
    );
    const toFeature = createFeatureReader(table, settings, parts, statement);
    let rowsWanted = FIRST_ROWS;
    for (let given = 0; isOpen; ) {
      // One more than possible, so that the database reports the end immediately.
      const requestedRows = Math.min(rowsWanted, limit - given + 1);
      const rows = await taken.rejectOnAbort(cursor.read(requestedRows));
      if (parts.isCounted && given === 0 && rows[0] !== undefined) tellCounted?.(rows[0]);
      const features = rows.map((row, index) => toFeature(row, given + index + 1));
      given += rows.length;
      if (rows.length < requestedRows) {
        // Released before the last features are yielded, because a reader with enough features does not read to the
        // end.
        if (isQuery) await taken.client.query(END);
        isOpen = false;
        taken.release(false);
      }
      if (rows.length > 0) yield features;
      rowsWanted = computeNextRows(rows);
    }
  } catch (error) {
    throw isAboutKey(error, start) ? problem('page-key-invalid', {}) : connections.toError(error, signal);
  } finally {
    // A read that stopped early leaves an open cursor; its connection is discarded.
    if (isOpen) taken.release(true);
  }
}

function computeNextRows(rows: readonly Row[]): number {
  let characters = 1;
  for (const row of rows) for (const text of row) characters += text?.length ?? 0;
  const fitting = Math.floor((BATCH_CHARACTERS / characters) * rows.length);
  return Math.max(1, Math.min(MOST_ROWS, fitting));
}

/** A view has no key, so its features are numbered. */
export function createFeatureReader(
  table: Table,
  settings: PostgisSettings,
  { columns, query, isOrdered }: StatementParts,
  statement: Statement,
): (row: Row, number: number) => Feature {
  const keys = listKeyColumns(table).length;
  const first = statement.keys + statement.sorts;
  const places = new Map(columns.map(({ name }, index) => [name, first + index]));
  const readers = listVisibleColumns(table, settings).map((column) => ({
    place: places.get(column.name) ?? -1,
    read: createValueReader(column),
  }));
  const hasPages = keys > 0 && isOrdered;
  const passed = query.offset ?? 0;
  return (row, number) => ({
    id: `${table.name}.${keys === 0 ? passed + number : row.slice(0, keys).join('.')}`,
    values: readers.map(({ place, read }) => {
      const text = row[place] ?? null;
      return text === null ? null : read(text);
    }),
    ...(hasPages ? { key: formatPageKey(row, statement) } : {}),
  });
}

export function createValueReader(column: CatalogColumn): (text: string) => Value | Geometry {
  if (isGeometryColumn(column)) {
    const takeOrdinates = createOrdinateBlocks();
    return (text) => decodeWkb(Buffer.from(text.slice(2), 'hex'), takeOrdinates).geometry;
  }
  const attribute = createValueAttribute(column);
  switch (attribute.type) {
    case 'boolean':
      return (text) => text === 't';
    case 'short':
    case 'integer':
    case 'float':
    case 'double':
      return Number;
    case 'long':
      return readWholeNumber;
    case 'date':
      return readDate;
    case 'timestamp':
      return readMoment;
    case 'bytes':
      return (text) => Buffer.from(text.slice(2), 'hex');
    default:
      return (text) => text;
  }
}
