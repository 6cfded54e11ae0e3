/** Streams the features of a table in batches of limited size. */
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, ReadQuery, Selection, SourceQuery } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { filterFeatures } from '../support/filter-features.ts';
import type { DatabaseDialect, SqlContext } from './dialect.ts';
import { formatPageKey } from './page-key.ts';
import { beginViewing, endViewing, withRelation } from './relation.ts';
import type { SqlRow } from './session.ts';
import { type Statement, type StatementParts, writeStatement, writeTableCondition } from './statement.ts';
import { type ColumnOrder, listKeyColumns, listVisibleColumns, type Table } from './table.ts';

/** Few rows first, so that a reader of some features waits for no more. */
const FIRST_ROWS = 64;
const MOST_ROWS = 512;

interface FoundTable {
  readonly table: Table;
  readonly dialect: DatabaseDialect;
  readonly isView: boolean;
}

/** Yields features in the order of their keys. */
export async function* readTable(
  place: SqlContext,
  of: string | SqlView,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const found = await getTable(place, of, signal);
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return;
  const condition = query.filter && writeTableCondition(found.dialect, found.table, query.filter);
  const remainder = condition?.remainder;
  const columns = listVisibleColumns(found.table, place.exposesPrimaryKeys);
  const cut = remainder === undefined && Number.isFinite(limit) ? { limit } : {};
  const rows = readRows(place, found, { columns, condition, query: cut }, signal);
  if (remainder === undefined) {
    yield* rows;
    return;
  }
  const names = columns.map((column) => column.name);
  yield* filterFeatures(rows, { names, filter: remainder, limit, runner: place.filterRunner, signal });
}

/** Filters as far as SQL is equivalent, sorts, starts after page keys, and applies the limit. */
export async function selectRows(
  place: SqlContext,
  of: string | SqlView,
  query: SourceQuery,
  signal: AbortSignal,
): Promise<Selection> {
  const found = await getTable(place, of, signal);
  const condition = query.filter && writeTableCondition(found.dialect, found.table, query.filter);
  const { sort, start, offset, limit } = query;
  const remainder = condition?.remainder;
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const needed =
    query.attributes &&
    new Set([...query.attributes, ...(remainder === undefined ? [] : listFilterAttributes(remainder))]);
  const parts = {
    columns: listVisibleColumns(found.table, place.exposesPrimaryKeys).filter(
      (column) => needed?.has(column.name) ?? true,
    ),
    condition,
    query: {
      ...(sort === undefined ? {} : { sort }),
      ...(start === undefined ? {} : { start }),
      ...(remainder === undefined ? cut : {}),
    },
    hasPages: start !== undefined || offset !== undefined || limit !== undefined,
  };
  return {
    batches: readRows(place, found, parts, signal),
    remainder: remainder === undefined ? {} : { filter: remainder, ...cut },
  };
}

export async function getTable(
  { pool, getDialect }: SqlContext,
  of: string | SqlView,
  signal: AbortSignal,
): Promise<FoundTable> {
  return pool.withSession(signal, async (session) => {
    const dialect = getDialect(session);
    return withRelation(dialect, session, of, (table) => ({ table, dialect, isView: typeof of !== 'string' }));
  });
}

async function* readRows(
  { pool, exposesPrimaryKeys }: SqlContext,
  { table, dialect, isView }: FoundTable,
  parts: StatementParts & { readonly hasPages?: boolean },
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const statement = writeStatement(dialect, table, parts);
  const { limit = Number.POSITIVE_INFINITY, start } = parts.query;
  const toFeature = createFeatureReader(table, exposesPrimaryKeys, parts, statement);
  const taken = await pool.acquire(signal);
  let isOpen = true;
  try {
    if (isView) await taken.rejectOnAbort(beginViewing(dialect, taken.session));
    const cursor = taken.session.stream(statement.text, statement.values);
    for (let given = 0, wanted = FIRST_ROWS; isOpen; wanted = MOST_ROWS) {
      // One more than possible, so that the end is known with the last rows.
      const rows = await taken.rejectOnAbort(cursor.read(Math.min(wanted, limit - given + 1)));
      const features = rows.map((row, index) => toFeature(row, given + index + 1));
      given += rows.length;
      if (cursor.isOver) {
        // Released before the last features are yielded: a reader with enough features does not read to the end.
        if (isView) await taken.rejectOnAbort(endViewing(dialect, taken.session));
        isOpen = false;
        taken.release(false);
      }
      if (features.length > 0) yield features;
    }
  } catch (error) {
    throw start !== undefined && dialect.isKeyError(error)
      ? problem('page-key-invalid', {})
      : pool.toError(error, signal);
  } finally {
    // Rows of a read that stopped early are still under way; its connection is closed.
    if (isOpen) taken.release(true);
  }
}

/** Rows without a key are numbered. */
export function createFeatureReader(
  table: Table,
  exposesPrimaryKeys: boolean,
  { columns, query, hasPages = false }: StatementParts & { readonly hasPages?: boolean },
  { keys, sorts }: Pick<Statement, 'keys' | 'sorts'>,
): (row: SqlRow, number: number) => Feature {
  const first = keys.length + sorts.length;
  const places = new Map(columns.map(({ name }, index) => [name, first + index]));
  const readers = listVisibleColumns(table, exposesPrimaryKeys).map(({ name, readValue }) => ({
    place: places.get(name) ?? -1,
    readValue,
  }));
  const passed = query.offset ?? 0;
  const formatKeys = (row: SqlRow): readonly string[] => keys.map((key, index) => formatKey(key.keyOrder, row[index]));
  const formatPage = (row: SqlRow): string =>
    formatPageKey([
      ...sorts.map(({ order }, index) => {
        const raw = row[keys.length + index] ?? null;
        return raw === null ? null : order.formatKey(raw);
      }),
      ...formatKeys(row),
    ]);
  const isPaged = hasPages && listKeyColumns(table).length > 0;
  return (row, number) => ({
    id: `${table.name}.${keys.length === 0 ? passed + number : formatKeys(row).join('.')}`,
    values: readers.map(({ place, readValue }) => {
      const raw = row[place] ?? null;
      return raw === null ? null : readValue(raw);
    }),
    ...(isPaged ? { key: formatPage(row) } : {}),
  });
}

function formatKey({ formatKey }: ColumnOrder, raw: SqlRow[number] | undefined): string {
  return raw === null || raw === undefined ? '' : (formatKey(raw) ?? '');
}
