/** Groups rows into features, in the order of the first row of each. */

import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { RowAccess } from '../../../filter/predicate/predicate.ts';
import type { MatchRows } from '../../../filter/run/filter-runner.ts';
import { createFeatureAccess } from '../../support/filter-features.ts';
import type { RowGroup } from './build-feature.ts';
import type { SourceRow } from './compile-expression.ts';
import { createTooManyRowsError, MAX_ROWS } from './size-limits.ts';
import type { RowQuery, SourceTable } from './source-tables.ts';
import { formatTypeName, type TypePlan } from './type-plan.ts';

/**
 * The number of ids that are remembered to detect scattered rows, which bounds memory. Beyond it only adjacent rows
 * are grouped.
 */
const MAX_COMPARED_IDS = 100_000;

export async function* readRowGroups(plan: TypePlan, table: SourceTable, query: RowQuery): AsyncGenerator<RowGroup> {
  if (!plan.isGrouped || plan.idExpression === undefined) {
    for await (const batch of table.readRows(query))
      for (const row of batch) yield { id: plan.getId(row), rows: [row] };
    return;
  }
  const scattered = await findScatteredIds(plan, table);
  const given = new Set<string>();
  let together: SourceRow[] = [];
  let id = '';
  for await (const batch of table.readRows({})) {
    const wanted = new Set(batch.map(plan.getId).filter((each) => scattered.has(each) && !given.has(each)));
    const gathered = await collectRowsById(plan, table, wanted);
    for (const row of batch) {
      const own = plan.getId(row);
      if (together.length > 0 && own !== id) {
        yield { id, rows: together };
        together = [];
      }
      id = own;
      if (!scattered.has(own)) {
        addRow(plan, own, together, row);
      } else if (!given.has(own)) {
        given.add(own);
        yield { id: own, rows: gathered.get(own) ?? [row] };
      }
    }
  }
  if (together.length > 0) yield { id, rows: together };
}

/** Reads all rows of the features with these ids, in the order of their first rows. */
export async function* readGroupsById(
  plan: TypePlan,
  table: SourceTable,
  ids: readonly string[],
): AsyncGenerator<RowGroup> {
  const wanted = new Set(ids);
  if (plan.isGrouped) {
    for (const [id, rows] of await collectRowsById(plan, table, wanted)) yield { id, rows };
    return;
  }
  const expression = plan.idExpression ?? { kind: 'function', name: 'getId', arguments: [] };
  for await (const { row } of table.findRowsWithValues([expression], wanted))
    yield { id: plan.getId(row), rows: [row] };
}

/** The maximum number of rows in memory for features with scattered rows. */
const MAX_COLLECTED_ROWS = 10 * MAX_ROWS;

/** The maximum number of features that are found by a condition and then read with all their rows. */
const MAX_CANDIDATES = 10_000;

const GROUPS_PER_BATCH = 64;

/** Reads features whose first rows match; limited to the given ids, if any. */
export async function* readMatchingGroups(
  plan: TypePlan,
  table: SourceTable,
  filter: ResolvedFilter,
  { ids, match }: { readonly ids: readonly string[] | undefined; readonly match: MatchRows<RowGroup> },
): AsyncGenerator<RowGroup> {
  const wanted = ids ?? (table.filters ? await findCandidateIds(plan, table, filter) : undefined);
  const groups = wanted === undefined ? readRowGroups(plan, table, {}) : readGroupsById(plan, table, wanted);
  let waiting: RowGroup[] = [];
  for await (const group of groups) {
    if (group.rows[0] === undefined) continue;
    waiting.push(group);
    if (waiting.length < GROUPS_PER_BATCH) continue;
    const full = waiting;
    waiting = [];
    yield* await match(full);
  }
  yield* await match(waiting);
}

/** The first row of a feature decides. */
export function createGroupAccess({ attributes }: TypePlan): RowAccess<RowGroup> {
  const { value } = createFeatureAccess(attributes.map(({ name }) => name));
  return {
    value: ({ rows: [first] }, name) => (first === undefined ? undefined : value(first, name)),
    identifier: ({ rows: [first] }) => first?.id,
  };
}

/** Returns undefined if there are so many that a full scan is as good. */
async function findCandidateIds(
  plan: TypePlan,
  table: SourceTable,
  filter: ResolvedFilter,
): Promise<readonly string[] | undefined> {
  const ids = new Set<string>();
  for await (const batch of table.readRows({ filter })) {
    for (const row of batch) ids.add(plan.getId(row));
    if (ids.size > MAX_CANDIDATES) return undefined;
  }
  return [...ids];
}

async function collectRowsById(
  plan: TypePlan,
  table: SourceTable,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly SourceRow[]>> {
  const found = new Map<string, SourceRow[]>();
  let total = 0;
  if (ids.size === 0 || plan.idExpression === undefined) return found;
  for await (const { row } of table.findRowsWithValues([plan.idExpression], ids)) {
    const id = plan.getId(row);
    const rows = found.get(id) ?? [];
    found.set(id, rows);
    addRow(plan, id, rows, row);
    total += 1;
    if (total > MAX_COLLECTED_ROWS) throw createTooManyRowsError(formatTypeName(plan), id);
  }
  return found;
}

function addRow(plan: TypePlan, id: string, rows: SourceRow[], row: SourceRow): void {
  if (rows.length >= MAX_ROWS) throw createTooManyRowsError(formatTypeName(plan), id);
  rows.push(row);
}

/** Finds the ids of features whose rows are not adjacent. */
async function findScatteredIds(plan: TypePlan, table: SourceTable): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const scattered = new Set<string>();
  let last: string | undefined;
  for await (const batch of table.readRows({})) {
    for (const row of batch) {
      const id = plan.getId(row);
      if (id === last) continue;
      last = id;
      if (seen.has(id)) scattered.add(id);
      seen.add(id);
    }
    if (seen.size > MAX_COMPARED_IDS) break;
  }
  return scattered;
}
