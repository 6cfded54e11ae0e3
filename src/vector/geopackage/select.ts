/** Runs a feature query on a GeoPackage table; the parts that SQLite does not support run in the same thread. */
import type { DatabaseSync } from 'node:sqlite';
import type { Bounds } from '../../crs/bounds.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import type { SqlParameter } from '../../filter/sql/sql.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, SortKey, SourceQuery, ValueType } from '../port/port.ts';
import { finishSelection } from '../query/finish-selection.ts';
import { isGeometry } from '../support/match-columns.ts';
import { countAllRows, type RowSelection, readRows, toBoundValue } from './read.ts';
import { writeTableCondition } from './sql-table.ts';
import type { Table } from './table.ts';

/** Executes the whole query. */
export function selectRows(
  database: DatabaseSync,
  table: Table,
  query: SourceQuery,
  signal: AbortSignal,
): AsyncIterable<readonly Feature[]> {
  const plan = createPlan(table, query);
  const { filter, sort } = plan.remainder;
  const needed = query.attributes && [
    ...query.attributes,
    ...(filter === undefined ? [] : listFilterAttributes(filter)),
    ...(sort ?? []).map(({ attribute }) => attribute),
  ];
  const batches = readRows(database, table, plan.selected, { needed, signal });
  return finishSelection({ batches, remainder: plan.remainder }, { attributes: table.columns, signal });
}

export async function countRows(
  database: DatabaseSync,
  table: Table,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<number> {
  const query = filter === undefined ? {} : { filter };
  const { selected, remainder } = createPlan(table, query);
  if (remainder.filter === undefined) {
    if (table.isView) return countAllRows(database, table, signal);
    const { sql, parameters } = selected.condition;
    const statement = database.prepare(`SELECT count(*) AS count FROM ${quoteName(table.name)} WHERE ${sql}`);
    return Number(statement.get(...parameters.map(toBoundValue))?.['count']);
  }
  let count = 0;
  for await (const batch of selectRows(database, table, { ...query, attributes: [] }, signal)) count += batch.length;
  return count;
}

export async function computeRowBounds(
  database: DatabaseSync,
  table: Table,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<{ readonly bounds: Bounds | undefined }> {
  const { geometry } = table;
  if (geometry === undefined) return { bounds: undefined };
  const at = table.columns.findIndex(({ name }) => name === geometry.name);
  const query = { attributes: [geometry.name], ...(filter === undefined ? {} : { filter }) };
  let bounds: Bounds | undefined;
  for await (const batch of selectRows(database, table, query, signal)) {
    for (const { values } of batch) {
      const value = values[at] ?? null;
      if (isGeometry(value)) bounds = mergeBounds(bounds, computeGeometryBounds(value));
    }
  }
  return { bounds };
}

interface Plan {
  readonly selected: RowSelection;
  readonly remainder: SourceQuery;
}

/**
 * Rows of a view are identified by their position, so all must be read; SQLite sorts the types whose order it shares.
 */
function createPlan(table: Table, { filter, sort = [], start, offset, limit }: SourceQuery): Plan {
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const isPaged = start !== undefined || offset !== undefined || limit !== undefined;
  const condition = filter === undefined || table.key === undefined ? everything : writeTableCondition(table, filter);
  const rest = table.key === undefined ? filter : condition.remainder;
  const isSorted = table.key !== undefined && sort.every((key) => isOrdered(table, key));
  if (table.key === undefined || !isSorted) {
    if (start !== undefined) throw problem('page-key-invalid', {});
    const remainder = {
      ...(rest === undefined ? {} : { filter: rest }),
      ...(sort.length === 0 ? {} : { sort }),
      ...cut,
    };
    return { selected: { condition, order: [], sorts: [], cut: {}, isPaged: false }, remainder };
  }
  const isBackwards = start?.side === 'before';
  const terms = [
    ...sort.map(({ attribute, isDescending = false }) => ({
      name: attribute,
      isDescending: isDescending !== isBackwards,
    })),
    { name: table.key, isDescending: isBackwards },
  ];
  const startCondition =
    start === undefined ? undefined : writeAfterCondition(terms, parsePageKey(start.key), condition.parameters.length);
  return {
    selected: {
      condition: startCondition === undefined ? condition : joinConditions(condition, startCondition),
      order: isPaged || sort.length > 0 ? terms : [],
      sorts: sort.map(({ attribute }) => attribute),
      cut: rest === undefined ? cut : {},
      isPaged,
    },
    remainder: rest === undefined ? {} : { filter: rest, ...cut },
  };
}

const everything = { sql: 'TRUE', parameters: [], remainder: undefined } as const;

type Condition = RowSelection['condition'];

function joinConditions(one: Condition, other: Condition): Condition {
  return { sql: `${one.sql} AND ${other.sql}`, parameters: [...one.parameters, ...other.parameters] };
}

/** Times are texts of varying length, which sort differently. */
const orderedTypes: ReadonlySet<ValueType> = new Set([
  ...(['string', 'boolean', 'short', 'integer', 'long', 'float', 'double', 'uuid'] as const),
]);

function isOrdered({ columns }: Table, { attribute }: SortKey): boolean {
  const column = columns.find(({ name }) => name === attribute);
  return column?.kind === 'value' && orderedTypes.has(column.type);
}

/** Selects the rows after a key: greater in the first term that differs, with null as the smallest value. */
function writeAfterCondition(
  terms: RowSelection['order'],
  values: readonly (SqlParameter | null)[],
  used: number,
): Condition {
  if (values.length !== terms.length) throw problem('page-key-invalid', {});
  const parameters: SqlParameter[] = [];
  const alternatives: string[] = [];
  const equal: string[] = [];
  for (const [index, { name, isDescending }] of terms.entries()) {
    const value = values[index] ?? null;
    const column = quoteName(name);
    if (value === null) {
      if (!isDescending) alternatives.push([...equal, `${column} IS NOT NULL`].join(' AND '));
      equal.push(`${column} IS NULL`);
      continue;
    }
    parameters.push(value);
    const given = `?${used + parameters.length}`;
    const beyond = isDescending
      ? `(${column} COLLATE BINARY < ${given} OR ${column} IS NULL)`
      : `${column} COLLATE BINARY > ${given}`;
    alternatives.push([...equal, beyond].join(' AND '));
    equal.push(`${column} COLLATE BINARY = ${given}`);
  }
  return { sql: `(${alternatives.join(' OR ')})`, parameters };
}

function parsePageKey(key: string): readonly (SqlParameter | null)[] {
  try {
    const parsed: unknown = JSON.parse(key);
    if (Array.isArray(parsed)) return parsed.map(parsePageValue);
  } catch {
    // It is none of ours.
  }
  throw problem('page-key-invalid', {});
}

function parsePageValue(part: unknown): SqlParameter | null {
  if (part === null || typeof part === 'string' || typeof part === 'number') return part;
  const [text] = Array.isArray(part) ? part : [];
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) throw problem('page-key-invalid', {});
  return BigInt.asIntN(64, BigInt(text));
}
