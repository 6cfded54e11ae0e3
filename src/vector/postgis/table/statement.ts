/** Writes the statement of a feature query: only the requested columns, in an order that supports paging. */

import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter, SqlParameter } from '../../../filter/sql/sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { SortKey, SourceQuery } from '../../port/port.ts';
import { type CatalogColumn, isGeometryColumn } from './columns.ts';
import { listKeyColumns, type Table } from './table.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The number of leading key columns, and of sort columns after them. */
  readonly keys: number;
  readonly sorts: number;
}

export interface StatementParts {
  /** The requested columns, after the key. */
  readonly columns: readonly CatalogColumn[];
  readonly condition: SqlFilter | undefined;
  readonly query: Pick<SourceQuery, 'sort' | 'start' | 'offset' | 'limit'>;
  /** Whether rows are ordered by the key if there is no other sort. */
  readonly isOrdered: boolean;
  /** Whether all matches are found first; otherwise the database could scan all rows in key order. */
  readonly isFenced: boolean;
  /** Whether the matches are counted in an additional column. */
  readonly isCounted: boolean;
  /** Whether the key of a row is not needed. */
  readonly isWithoutKeys?: boolean;
  /** The simplification tolerance in CRS units; defaults to none. */
  readonly tolerance?: number;
}

