/** Writes filters as SQL conditions that are safe for untrusted files. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import {
  type SqlColumn,
  type SqlDialect,
  type SqlFilter,
  sqliteDialect,
  writeSqlFilter,
} from '../../filter/sql/sql.ts';
import type { ValueType } from '../port/port.ts';
import type { Table } from './table.ts';

/** Times are texts of varying length and are evaluated in memory. For geometries the index preselects rows. */
const storages: Readonly<Partial<Record<ValueType, SqlColumn['storage']>>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'integer',
  integer: 'integer',
  long: 'integer',
  double: 'double',
};

/** No functions, and no tables but the table and its index, because views in the file could replace others. */
const dialect: SqlDialect = {
  ...sqliteDialect,
  writeArithmetic: () => undefined,
  writeLike: () => undefined,
  writeMembership: (column, list) => {
    const constants = list.map((each) => sqliteDialect.writeConstant(each, column.storage));
    if (!constants.every((each) => each !== undefined)) return undefined;
    const collation = column.storage === 'text' ? ' COLLATE BINARY' : '';
    const values = constants.flatMap((each, index) => (index === 0 ? each : [', ', ...each]));
    return [`${quoteName(column.name)}${collation} IN (`, ...values, ')'];
  },
};

export function writeTableCondition(table: Table, filter: ResolvedFilter): SqlFilter {
  const { name, key, columns, geometry, spatialIndex } = table;
  const placed: SqlColumn | undefined =
    geometry === undefined || key === undefined || spatialIndex === undefined
      ? undefined
      : { name: geometry.name, storage: 'geometry', spatialIndex: { table: spatialIndex, key } };
  return writeSqlFilter(filter, dialect, {
    columns: new Map(
      columns.map((each): [string, SqlColumn] => [
        each.name,
        placed?.name === each.name
          ? placed
          : { name: each.name, storage: (each.kind === 'value' && storages[each.type]) || 'other' },
      ]),
    ),
    ...(key === undefined ? {} : { identifiers: { prefix: `${name}.`, columns: [{ name: key, storage: 'integer' }] } }),
  });
}
