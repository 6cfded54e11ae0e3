/** What the database can tell of rows that fit a filter without giving them: how many there are, and where. */
import type { PoolClient } from 'pg';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import type { SqlFilter } from '../../filter/sql.ts';
import type { SqlView } from '../sql-view.ts';
import { isGeometryColumn } from './columns.ts';
import { boundsAround, shownColumns } from './describe.ts';
import { estimateRows } from './estimate.ts';
import { inQuery, oneStatement } from './query-table.ts';
import { type Place, tableNamed } from './read.ts';
import { conditionFor } from './sql-table.ts';
import type { Table } from './table.ts';

const everything: SqlFilter = { sql: 'TRUE', parameters: [], remainder: undefined };

/** Undefined where a part of the filter is for us to decide. */
export async function countRows(
  place: Place,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  return ask(place, named, filter, signal, async (client, table, { sql, parameters }) => {
    const { rows } = await client.query<{ count: string }>({
      text: `SELECT count(*) AS count FROM ${table.relation} WHERE ${sql}`,
      values: [...parameters],
      ...oneStatement,
    });
    return Number(rows[0]?.count ?? 0);
  });
}

export async function estimateCount(
  place: Place,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (typeof named !== 'string') return undefined;
  const table = await tableNamed(place, named, signal);
  if (filter === undefined || table.estimatedRows === undefined) return table.estimatedRows;
  const condition = conditionFor(table, filter);
  return condition.remainder === undefined ? estimateRows(place.connections, table, condition, signal) : undefined;
}

export async function boundsOfRows(
  place: Place,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<{ readonly bounds: Bounds | undefined } | undefined> {
  return ask(place, named, filter, signal, async (client, table, { sql, parameters }) => {
    const drawn = shownColumns(table, place.settings).find(isGeometryColumn);
    if (drawn === undefined) return { bounds: undefined };
    const { bounds } = await boundsAround(client, table, drawn, { sql, parameters });
    return { bounds };
  });
}

/** A query of a client runs in a transaction that is taken back. */
async function ask<T>(
  place: Place,
  named: string | SqlView,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
  work: (client: PoolClient, table: Table, condition: SqlFilter) => Promise<T>,
): Promise<T | undefined> {
  const decide = async (client: PoolClient, table: Table): Promise<T | undefined> => {
    const condition = filter === undefined ? everything : conditionFor(table, filter);
    return condition.remainder === undefined ? work(client, table, condition) : undefined;
  };
  if (typeof named !== 'string')
    return place.connections.ask(signal, (client) => inQuery(client, named, (table) => decide(client, table)));
  const table = await tableNamed(place, named, signal);
  return place.connections.ask(signal, (client) => decide(client, table));
}
