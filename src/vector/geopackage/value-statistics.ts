/** Computes statistics of a column in SQLite, equal to those of the values in features. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import type { NumberRequest, StatisticsRequest, ValueCount, ValueStatistics } from '../port/value-statistics.ts';
import { readValue } from './columns.ts';
import { toBoundValue } from './read.ts';
import { writeTableCondition } from './sql-table.ts';
import type { Table } from './table.ts';

/** SQLite cannot be interrupted while it sorts, and sorts this many numbers in some seconds. */
const MAX_SORTED_ROWS = 5_000_000;

/** Rows to read before the thread handles messages, such as an abort. */
const TURN_ROWS = 10_000;

/** Returns undefined if the filter or a value needs an evaluation in memory. */
export async function computeStatistics(
  database: DatabaseSync,
  table: Table,
  request: StatisticsRequest,
  signal: AbortSignal,
): Promise<ValueStatistics | undefined> {
  const { filter } = request;
  const attribute = table.columns.find(({ name }) => name === request.attribute);
  const isReadable = attribute?.kind === 'value' && attribute.name !== table.geometry?.name;
  // The rows of a view are read in memory, because it can be expensive.
  if (table.key === undefined || !isReadable || attribute.type === 'bytes') return undefined;
  const condition = filter === undefined ? { sql: 'TRUE', parameters: [] } : writeTableCondition(table, filter);
  if ('remainder' in condition && condition.remainder !== undefined) return undefined;
  const parameters = condition.parameters.map(toBoundValue);
  const column = quoteName(attribute.name);
  const rows = `${quoteName(table.name)} WHERE (${condition.sql}) AND ${column} IS NOT NULL`;
  if (request.kind !== 'values') return computeNumbers({ database, column, rows, parameters }, request, signal);
  const groups = queryRows(
    { database, parameters },
    `SELECT ${column}, count(*) FROM ${rows} GROUP BY ${column} COLLATE BINARY LIMIT ${request.limit + 1}`,
  );
  if (groups.length > request.limit) return undefined;
  const counts = groups.map(([value = null, count = 0]): ValueCount => {
    const read = readValue(attribute.type, value);
    return { value: read instanceof Uint8Array ? null : read, count: Number(count) };
  });
  return { kind: 'values', counts };
}

interface ColumnQuery {
  readonly database: DatabaseSync;
  readonly column: string;
  /** The table with the condition. */
  readonly rows: string;
  readonly parameters: readonly SQLInputValue[];
}

async function computeNumbers(
  query: ColumnQuery,
  request: NumberRequest,
  signal: AbortSignal,
): Promise<ValueStatistics | undefined> {
  const { column, rows } = query;
  const [[texts = 0] = []] = queryRows(query, `SELECT count(*) FROM ${rows} AND typeof(${column}) = 'text'`);
  // A column can contain texts, of which SQLite reads more as numbers than we do.
  if (Number(texts) > 0) return undefined;
  const parameters: SQLInputValue[] = [...query.parameters];
  const bind = (value: number): string => `?${parameters.push(value)}`;
  const { near } = request;
  const isNear = near === undefined ? '' : ` AND abs(v - ${bind(near.mean)}) <= ${bind(near.distance)}`;
  const numbers = `(SELECT CAST(${column} AS REAL) AS v FROM ${rows} AND typeof(${column}) != 'blob')
    WHERE v > -9e999 AND v < 9e999${isNear}`;
  const bound = { ...query, parameters };
  switch (request.kind) {
    case 'moments': {
      const text = `SELECT count(v), min(v), max(v), avg(v) FROM ${numbers}`;
      const [count = 0, minimum = 0, maximum = 0, mean = 0] = toNumbers(queryRows(bound, text)[0]);
      const squares = `SELECT avg((v - ${bind(mean)}) * (v - ${bind(mean)})) FROM ${numbers}`;
      const [variance = 0] = toNumbers(queryRows(bound, squares)[0]);
      return { kind: 'moments', count, minimum, maximum, mean, deviation: Math.sqrt(variance) };
    }
    case 'ranks':
      return readRanks(bound, numbers, request.ranks, signal);
    case 'totals': {
      const operator = request.includesLimits ? '<=' : '<';
      const terms = request.limits.map((limit) => `count(*) FILTER (WHERE v ${operator} ${bind(limit)})`);
      const text = `SELECT ${['count(*)', ...terms].join(', ')} FROM ${numbers}`;
      return { kind: 'totals', totals: toNumbers(queryRows(bound, text)[0]).slice(1) };
    }
  }
}

async function readRanks(
  query: Pick<ColumnQuery, 'database' | 'parameters'>,
  numbers: string,
  ranks: readonly number[],
  signal: AbortSignal,
): Promise<ValueStatistics | undefined> {
  const last = ranks.at(-1) ?? 0;
  if (last > MAX_SORTED_ROWS) return undefined;
  const statement = query.database.prepare(`SELECT v FROM ${numbers} ORDER BY v LIMIT ${last}`, { returnArrays: true });
  const found: number[] = [];
  let row = 0;
  for (const value of statement.iterate(...query.parameters) as Iterable<unknown>) {
    row += 1;
    if (row === ranks[found.length] && Array.isArray(value)) found.push(Number(value[0]));
    if (row % TURN_ROWS === 0) {
      await turn();
      signal.throwIfAborted();
    }
  }
  return { kind: 'ranks', numbers: found };
}

function queryRows(
  { database, parameters }: Pick<ColumnQuery, 'database' | 'parameters'>,
  text: string,
): readonly (readonly SQLOutputValue[])[] {
  const statement = database.prepare(text, { readBigInts: true, returnArrays: true });
  return (statement.all(...parameters) as readonly unknown[]).filter(isRow);
}

function isRow(row: unknown): row is readonly SQLOutputValue[] {
  return Array.isArray(row);
}

/** Null, the result without values, is 0. */
function toNumbers(row: readonly SQLOutputValue[] = []): readonly number[] {
  return row.map((each) => Number(each ?? 0));
}
