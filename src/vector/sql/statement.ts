/** Writes the statement of a feature query: only the requested columns, in an order that supports paging. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { type SqlFilter, type SqlParameter, writeSqlFilter } from '../../filter/sql/sql.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { SortKey, SourceQuery } from '../port/port.ts';
import type { DatabaseDialect } from './dialect.ts';
import { parsePageKey } from './page-key.ts';
import { type ColumnOrder, listKeyColumns, type Table, type TableColumn } from './table.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The leading columns of a row: the key, and the sorted columns after it. */
  readonly keys: readonly TableColumn[];
  readonly sorts: readonly TableColumn[];
}

export interface StatementParts {
  /** The requested columns, after the key and the sorted columns. */
  readonly columns: readonly TableColumn[];
  readonly condition: SqlFilter | undefined;
  readonly query: Pick<SourceQuery, 'sort' | 'start' | 'offset' | 'limit'>;
  readonly isLocked?: true;
}

/** Rows are always in the order of the key: the order of an index would differ between boxes. */
export function writeStatement(dialect: DatabaseDialect, table: Table, parts: StatementParts): Statement {
  const { columns, condition, query, isLocked = false } = parts;
  const keys = listKeyColumns(table);
  const isBackwards = query.start?.side === 'before';
  const sorts = (query.sort ?? []).map((key) => findSortedColumn(table, key));
  const terms: readonly OrderTerm[] = [
    ...sorts.map((column, index) => ({
      order: column.order,
      isDescending: (query.sort?.[index]?.isDescending ?? false) !== isBackwards,
    })),
    ...keys.map(({ keyOrder }) => ({ order: keyOrder, isDescending: isBackwards })),
  ];
  const values = [...(condition?.parameters ?? [])];
  const started = query.start && writeAfterCondition(terms, keys.length, parsePageKey(query.start.key), values);
  const conditions = [condition?.sql, started].filter((each) => each !== undefined);
  const selected = [...keys, ...sorts, ...columns].map(({ selected }) => selected);
  const text = [
    // A table without visible columns still has rows.
    `SELECT ${selected.length === 0 ? '1' : selected.join(', ')} FROM ${table.relation}`,
    conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`,
    terms.length === 0
      ? ''
      : ` ORDER BY ${terms.map(({ order, isDescending }) => dialect.writeOrder(order.sql, isDescending)).join(', ')}`,
    dialect.writeLimit(query),
    isLocked ? dialect.forUpdate : '',
  ].join('');
  return { text, values, keys, sorts };
}

interface OrderTerm {
  readonly order: ColumnOrder;
  readonly isDescending: boolean;
}

function findSortedColumn(table: Table, { attribute }: SortKey): TableColumn {
  const column = table.columns.find(({ name }) => name === attribute);
  if (column === undefined) throw problem('attribute-unknown', { attribute, name: table.name });
  return column;
}

/** Selects the rows after a key: greater in the first term that differs, with null as the least value. */
function writeAfterCondition(
  terms: readonly OrderTerm[],
  keyCount: number,
  page: readonly (string | null)[],
  parameters: SqlParameter[],
): string {
  if (keyCount === 0 || page.length !== terms.length) throw problem('page-key-invalid', {});
  const alternatives: string[] = [];
  for (const [index, { order, isDescending }] of terms.entries()) {
    const text = page[index] ?? null;
    if (text === null && (index >= terms.length - keyCount || isDescending)) {
      if (index >= terms.length - keyCount) throw problem('page-key-invalid', {});
      continue;
    }
    // Placeholders have no numbers: each alternative binds the values that it repeats.
    const equal = terms.slice(0, index).map((each, place) => writeEqual(each.order, page[place] ?? null, parameters));
    const beyond = text === null ? `${order.sql} IS NOT NULL` : writeBeyond(order, text, isDescending, parameters);
    alternatives.push([...equal, beyond].join(' AND '));
  }
  return `(${alternatives.join(' OR ')})`;
}

function writeEqual(order: ColumnOrder, text: string | null, parameters: SqlParameter[]): string {
  return text === null ? `${order.sql} IS NULL` : `${order.sql} = ${bind(order, text, parameters)}`;
}

function writeBeyond(order: ColumnOrder, text: string, isDescending: boolean, parameters: SqlParameter[]): string {
  const value = bind(order, text, parameters);
  return isDescending ? `(${order.sql} < ${value} OR ${order.sql} IS NULL)` : `${order.sql} > ${value}`;
}

function bind(order: ColumnOrder, text: string, parameters: SqlParameter[]): string {
  const bound = order.bindKey(text);
  if (bound === undefined) throw problem('page-key-invalid', {});
  parameters.push(bound.value);
  return bound.sql;
}

export function writeTableCondition(dialect: DatabaseDialect, table: Table, filter: ResolvedFilter): SqlFilter {
  const keys = listKeyColumns(table);
  const isIdentified = keys.length > 0 && keys.every(({ isIdentifying }) => isIdentifying);
  return writeSqlFilter(filter, dialect.filters, {
    columns: new Map(table.columns.map(({ name, filtered }) => [name, filtered])),
    ...(isIdentified
      ? { identifiers: { prefix: `${table.name}.`, columns: keys.map(({ filtered }) => filtered) } }
      : {}),
  });
}
