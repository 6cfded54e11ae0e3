/** Filters as conditions in the SQL of a table, with nothing in it but what files from anybody may be asked. */
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

/** Times are kept as texts that may be of any length, and so are decided in memory. Of geometries the index tells which may fit. */
const storages: Readonly<Partial<Record<ValueType, SqlColumn['storage']>>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'integer',
  integer: 'integer',
  long: 'integer',
  double: 'double',
};

/** No functions, and no tables but the one and its index: views in the file are not allowed any of them either. */
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
