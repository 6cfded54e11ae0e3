/** Describes a table from the catalogue of the database, and from its rows where that is incomplete. */
import type { Bounds } from '../../crs/bounds.ts';
import type { SqlFilter } from '../../filter/sql/sql.ts';
import type { Attribute, FeatureTypeDescription } from '../port/port.ts';
import type { DatabaseDialect, GeometryColumn } from './dialect.ts';
import type { SqlSession } from './session.ts';
import { isGeometryColumn, listKeyColumns, listVisibleColumns, type Table, type TableColumn } from './table.ts';

/** The time limit for exact bounds. */
const LOOK_MS = 10_000;

export async function describeTable(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  exposesPrimaryKeys: boolean,
): Promise<FeatureTypeDescription> {
  const attributes: Attribute[] = [];
  const visible = listVisibleColumns(table, exposesPrimaryKeys);
  for (const column of visible) attributes.push(await createAttribute(dialect, session, table, column));
  const drawn = visible.find(isGeometryColumn);
  return {
    name: table.name,
    attributes,
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    ...(listKeyColumns(table).length === 0 ? { isKeyless: true } : {}),
    ...(drawn === undefined ? {} : await lookForExtent(dialect, session, table, drawn)),
  };
}

async function createAttribute(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  column: TableColumn,
): Promise<Attribute> {
  const { name, isRequired } = column;
  if (!isGeometryColumn(column)) return { name, nillable: !isRequired, ...column.content } as Attribute;
  const srid = column.content.srid ?? (await detectSrid(dialect, session, table, column));
  const crs = srid === undefined || srid <= 0 ? {} : await dialect.findCrs(session, srid);
  return { name, nillable: !isRequired, kind: 'geometry', type: column.content.type, dimension: 'XY', crs };
}

/** The first geometry determines the reference system of a column that declares none. */
export async function detectSrid(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  column: GeometryColumn,
): Promise<number | undefined> {
  const name = dialect.quoteName(column.name);
  const text = `SELECT ${dialect.writeSrid(column)} FROM ${table.relation} WHERE ${name} IS NOT NULL${dialect.writeLimit({ limit: 1 })}`;
  const rows = await withinTime(dialect, session, () => session.query(text));
  const found = rows?.[0]?.[0];
  return found === undefined || found === null ? undefined : Number(found);
}

async function withinTime<T>(
  dialect: DatabaseDialect,
  session: SqlSession,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await dialect.runLimited(session, LOOK_MS, work);
  } catch (error) {
    if (dialect.isTimeout(error)) return undefined;
    throw error;
  }
}

export type Extent = Pick<FeatureTypeDescription, 'bounds' | 'count'>;

async function lookForExtent(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  column: TableColumn,
): Promise<Extent> {
  const everything = { sql: 'TRUE', parameters: [] };
  const found = await withinTime(dialect, session, () =>
    computeExtent(dialect, session, table, { column, condition: everything }),
  );
  return found ?? (table.estimatedRows === undefined ? {} : { count: table.estimatedRows });
}

/** Computes the extent of the rows that match a condition. */
export async function computeExtent(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  { column, condition }: { readonly column: TableColumn; readonly condition: Pick<SqlFilter, 'sql' | 'parameters'> },
): Promise<{ readonly bounds?: Bounds; readonly count: number }> {
  const [row = []] = await session.query(
    `SELECT COUNT(*), ${dialect.writeExtent(column)} FROM ${table.relation} WHERE ${condition.sql}`,
    condition.parameters,
  );
  const bounds = dialect.readExtent(row.slice(1));
  return { ...(bounds === undefined ? {} : { bounds }), count: Number(row[0] ?? 0) };
}
