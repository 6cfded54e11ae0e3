/** What the planner of the database expects, at the price of a plan and without looking at a row. */
import type { SqlFilter } from '../../filter/sql.ts';
import type { SourceQuery } from '../port.ts';
import type { Connections } from './connections.ts';
import { oneStatement } from './query-table.ts';
import type { Table } from './table.ts';

/** Below that, any plan is quick, and all rows fit into the memory of the database. */
const FEW_ROWS = 10_000;

/** Rows that fit may lie anywhere along the key, and not spread evenly as the comparison below takes them to be. */
const CLUSTERING = 4;

interface Page {
  readonly condition: SqlFilter | undefined;
  readonly query: Pick<SourceQuery, 'sort' | 'limit'>;
}

/** How a page is best read. */
export interface PagePlan {
  /** Whether the rows that fit are all found first, and then sorted. */
  readonly isFenced: boolean;
  /** Whether they are counted on the way, since they are all looked at and are not many. */
  readonly isCounted: boolean;
}

const asItComes: PagePlan = { isFenced: false, isCounted: false };

/**
 * Where a page in the order of the key is wanted, the database would often walk along the key, over `limit / fitting` of
 * all rows; finding all that fit costs `fitting` rows.
 */
export async function planPage(
  connections: Connections,
  table: Table,
  { condition, query }: Page,
  signal: AbortSignal,
): Promise<PagePlan> {
  const { sort, limit } = query;
  const { estimatedRows = 0, declared } = table;
  const isOpen = sort === undefined && limit !== undefined && condition !== undefined && condition.sql !== 'TRUE';
  if (!isOpen || declared !== undefined || estimatedRows < FEW_ROWS) return asItComes;
  const fitting = await estimateRows(connections, table, condition, signal);
  const isFenced = fitting < CLUSTERING * Math.sqrt(limit * estimatedRows);
  return { isFenced, isCounted: isFenced && fitting < FEW_ROWS };
}

export async function estimateRows(
  connections: Connections,
  table: Table,
  condition: Pick<SqlFilter, 'sql' | 'parameters'>,
  signal: AbortSignal,
): Promise<number> {
  const { rows } = await connections.ask(signal, (client) =>
    client.query<{ 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[] }>({
      text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table.relation} WHERE ${condition.sql}`,
      values: [...condition.parameters],
      ...oneStatement,
    }),
  );
  return Number(rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0);
}
