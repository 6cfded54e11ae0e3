/** What the planner of the database expects, at the price of a plan and without looking at a row. */
import { createRecentlyUsed, type RecentlyUsed } from '../../../lib/recently-used.ts';
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
  const fitting = await rememberedRows(connections, table, condition, signal);
  const isFenced = fitting < CLUSTERING * Math.sqrt(limit * estimatedRows);
  return { isFenced, isCounted: isFenced && fitting < FEW_ROWS };
}

/** In characters of conditions; what is longer is a shape that hardly comes again. */
const REMEMBERED_CHARACTERS = 262_144;

const remembered = new WeakMap<Connections, RecentlyUsed<number>>();

/**
 * The same, asked once for each condition and analysis of the table: clients ask for page after page in one box. A plan that
 * is a little behind the data gives the same rows.
 */
async function rememberedRows(
  connections: Connections,
  table: Table,
  condition: Pick<SqlFilter, 'sql' | 'parameters'>,
  signal: AbortSignal,
): Promise<number> {
  const known = remembered.get(connections) ?? createRecentlyUsed<number>(REMEMBERED_CHARACTERS);
  remembered.set(connections, known);
  const parameters = condition.parameters.map((each) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('base64') : String(each),
  );
  const question = JSON.stringify([table.relation, table.estimatedRows, condition.sql, parameters]);
  const answer = known.get(question) ?? (await estimateRows(connections, table, condition, signal));
  known.set(question, answer, question.length);
  return answer;
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
