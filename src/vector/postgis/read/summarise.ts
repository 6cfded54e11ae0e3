/** Computes the count and bounds of matching rows in the database. */
import type { PoolClient } from 'pg';
import type { Bounds } from '../../../crs/bounds.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import type { SqlView } from '../../port/sql-view.ts';
import { isGeometryColumn } from '../table/columns.ts';
import { computeConditionExtent, listVisibleColumns } from '../table/describe.ts';
import { estimateRows } from '../table/estimate.ts';
import { oneStatement, withQueryTable } from '../table/query-table.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import type { Table } from '../table/table.ts';
import { getTable, type PostgisContext } from './read.ts';

const everything: SqlFilter = { sql: 'TRUE', parameters: [], remainder: undefined };

/** Returns undefined if a part of the filter must be evaluated in memory. */
export async function countRows(
  place: PostgisContext,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  return summarizeRows(place, { named, filter }, signal, async (client, table, { sql, parameters }) => {
    const { rows } = await client.query<{ count: string }>({
      text: `SELECT count(*) AS count FROM ${table.relation} WHERE ${sql}`,
      values: [...parameters],
      ...oneStatement,
    });
    return Number(rows[0]?.count ?? 0);
  });
}

export async function estimateCount(
  place: PostgisContext,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (typeof named !== 'string') return undefined;
  const table = await getTable(place, named, signal);
  if (filter === undefined || table.estimatedRows === undefined) return table.estimatedRows;
  const condition = writeTableCondition(table, filter);
  return condition.remainder === undefined ? estimateRows(place.connections, table, condition, signal) : undefined;
}

export async function computeRowBounds(
  place: PostgisContext,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<{ readonly bounds: Bounds | undefined } | undefined> {
  return summarizeRows(place, { named, filter }, signal, async (client, table, { sql, parameters }) => {
    const drawn = listVisibleColumns(table, place.settings).find(isGeometryColumn);
    if (drawn === undefined) return { bounds: undefined };
    const { bounds } = await computeConditionExtent(client, table, drawn, { sql, parameters });
    return { bounds };
  });
}

/** An SQL view runs in a transaction that is rolled back. */
export async function summarizeRows<T>(
  place: PostgisContext,
  { named, filter }: { readonly named: string | SqlView; readonly filter: ResolvedFilter | undefined },
  signal: AbortSignal,
  work: (client: PoolClient, table: Table, condition: SqlFilter) => Promise<T>,
): Promise<T | undefined> {
  const runIfExact = async (client: PoolClient, table: Table): Promise<T | undefined> => {
    const condition = filter === undefined ? everything : writeTableCondition(table, filter);
    return condition.remainder === undefined ? work(client, table, condition) : undefined;
  };
  if (typeof named !== 'string')
    return place.connections.withClient(signal, (client) =>
      withQueryTable(client, named, (table) => runIfExact(client, table)),
    );
  const table = await getTable(place, named, signal);
  return place.connections.withClient(signal, (client) => runIfExact(client, table));
}
