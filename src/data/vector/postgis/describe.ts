/** Describes a table: its attributes from the catalogue, what that does not say from the data, and its bounds. */

import type { PoolClient } from 'pg';
import { errorCode } from '../../../lib/error-code.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/crs-reference.ts';
import { knownReference } from '../../crs/known-reference.ts';
import type { SqlFilter } from '../../filter/sql.ts';
import { geometryTypeNamed } from '../geometry.ts';
import type { Attribute, FeatureTypeDescription } from '../port.ts';
import { qualified, quoted } from '../quoted-sql.ts';
import {
  type CatalogColumn,
  declaredForm,
  dimensionOf,
  type GeometryForm,
  isGeometryColumn,
  valueAttribute,
} from './columns.ts';
import type { PostgisSettings } from './parameters.ts';
import { oneStatement } from './query-table.ts';
import { keyColumns, type Table } from './table.ts';

type Settings = Pick<PostgisSettings, 'schema' | 'exposesPrimaryKeys' | 'estimatesBounds'> & {
  /** Whether the client is in a transaction, which goes on. */
  readonly isInTransaction?: boolean;
};

/** Beyond that the exact bounds of a table are not worth waiting for, if an estimate can be had. */
const LOOK_MS = 10_000;

export async function describeTable(
  client: PoolClient,
  table: Table,
  settings: Settings,
): Promise<FeatureTypeDescription> {
  const attributes: Attribute[] = [];
  for (const column of shownColumns(table, settings)) {
    attributes.push(
      isGeometryColumn(column) ? await geometryAttribute(client, table, column, settings) : valueAttribute(column),
    );
  }
  const drawn = shownColumns(table, settings).find(isGeometryColumn);
  const extent = drawn === undefined ? {} : await extentOf(client, table, drawn, settings);
  return {
    name: table.name,
    attributes,
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    ...(keyColumns(table).length === 0 ? { isKeyless: true } : {}),
    ...extent,
  };
}

/** The key identifies features and is no attribute of theirs, unless the store says so. */
export function shownColumns(table: Table, { exposesPrimaryKeys }: Settings): readonly CatalogColumn[] {
  return exposesPrimaryKeys ? table.columns : table.columns.filter((column) => column.keyPosition === undefined);
}

