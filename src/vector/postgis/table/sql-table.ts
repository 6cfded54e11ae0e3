/** Writes filters as SQL conditions on a table. */
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import {
  createPostgisDialect,
  type SqlColumn,
  type SqlFilter,
  type SqlTable,
  writeSqlFilter,
} from '../../../filter/sql/sql.ts';
import { type CatalogColumn, parseDeclaredForm } from './columns.ts';
import { listKeyColumns, type Table } from './table.ts';

/**
 * Other types are evaluated in memory: padded texts, short floats and times with a zone compare differently in the
 * database.
 */
const storages: Readonly<Record<string, SqlColumn['storage']>> = {
  text: 'text',
  varchar: 'text',
  uuid: 'uuid',
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float8: 'double',
  numeric: 'decimal',
  timestamptz: 'timestamptz',
  timestamp: 'timestamp',
  date: 'date',
};

export function writeTableCondition(table: Table, filter: ResolvedFilter): SqlFilter {
  const schema = table.columns.find(({ typeName }) => typeName === 'geometry')?.typeSchema;
  return writeSqlFilter(filter, createPostgisDialect(schema), toSqlTable(table));
}

function toSqlTable(table: Table): SqlTable {
  const keys = listKeyColumns(table).map(toSqlColumn);
  const isPlain = keys.length > 0 && keys.every(({ storage }) => keyStorages.has(storage));
  return {
    columns: new Map(table.columns.map((each) => [each.name, toSqlColumn(each)])),
    ...(isPlain ? { identifiers: { prefix: `${table.name}.`, columns: keys } } : {}),
  };
}

const keyStorages: ReadonlySet<SqlColumn['storage']> = new Set(['integer', 'text', 'uuid']);

function toSqlColumn(column: CatalogColumn): SqlColumn {
  const { name, typeName } = column;
  if (typeName !== 'geometry')
    return { name, storage: (Object.hasOwn(storages, typeName) && storages[typeName]) || 'other' };
  const form = parseDeclaredForm(column);
  // Without a declared type each geometry can have another SRID.
  if (form === undefined || form.srid <= 0) return { name, storage: 'other' };
  const isSimple = form.type !== 'Geometry' && form.type !== 'GeometryCollection';
  return { name, storage: 'geometry', srid: form.srid, ...(isSimple ? { hasCollections: false } : {}) };
}
