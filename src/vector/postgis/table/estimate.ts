/** Uses the planner of the database for estimates without reading rows. */

import { quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import { createLruCache, type LruCache } from '../../../lib/cache/lru-cache.ts';
import type { SourceQuery } from '../../port/port.ts';
import type { Connections } from '../connection/connections.ts';
import type { CatalogColumn } from './columns.ts';
import { oneStatement } from './query-table.ts';
import type { Table } from './table.ts';

/** Below this number any plan is fast, and all rows fit into the memory of the database. */
const FEW_ROWS = 10_000;

/** Matching rows can be clustered along the key, and not evenly spread as the estimate assumes. */
const CLUSTERING = 4;

/** A page up to this size is read at once; as text it is several times larger. */
const SHORT_BYTES = 262_144;

/** The overhead of a row. */
const ROW_BYTES = 64;

interface Page {
  readonly columns: readonly CatalogColumn[];
  readonly condition: SqlFilter | undefined;
  readonly query: Pick<SourceQuery, 'sort' | 'limit'>;
}

/** The strategy for reading a page. */
export interface PagePlan {
  /** Whether all matching rows are found first and then sorted. */
  readonly isFenced: boolean;
  /** Whether the matches are counted, because all are visited and they are few. */
  readonly isCounted: boolean;
  /** Present if the page is expected to fit into memory. */
  readonly short?: {
    /** Reports that it did not fit. */
    readonly wasLong: () => void;
  };
}

const defaultPlan: PagePlan = { isFenced: false, isCounted: false };

/**
 * For a page in key order the database often scans along the key, over `limit / fitting` of all rows; finding all
 * matches costs `fitting` rows.
 */
export async function planPage(
  connections: Connections,
  table: Table,
  { columns, condition, query }: Page,
  signal: AbortSignal,
): Promise<PagePlan> {
  const { sort, limit } = query;
  const { estimatedRows = 0, declared } = table;
  const isOpen = sort === undefined && limit !== undefined && condition !== undefined && condition.sql !== 'TRUE';
  if (!isOpen || declared !== undefined || estimatedRows < FEW_ROWS) return defaultPlan;
  const { expected, correct } = await estimateCached(connections, table, { columns, condition }, signal);
  const { rows: fitting, width } = expected;
  const isFenced = fitting < CLUSTERING * Math.sqrt(limit * estimatedRows);
  const isShort = limit * (width + ROW_BYTES) <= SHORT_BYTES;
  const wasLong = () => correct({ ...expected, width: Number.POSITIVE_INFINITY });
  return { isFenced, isCounted: isFenced && fitting < FEW_ROWS, ...(isShort ? { short: { wasLong } } : {}) };
}

/** In characters of conditions; longer conditions contain a shape that hardly repeats. */
const REMEMBERED_CHARACTERS = 262_144;

interface RowEstimate {
  readonly rows: number;
  /** The width of a row in bytes. */
  readonly width: number;
}

const estimateCaches = new WeakMap<Connections, LruCache<RowEstimate>>();

/**
 * Cached per condition and table analysis, because clients read page after page in one box. A slightly outdated plan
 * returns the same rows.
 */
async function estimateCached(
  connections: Connections,
  table: Table,
  {
    columns,
    condition,
  }: { readonly columns: readonly CatalogColumn[]; readonly condition: Pick<SqlFilter, 'sql' | 'parameters'> },
  signal: AbortSignal,
): Promise<{ readonly expected: RowEstimate; readonly correct: (better: RowEstimate) => void }> {
  const known = estimateCaches.get(connections) ?? createLruCache<RowEstimate>(REMEMBERED_CHARACTERS);
  estimateCaches.set(connections, known);
  const parameters = condition.parameters.map((each) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('base64') : String(each),
  );
  const names = columns.map(({ name }) => quoteName(name));
  const question = JSON.stringify([table.relation, table.estimatedRows, names, condition.sql, parameters]);
  const correct = (better: RowEstimate) => known.set(question, better, question.length);
  const expected = known.get(question) ?? (await explainRows(connections, table, { names, condition }, signal));
  correct(expected);
  return { expected, correct };
}

export async function estimateRows(
  connections: Connections,
  table: Table,
  condition: Pick<SqlFilter, 'sql' | 'parameters'>,
  signal: AbortSignal,
): Promise<number> {
  return (await explainRows(connections, table, { names: [], condition }, signal)).rows;
}

interface PlanNode {
  readonly 'Plan Rows': number;
  readonly 'Plan Width': number;
}

async function explainRows(
  connections: Connections,
  table: Table,
  {
    names,
    condition,
  }: { readonly names: readonly string[]; readonly condition: Pick<SqlFilter, 'sql' | 'parameters'> },
  signal: AbortSignal,
): Promise<RowEstimate> {
  const { rows } = await connections.withClient(signal, (client) =>
    client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>({
      text: `EXPLAIN (FORMAT JSON) SELECT ${names.join(', ') || 'NULL'} FROM ${table.relation} WHERE ${condition.sql}`,
      values: [...condition.parameters],
      ...oneStatement,
    }),
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return { rows: Number(plan?.['Plan Rows'] ?? 0), width: Number(plan?.['Plan Width'] ?? 0) };
}