async function geometryAttribute(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<Attribute> {
  const form =
    declaredForm(column) ??
    (table.declared === undefined ? await constrainedForm(client, table, column, settings.schema) : undefined) ??
    (await foundForm(client, table, column, settings));
  const { type, dimension, srid } = { ...form, ...declaredBy(table, column) };
  const crs = await crsOf(client, column, srid);
  return { name: column.name, nillable: !column.isRequired, kind: 'geometry', type, dimension, crs };
}

/** What tables say that were made before PostGIS had types in brackets: PostGIS reads it from their constraints. */
export async function constrainedForm(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  schema: string,
): Promise<GeometryForm | undefined> {
  const { rows } = await client.query<{ type: string; srid: number; coord_dimension: number }>(
    `SELECT type, srid, coord_dimension FROM ${qualified(column.typeSchema, 'geometry_columns')}
     WHERE f_table_schema = $1 AND f_table_name = $2 AND f_geometry_column = $3`,
    [schema, table.name, column.name],
  );
  const [row] = rows;
  if (row === undefined || row.srid <= 0) return undefined;
  const hasM = /M$/.test(row.type) || row.coord_dimension === 4;
  const hasZ = row.coord_dimension === 4 || (row.coord_dimension === 3 && !hasM);
  const type = geometryTypeNamed(row.type.replace(/Z?M?$/, '')) ?? 'Geometry';
  return { type, dimension: dimensionOf(hasZ, hasM), srid: row.srid };
}

/** What the client says of a column of its query. */
function declaredBy({ declared = [] }: Table, column: CatalogColumn): Partial<Pick<GeometryForm, 'type' | 'srid'>> {
  const { name: _name, ...said } = declared.find(({ name }) => name === column.name) ?? { name: column.name };
  return said;
}

/** The first geometry tells the system and the dimension; which types there are, no sample can tell. */
async function foundForm(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<GeometryForm> {
  const geometry = quoted(column.name);
  const call = (name: string): string => `${qualified(column.typeSchema, name)}(${geometry})`;
  const { rows } = await limited(client, table, settings, () =>
    client.query<{ srid: number; flag: number }>({
      text: `SELECT ${call('st_srid')} AS srid, ${call('st_zmflag')} AS flag
       FROM ${table.relation} WHERE ${geometry} IS NOT NULL LIMIT 1`,
      ...oneStatement,
    }),
  );
  const [row] = rows;
  // 0 is x and y, 1 has m, 2 has z, 3 has both.
  const flag = row?.flag ?? 0;
  return { type: 'Geometry', dimension: dimensionOf((flag & 2) !== 0, (flag & 1) !== 0), srid: row?.srid ?? 0 };
}

export async function crsOf(client: PoolClient, column: CatalogColumn, srid: number): Promise<CrsReference> {
  if (srid <= 0) return {};
  const { rows } = await client.query<{ auth_name: string | null; auth_srid: number | null; srtext: string | null }>(
    `SELECT auth_name, auth_srid, srtext FROM ${qualified(column.typeSchema, 'spatial_ref_sys')} WHERE srid = $1`,
    [srid],
  );
  const [row] = rows;
  if (row === undefined) return {};
  const { auth_name, auth_srid, srtext } = row;
  const code = auth_name !== null && auth_srid !== null && auth_srid > 0 ? `${auth_name}:${auth_srid}` : undefined;
  return knownReference({ ...(code === undefined ? {} : { code }), ...(srtext === null ? {} : { wkt: srtext }) });
}

type Extent = Pick<FeatureTypeDescription, 'bounds' | 'count'>;

async function extentOf(client: PoolClient, table: Table, column: CatalogColumn, settings: Settings): Promise<Extent> {
  if (settings.estimatesBounds && table.estimatedRows !== undefined) {
    const bounds = await estimatedBounds(client, table, column, settings.schema);
    if (bounds !== undefined) return { bounds, count: table.estimatedRows };
  }
  try {
    return await exactExtent(client, table, column, settings);
  } catch (error) {
    if (errorCode(error) !== '57014' || table.estimatedRows === undefined) throw error;
    const bounds = await estimatedBounds(client, table, column, settings.schema);
    return { ...(bounds === undefined ? {} : { bounds }), count: table.estimatedRows };
  }
}

interface BoundsRow {
  readonly min_x: number | null;
  readonly min_y: number | null;
  readonly max_x: number | null;
  readonly max_y: number | null;
}

async function exactExtent(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<Extent> {
  return limited(client, table, settings, () => boundsAround(client, table, column, { sql: 'TRUE', parameters: [] }));
}

/** Of the rows that fit a condition. */
export async function boundsAround(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  { sql, parameters }: Pick<SqlFilter, 'sql' | 'parameters'>,
): Promise<Extent> {
  const extent = `${qualified(column.typeSchema, 'st_extent')}(${quoted(column.name)}::${qualified(column.typeSchema, 'geometry')})`;
  const { rows } = await client.query<BoundsRow & { count: string }>({
    text: `SELECT count, ${corners(column.typeSchema)}
     FROM (SELECT count(*) AS count, ${extent} AS box FROM ${table.relation} WHERE ${sql}) AS found`,
    values: [...parameters],
    ...oneStatement,
  });
  const [row] = rows;
  const bounds = row === undefined ? undefined : boundsOf(row);
  return { ...(bounds === undefined ? {} : { bounds }), ...(row === undefined ? {} : { count: Number(row.count) }) };
}

/** From the statistics; a column without any gives none. */
async function estimatedBounds(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  schema: string,
): Promise<Bounds | undefined> {
  const { rows } = await client.query<BoundsRow>(
    `SELECT ${corners(column.typeSchema)}
     FROM ${qualified(column.typeSchema, 'st_estimatedextent')}($1, $2, $3) AS box`,
    [schema, table.name, column.name],
  );
  return rows[0] === undefined ? undefined : boundsOf(rows[0]);
}

function corners(postgis: string): string {
  return Object.entries({ min_x: 'st_xmin', min_y: 'st_ymin', max_x: 'st_xmax', max_y: 'st_ymax' })
    .map(([corner, call]) => `${qualified(postgis, call)}(box::${qualified(postgis, 'box3d')}) AS ${corner}`)
    .join(', ');
}

function boundsOf({ min_x, min_y, max_x, max_y }: BoundsRow): Bounds | undefined {
  if (min_x === null || min_y === null || max_x === null || max_y === null) return undefined;
  const bounds = { minX: min_x, minY: min_y, maxX: max_x, maxY: max_y };
  return Object.values(bounds).every(Number.isFinite) ? bounds : undefined;
}

/** One look at the rows, within a limit that is gone after it: a view may take for ever. A query of a client has its own. */
async function limited<T>(
  client: PoolClient,
  table: Table,
  { isInTransaction = false }: Settings,
  work: () => Promise<T>,
): Promise<T> {
  if (table.declared !== undefined) return work();
  const begin = isInTransaction ? 'SAVEPOINT limited' : 'BEGIN READ ONLY';
  await client.query(`${begin}; SET LOCAL statement_timeout = ${LOOK_MS}`);
  try {
    return await work();
  } finally {
    await client.query(isInTransaction ? 'ROLLBACK TO SAVEPOINT limited' : 'ROLLBACK');
  }
}
