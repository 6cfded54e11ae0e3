/** Computes statistics of a column in the database, equal to those of the values in features. */
import type { PoolClient } from 'pg';
import { quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { SqlView } from '../../port/sql-view.ts';
import type { NumberRequest, StatisticsRequest, ValueCount, ValueStatistics } from '../../port/value-statistics.ts';
import { type CatalogColumn, createValueAttribute, isGeometryColumn } from '../table/columns.ts';
import { listVisibleColumns } from '../table/describe.ts';
import { oneStatement } from '../table/query-table.ts';
import type { Table } from '../table/table.ts';
import { asText, createValueReader, type PostgisContext } from './read.ts';
import { summarizeRows } from './summarise.ts';

/** Sums of very large numbers overflow in the database. */
const OUT_OF_RANGE = '22003';

/** Returns undefined if the filter or the type of the column needs an evaluation in memory. */
export async function computeStatistics(
  place: PostgisContext,
  named: string | SqlView,
  request: StatisticsRequest,
  signal: AbortSignal,
): Promise<ValueStatistics | undefined> {
  return summarizeRows(place, { named, filter: request.filter }, signal, async (client, table, condition) => {
    const column = listVisibleColumns(table, place.settings).find(({ name }) => name === request.attribute);
    if (column === undefined || isGeometryColumn(column)) return undefined;
    try {
      return request.kind === 'values'
        ? await countValues(client, { table, condition, column, limit: request.limit })
        : await computeNumbers(client, { table, condition, column, request });
    } catch (error) {
      if (findErrorCode(error) === OUT_OF_RANGE) return undefined;
      throw error;
    }
  });
}

interface ReadColumn {
  readonly table: Table;
  readonly condition: SqlFilter;
  readonly column: CatalogColumn;
}

/** Groups by the text of a value as it is read, because equality of values can differ from equality of their texts. */
async function countValues(
  client: PoolClient,
  { table, condition, column, limit }: ReadColumn & { readonly limit: number },
): Promise<ValueStatistics | undefined> {
  if (createValueAttribute(column).type === 'bytes') return undefined;
  const name = quoteName(column.name);
  const rows = await queryTexts(
    client,
    `SELECT text, count(*) FROM (
       SELECT concat(${name}) COLLATE "C" AS text FROM ${table.relation} WHERE (${condition.sql}) AND ${name} IS NOT NULL
     ) AS texts GROUP BY text LIMIT ${limit + 1}`,
    condition.parameters,
  );
  if (rows.length > limit) return undefined;
  const read = createValueReader(column);
  const counts = rows.map(([text, count]): ValueCount => {
    const value = read(text ?? '');
    return { value: isPlainValue(value) ? value : null, count: Number(count) };
  });
  return { kind: 'values', counts };
}

function isPlainValue(value: ReturnType<ReturnType<typeof createValueReader>>): value is ValueCount['value'] {
  return typeof value !== 'object' || value === null || value instanceof Date;
}

async function computeNumbers(
  client: PoolClient,
  { table, condition, column, request }: ReadColumn & { readonly request: NumberRequest },
): Promise<ValueStatistics | undefined> {
  const number = writeNumber(column);
  if (number === undefined) return undefined;
  const parameters: (SqlFilter['parameters'][number] | readonly number[])[] = [...condition.parameters];
  const bind = (value: number): string => `CAST($${parameters.push(value)} AS double precision)`;
  const { near } = request;
  const isNear = near === undefined ? '' : ` AND abs(v - ${bind(near.mean)}) <= ${bind(near.distance)}`;
  // NaN is greater than infinity.
  const numbers = `(SELECT ${number} AS v FROM ${table.relation} WHERE ${condition.sql}) AS numbers
    WHERE v > '-Infinity' AND v < 'Infinity'${isNear}`;
  switch (request.kind) {
    case 'moments': {
      const text = `SELECT count(v), min(v), max(v), avg(v), stddev_pop(v) FROM ${numbers}`;
      const [count = 0, minimum = 0, maximum = 0, mean = 0, deviation = 0] = toNumbers(
        (await queryTexts(client, text, parameters))[0],
      );
      return { kind: 'moments', count, minimum, maximum, mean, deviation };
    }
    case 'ranks': {
      const list = `CAST($${parameters.push(request.ranks)} AS bigint[])`;
      const text = `SELECT v FROM (SELECT v, row_number() OVER (ORDER BY v) AS rank FROM ${numbers}) AS ranked
        WHERE rank = ANY(${list}) ORDER BY rank`;
      return { kind: 'ranks', numbers: (await queryTexts(client, text, parameters)).map(([each]) => Number(each)) };
    }
    case 'totals': {
      const operator = request.includesLimits ? '<=' : '<';
      const terms = request.limits.map((limit) => `count(*) FILTER (WHERE v ${operator} ${bind(limit)})`);
      const text = `SELECT ${['count(*)', ...terms].join(', ')} FROM ${numbers}`;
      return { kind: 'totals', totals: toNumbers((await queryTexts(client, text, parameters))[0]).slice(1) };
    }
  }
}

/**
 * Converts as the readers of features do: short floats by their text. Decimals beyond the range of doubles, which the
 * database refuses to convert, are infinite or zero.
 */
function writeNumber({ name, typeName }: CatalogColumn): string | undefined {
  const column = quoteName(name);
  switch (typeName) {
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float8':
      return `CAST(${column} AS double precision)`;
    case 'float4':
      return `CAST(CAST(${column} AS text) AS double precision)`;
    case 'numeric':
      return `CASE WHEN ${column} = 'NaN' OR abs(${column}) > 1.79e308 THEN NULL
        WHEN abs(${column}) < 3e-324 THEN 0 ELSE CAST(${column} AS double precision) END`;
    default:
      return undefined;
  }
}

async function queryTexts(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly (readonly (string | null)[])[]> {
  const { rows } = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
    ...oneStatement,
  });
  return rows;
}

/** Null, the result without values, is 0. */
function toNumbers(row: readonly (string | null)[] = []): readonly number[] {
  return row.map((each) => Number(each ?? 0));
}