export function writeStatement(table: Table, parts: StatementParts): Statement {
  const { columns, condition, query, isOrdered, isFenced, isCounted, isWithoutKeys = false, tolerance } = parts;
  const keys = listKeyColumns(table);
  const shownKeys = isWithoutKeys ? [] : keys;
  const isBackwards = query.start?.side === 'before';
  const sorts = (query.sort ?? []).map((key) => createOrderTerm(table, key, isBackwards));
  const values = [...(condition?.parameters ?? [])];
  const started =
    query.start === undefined
      ? undefined
      : writeAfterCondition({ sorts, keys, isBackwards }, parsePageKey(query.start.key), values);
  const conditions = [condition?.sql, started].filter((each) => each !== undefined);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = [
    ...sorts.map(({ sql, isDescending }) => `${sql} ${isDescending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`),
    ...(isOrdered || sorts.length > 0
      ? keys.map(({ name }) => `${quoteName(name)} ${isBackwards ? 'DESC' : 'ASC'}`)
      : []),
  ];
  const selected = [
    ...shownKeys.map(({ name }) => quoteName(name)),
    ...sorts.map(({ column }) => quoteName(column.name)),
    ...columns.map((column) =>
      isGeometryColumn(column)
        ? `${qualifyName(column.typeSchema, 'st_asbinary')}(${writeSimplified(column, tolerance)})`
        : quoteName(column.name),
    ),
    ...(isCounted ? ['pg_catalog.count(*) OVER ()'] : []),
  ];
  const from = isFenced ? `(SELECT * FROM ${table.relation}${where} OFFSET 0) AS found` : `${table.relation}${where}`;
  const text = [
    // A table without columns still has rows.
    `SELECT ${selected.length === 0 ? 'NULL' : selected.join(', ')} FROM ${from}`,
    order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`,
    query.limit === undefined || query.limit >= Number.MAX_SAFE_INTEGER ? '' : ` LIMIT ${Math.trunc(query.limit)}`,
    query.offset === undefined ? '' : ` OFFSET ${Math.trunc(query.offset)}`,
  ].join('');
  return { text, values, keys: shownKeys.length, sorts: sorts.length };
}

/** Geometries with fewer positions are sent unchanged, because simplifying them takes longer than sending. */
const FEW_POSITIONS = 256;

/** The geography type has no such function. */
function writeSimplified({ name, typeName, typeSchema }: CatalogColumn, tolerance: number | undefined): string {
  const column = quoteName(name);
  if (tolerance === undefined || !(tolerance > 0 && Number.isFinite(tolerance)) || typeName !== 'geometry')
    return column;
  const [count, simplify] = [qualifyName(typeSchema, 'st_npoints'), qualifyName(typeSchema, 'st_simplify')];
  // Collapsed shapes are kept.
  return `CASE WHEN ${count}(${column}) > ${FEW_POSITIONS} THEN ${simplify}(${column}, ${tolerance}, true) ELSE ${column} END`;
}

interface OrderTerm {
  readonly column: CatalogColumn;
  /** The expression that rows are compared by. */
  readonly sql: string;
  /** The type to which a value is cast for the comparison. */
  readonly type: string;
  readonly isDescending: boolean;
}

/** Types whose database order equals the order of their values; all others are compared as text. */
const ordered: ReadonlySet<string> = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'numeric'],
  ...['date', 'time', 'timestamp', 'timestamptz', 'uuid'],
]);

function createOrderTerm(table: Table, { attribute, isDescending = false }: SortKey, isBackwards: boolean): OrderTerm {
  const column = table.columns.find(({ name }) => name === attribute);
  if (column === undefined) throw problem('attribute-unknown', { attribute, name: table.name });
  const isOrdered = ordered.has(column.typeName);
  return {
    column,
    sql: isOrdered ? quoteName(column.name) : `${quoteName(column.name)}::text COLLATE "C"`,
    type: isOrdered ? qualifyName(column.typeSchema, column.typeName) : 'text',
    isDescending: isDescending !== isBackwards,
  };
}

/** Formats a page key from the sort values and the row key, as the database writes them. */
export function formatPageKey(row: readonly (string | null)[], { keys, sorts }: Statement): string {
  const [first] = row;
  // Nearly all keys are a single number.
  if (keys === 1 && sorts === 0 && typeof first === 'string' && /^\d+$/.test(first)) return `["${first}"]`;
  return JSON.stringify([...row.slice(keys, keys + sorts), ...row.slice(0, keys)]);
}

function parsePageKey(key: string): readonly (string | null)[] {
  const values: unknown = attempt(() => JSON.parse(key));
  const isPageKey = Array.isArray(values) && values.every((each) => each === null || typeof each === 'string');
  if (!isPageKey) throw problem('page-key-invalid', {});
  return values;
}

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Selects the rows after a key: greater in the first term that differs. */
function writeAfterCondition(
  {
    sorts,
    keys,
    isBackwards,
  }: { readonly sorts: readonly OrderTerm[]; readonly keys: readonly CatalogColumn[]; readonly isBackwards: boolean },
  page: readonly (string | null)[],
  parameters: SqlParameter[],
): string {
  if (keys.length === 0 || page.length !== sorts.length + keys.length) throw problem('page-key-invalid', {});
  const addParameter = (text: string | null | undefined, type: string): string => {
    if (text === null || text === undefined) throw problem('page-key-invalid', {});
    parameters.push(text);
    return `$${parameters.length}::${type}`;
  };
  const alternatives: string[] = [];
  const equal: string[] = [];
  for (const [index, { sql, type, isDescending }] of sorts.entries()) {
    const text = page[index] ?? null;
    if (text === null) {
      if (!isDescending) alternatives.push([...equal, `${sql} IS NOT NULL`].join(' AND '));
      equal.push(`${sql} IS NULL`);
      continue;
    }
    const value = addParameter(text, type);
    const beyond = isDescending ? `(${sql} < ${value} OR ${sql} IS NULL)` : `${sql} > ${value}`;
    alternatives.push([...equal, beyond].join(' AND '));
    equal.push(`${sql} = ${value}`);
  }
  const own = keys.map(({ name }) => quoteName(name)).join(', ');
  const given = keys.map((key, index) =>
    addParameter(page[sorts.length + index], qualifyName(key.typeSchema, key.typeName)),
  );
  const later = `(${own}) ${isBackwards ? '<' : '>'} (${given.join(', ')})`;
  return `(${[...alternatives, [...equal, later].join(' AND ')].join(' OR ')})`;
}
