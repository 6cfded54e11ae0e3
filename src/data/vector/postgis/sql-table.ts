/** Filters as conditions in the SQL of a table. */
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import { postgisDialect, type SqlColumn, type SqlFilter, type SqlTable, writeSqlFilter } from '../../filter/sql.ts';
import { type CatalogColumn, declaredForm } from './columns.ts';
import { keyColumns, type Table } from './table.ts';

/** What is not here is decided in memory: padded texts, short floats and times with a zone alone compare otherwise there. */
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

export function conditionFor(table: Table, filter: ResolvedFilter): SqlFilter {
  const schema = table.columns.find(({ typeName }) => typeName === 'geometry')?.typeSchema;
  return writeSqlFilter(filter, postgisDialect(schema), sqlTable(table));
}

function sqlTable(table: Table): SqlTable {
  const keys = keyColumns(table).map(sqlColumn);
  const isPlain = keys.length > 0 && keys.every(({ storage }) => keyStorages.has(storage));
  return {
    columns: new Map(table.columns.map((each) => [each.name, sqlColumn(each)])),
    ...(isPlain ? { identifiers: { prefix: `${table.name}.`, columns: keys } } : {}),
  };
}

const keyStorages: ReadonlySet<SqlColumn['storage']> = new Set(['integer', 'text', 'uuid']);

function sqlColumn(column: CatalogColumn): SqlColumn {
  const { name, typeName } = column;
  if (typeName !== 'geometry')
    return { name, storage: (Object.hasOwn(storages, typeName) && storages[typeName]) || 'other' };
  const form = declaredForm(column);
  // Without a type that says it, each geometry may be of another system.
  if (form === undefined || form.srid <= 0) return { name, storage: 'other' };
  const isSimple = form.type !== 'Geometry' && form.type !== 'GeometryCollection';
  return { name, storage: 'geometry', srid: form.srid, ...(isSimple ? { hasCollections: false } : {}) };
}
