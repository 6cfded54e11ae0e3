/** Virtual tables: queries in the metadata of a feature type that act as a table of its database. */
import { geometryTypes } from '../../geometry/geometry.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { findMemberText, listMembersNamed, type ValueTree } from '../../lib/values/value-tree.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';
import { type DeclaredGeometry, type SqlView, validateQuery } from '../../vector/port/sql-view.ts';
import type { Metadata } from '../kinds/resource.ts';
import {
  createVirtualTableProblem,
  expandParameters,
  MAX_SQL_LENGTH,
  readTableParameter,
  VIRTUAL_TABLE_KEY,
} from './virtual-table-parameters.ts';

/** Limits the cost of their validators. */
const MAX_PARAMETERS = 100;
const MAX_SRID = 1_000_000_000;

/** Metadata is immutable, and a change of a type reads its query repeatedly. */
const sqlViewCache = new WeakMap<Metadata, SqlView>();

/** Returns the query in the metadata of a type, with default parameters; undefined without a virtual table. */
export function findSqlView(metadata: Metadata): SqlView | undefined {
  const entry = metadata[VIRTUAL_TABLE_KEY];
  if (entry === undefined) {
    return undefined;
  }
  const view = sqlViewCache.get(metadata) ?? readSqlView(entry, new Map());
  sqlViewCache.set(metadata, view);
  return view;
}

/** Returns the query with values for some parameters, by names in lower case; throws a problem for invalid values. */
export function findSqlViewWithValues(metadata: Metadata, values: ReadonlyMap<string, string>): SqlView | undefined {
  const entry = metadata[VIRTUAL_TABLE_KEY];
  return entry === undefined ? undefined : readSqlView(entry, values);
}

function readSqlView(entry: ValueTree, values: ReadonlyMap<string, string>): SqlView {
  const [table, ...others] = listMembersNamed(entry, 'virtualTable');
  if (table === undefined || others.length > 0) {
    throw createVirtualTableProblem("one 'virtualTable' with a name and a sql was expected");
  }
  const name = findMemberText(table, 'name');
  const written = findMemberText(table, 'sql')?.replace(/[;\s]+$/, '');
  if (name === undefined || written === undefined || written === '') {
    throw createVirtualTableProblem(`it has no ${name === undefined ? 'name' : 'sql'}`);
  }
  if (written.length > MAX_SQL_LENGTH) {
    throw createVirtualTableProblem(`its sql exceeds ${MAX_SQL_LENGTH} characters`);
  }
  const declared = listMembersNamed(table, 'parameter');
  if (declared.length > MAX_PARAMETERS) {
    throw createVirtualTableProblem(`it has more than ${MAX_PARAMETERS} parameters`);
  }
  const parameters = declared.map((tree) => readTableParameter(tree, values));
  const sql = expandParameters(written, parameters, readFlag(table, 'escapeSql'));
  const objection = validateQuery(written) ?? validateQuery(sql);
  if (objection !== undefined) {
    throw createVirtualTableProblem(objection);
  }
  return {
    name,
    sql,
    keyColumns: listMembersNamed(table, 'keyColumn').map((column) => (typeof column === 'string' ? column.trim() : '')),
    geometries: listMembersNamed(table, 'geometry').map(readGeometry),
  };
}

export function hasVirtualTable({ metadata }: { readonly metadata: Metadata }): boolean {
  return metadata[VIRTUAL_TABLE_KEY] !== undefined;
}

function readGeometry(tree: ValueTree): DeclaredGeometry {
  const name = findMemberText(tree, 'name');
  if (name === undefined) {
    throw createVirtualTableProblem('one of its geometries has no name');
  }
  const named = findMemberText(tree, 'type');
  const type = geometryTypes.find((each) => each.toLowerCase() === named?.split('.').at(-1)?.toLowerCase());
  if (named !== undefined && type === undefined) {
    throw createVirtualTableProblem(`unknown geometry type '${excerpt(named)}'. Use ${geometryTypes.join(', ')}`);
  }
  const srid = findMemberText(tree, 'srid');
  const number = srid === undefined ? 0 : parseWholeNumber(srid);
  if (!(Math.abs(number) < MAX_SRID)) {
    throw createVirtualTableProblem(`the srid '${excerpt(srid ?? '')}' is not a whole number`);
  }
  // An srid below 1 means unknown.
  return { name, ...(type === undefined ? {} : { type }), ...(number > 0 ? { srid: number } : {}) };
}

function readFlag(tree: ValueTree, name: string): boolean {
  const text = findMemberText(tree, name);
  const flag = text === undefined ? false : parseFlag(text);
  if (flag === undefined) {
    throw createVirtualTableProblem(`${name} must be true or false`);
  }
  return flag;
}
