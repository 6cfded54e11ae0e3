/** Computes counts, bounds and statistics of matching rows in the database. */
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { SqlFilter } from '../../filter/sql/sql.ts';
import type { SqlView } from '../port/sql-view.ts';
import type { NumberRequest, StatisticsRequest, ValueCount, ValueStatistics } from '../port/value-statistics.ts';
import { computeExtent } from './describe.ts';
import type { DatabaseDialect, SqlContext } from './dialect.ts';
import { withRelation } from './relation.ts';
import type { SqlRow, SqlSession } from './session.ts';
import { writeTableCondition } from './statement.ts';
import { isGeometryColumn, listVisibleColumns, type Table, type TableColumn } from './table.ts';

const everything: SqlFilter = { sql: 'TRUE', parameters: [], remainder: undefined };

interface Matches {
  readonly dialect: DatabaseDialect;
  readonly session: SqlSession;
  readonly table: Table;
  readonly condition: SqlFilter;
}

/** Returns undefined if a part of the filter must be evaluated in memory. */
async function summarizeRows<T>(
  { pool, getDialect }: SqlContext,
  { of, filter }: { readonly of: string | SqlView; readonly filter: ResolvedFilter | undefined },
  signal: AbortSignal,
  work: (matches: Matches) => Promise<T>,
): Promise<T | undefined> {
  return pool.withSession(signal, async (session) => {
    const dialect = getDialect(session);
    return withRelation(dialect, session, of, (table) => {
      const condition = filter === undefined ? everything : writeTableCondition(dialect, table, filter);
      return condition.remainder === undefined ? work({ dialect, session, table, condition }) : undefined;
    });
  });
}

export function countRows(
  place: SqlContext,
  of: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  return summarizeRows(place, { of, filter }, signal, async ({ session, table, condition }) => {
    const text = `SELECT COUNT(*) FROM ${table.relation} WHERE ${condition.sql}`;
    const [row] = await session.query(text, condition.parameters);
    return Number(row?.[0] ?? 0);
  });
}

export function computeRowBounds(
  place: SqlContext,
  of: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<{ readonly bounds: Bounds | undefined } | undefined> {
  return summarizeRows(place, { of, filter }, signal, async ({ dialect, session, table, condition }) => {
    const column = listVisibleColumns(table, place.exposesPrimaryKeys).find(isGeometryColumn);
    if (column === undefined) return { bounds: undefined };
    const { bounds } = await computeExtent(dialect, session, table, { column, condition });
    return { bounds };
  });
}

/** Returns undefined if the filter or the type of the column needs an evaluation in memory. */
export function computeStatistics(
  place: SqlContext,
  of: string | SqlView,
  request: StatisticsRequest,
  signal: AbortSignal,
): Promise<ValueStatistics | undefined> {
  return summarizeRows(place, { of, filter: request.filter }, signal, async (matches) => {
    const columns = listVisibleColumns(matches.table, place.exposesPrimaryKeys);
    const column = columns.find((each) => each.name === request.attribute);
    if (column === undefined || isGeometryColumn(column)) return undefined;
    return request.kind === 'values'
      ? countValues(matches, column, request.limit)
      : computeNumbers(matches, column, request);
  });
}

/** Groups in the order of values, in which only equal values are equal. */
async function countValues(
  { session, table, condition }: Matches,
  column: TableColumn,
  limit: number,
): Promise<ValueStatistics | undefined> {
  if (column.content.kind === 'value' && column.content.type === 'bytes') return undefined;
  const rows = await session.query(
    `SELECT MIN(${column.selected}), COUNT(*) FROM ${table.relation}
     WHERE (${condition.sql}) AND ${column.order.sql} IS NOT NULL GROUP BY ${column.order.sql} LIMIT ${Math.trunc(limit) + 1}`,
    condition.parameters,
  );
  if (rows.length > limit) return undefined;
  const counts = rows.map(([raw = null, count]): ValueCount => {
    const value = raw === null ? null : column.readValue(raw);
    return { value: isPlainValue(value) ? value : null, count: Number(count) };
  });
  return { kind: 'values', counts };
}

function isPlainValue(value: ReturnType<TableColumn['readValue']>): value is ValueCount['value'] {
  return typeof value !== 'object' || value === null || value instanceof Date;
}

async function computeNumbers(
  { dialect, session, table, condition }: Matches,
  column: TableColumn,
  request: NumberRequest,
): Promise<ValueStatistics | undefined> {
  const number = dialect.writeNumber(column);
  if (number === undefined) return undefined;
  const { near } = request;
  // Placeholders are bound in the order of the text.
  const values = [...condition.parameters, ...(near === undefined ? [] : [near.mean, near.distance])];
  const numbers = `(SELECT ${number} AS v FROM ${table.relation} WHERE ${condition.sql}) AS numbers
    WHERE v IS NOT NULL${near === undefined ? '' : ' AND ABS(v - ?) <= ?'}`;
  switch (request.kind) {
    case 'moments': {
      const text = `SELECT COUNT(v), MIN(v), MAX(v), AVG(v), STDDEV_POP(v) FROM ${numbers}`;
      const [count = 0, minimum = 0, maximum = 0, mean = 0, deviation = 0] = toNumbers(
        (await session.query(text, values))[0],
      );
      return { kind: 'moments', count, minimum, maximum, mean, deviation };
    }
    case 'ranks': {
      if (request.ranks.length === 0) return { kind: 'ranks', numbers: [] };
      const text = `SELECT v FROM (SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS place FROM ${numbers}) AS ranked
        WHERE place IN (${request.ranks.map(Math.trunc).join(', ')}) ORDER BY place`;
      return { kind: 'ranks', numbers: (await session.query(text, values)).map(([each]) => Number(each)) };
    }
    case 'totals': {
      const operator = request.includesLimits ? '<=' : '<';
      const terms = request.limits.map(() => `COUNT(CASE WHEN v ${operator} ? THEN 1 END)`);
      const text = `SELECT ${['COUNT(*)', ...terms].join(', ')} FROM ${numbers}`;
      const [row] = await session.query(text, [...request.limits, ...values]);
      return { kind: 'totals', totals: toNumbers(row).slice(1) };
    }
  }
}

/** Null, the result without values, is 0. */
function toNumbers(row: SqlRow = []): readonly number[] {
  return row.map((each) => Number(each ?? 0));
}
