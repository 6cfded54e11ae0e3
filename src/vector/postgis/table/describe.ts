/** Describes a table from the catalogue, and from the data where the catalogue is incomplete. */

import type { PoolClient } from 'pg';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrsReference } from '../../../crs/resolve-crs-reference.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import { findGeometryType } from '../../../geometry/geometry.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { Attribute, FeatureTypeDescription } from '../../port/port.ts';
import type { PostgisSettings } from '../connection/parameters.ts';
import {
  type CatalogColumn,
  createValueAttribute,
  type GeometryForm,
  getDimension,
  isGeometryColumn,
  parseDeclaredForm,
} from './columns.ts';
import { oneStatement } from './query-table.ts';
import { listKeyColumns, type Table } from './table.ts';

type Settings = Pick<PostgisSettings, 'schema' | 'exposesPrimaryKeys' | 'estimatesBounds'> & {
  /** Whether the client is in a transaction that continues. */
  readonly isInTransaction?: boolean;
};

/** The time limit for exact bounds if an estimate is available. */
const LOOK_MS = 10_000;

export async function describeTable(
  client: PoolClient,
  table: Table,
  settings: Settings,
): Promise<FeatureTypeDescription> {
  const attributes: Attribute[] = [];
  for (const column of listVisibleColumns(table, settings)) {
    attributes.push(
      isGeometryColumn(column)
        ? await createGeometryAttribute(client, table, column, settings)
        : createValueAttribute(column),
    );
  }
  const drawn = listVisibleColumns(table, settings).find(isGeometryColumn);
  const extent = drawn === undefined ? {} : await computeExtent(client, table, drawn, settings);
  return {
    name: table.name,
    attributes,
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    ...(listKeyColumns(table).length === 0 ? { isKeyless: true } : {}),
    ...extent,
  };
}

/** The key identifies features and is not an attribute, unless the store exposes it. */
export function listVisibleColumns(table: Table, { exposesPrimaryKeys }: Settings): readonly CatalogColumn[] {
  return exposesPrimaryKeys ? table.columns : table.columns.filter((column) => column.keyPosition === undefined);
}

async function createGeometryAttribute(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<Attribute> {
  const form =
    parseDeclaredForm(column) ??
    (table.declared === undefined ? await findConstrainedForm(client, table, column, settings.schema) : undefined) ??
    (await detectForm(client, table, column, settings));
  const { type, dimension, srid } = { ...form, ...findDeclaration(table, column) };
  const crs = await readCrs(client, column, srid);
  return { name: column.name, nillable: !column.isRequired, kind: 'geometry', type, dimension, crs };
}

/** Tables from before typed geometry columns declare their form in constraints, which PostGIS reads. */
export async function findConstrainedForm(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  schema: string,
): Promise<GeometryForm | undefined> {
  const { rows } = await client.query<{ type: string; srid: number; coord_dimension: number }>(
    `SELECT type, srid, coord_dimension FROM ${qualifyName(column.typeSchema, 'geometry_columns')}
     WHERE f_table_schema = $1 AND f_table_name = $2 AND f_geometry_column = $3`,
    [schema, table.name, column.name],
  );
  const [row] = rows;
  if (row === undefined || row.srid <= 0) return undefined;
  const hasM = /M$/.test(row.type) || row.coord_dimension === 4;
  const hasZ = row.coord_dimension === 4 || (row.coord_dimension === 3 && !hasM);
  const type = findGeometryType(row.type.replace(/Z?M?$/, '')) ?? 'Geometry';
  return { type, dimension: getDimension(hasZ, hasM), srid: row.srid };
}

/** Finds the declaration of a column in an SQL view. */
function findDeclaration(
  { declared = [] }: Table,
  column: CatalogColumn,
): Partial<Pick<GeometryForm, 'type' | 'srid'>> {
  const { name: _name, ...said } = declared.find(({ name }) => name === column.name) ?? { name: column.name };
  return said;
}

/** The first geometry determines the CRS and dimension; a sample cannot determine the type. */
async function detectForm(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<GeometryForm> {
  const geometry = quoteName(column.name);
  const writeCall = (name: string): string => `${qualifyName(column.typeSchema, name)}(${geometry})`;
  const { rows } = await runLimited(client, table, settings, () =>
    client.query<{ srid: number; flag: number }>({
      text: `SELECT ${writeCall('st_srid')} AS srid, ${writeCall('st_zmflag')} AS flag
       FROM ${table.relation} WHERE ${geometry} IS NOT NULL LIMIT 1`,
      ...oneStatement,
    }),
  );
  const [row] = rows;
  // 0 is XY, 1 has M, 2 has Z, 3 has both.
  const flag = row?.flag ?? 0;
  return { type: 'Geometry', dimension: getDimension((flag & 2) !== 0, (flag & 1) !== 0), srid: row?.srid ?? 0 };
}

export async function readCrs(client: PoolClient, column: CatalogColumn, srid: number): Promise<CrsReference> {
  if (srid <= 0) return {};
  const { rows } = await client.query<{ auth_name: string | null; auth_srid: number | null; srtext: string | null }>(
    `SELECT auth_name, auth_srid, srtext FROM ${qualifyName(column.typeSchema, 'spatial_ref_sys')} WHERE srid = $1`,
    [srid],
  );
  const [row] = rows;
  if (row === undefined) return {};
  const { auth_name, auth_srid, srtext } = row;
  const code = auth_name !== null && auth_srid !== null && auth_srid > 0 ? `${auth_name}:${auth_srid}` : undefined;
  return resolveCrsReference({ ...(code === undefined ? {} : { code }), ...(srtext === null ? {} : { wkt: srtext }) });
}

type Extent = Pick<FeatureTypeDescription, 'bounds' | 'count'>;

async function computeExtent(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<Extent> {
  if (settings.estimatesBounds && table.estimatedRows !== undefined) {
    const bounds = await estimateBounds(client, table, column, settings.schema);
    if (bounds !== undefined) return { bounds, count: table.estimatedRows };
  }
  try {
    return await computeExactExtent(client, table, column, settings);
  } catch (error) {
    if (findErrorCode(error) !== '57014' || table.estimatedRows === undefined) throw error;
    const bounds = await estimateBounds(client, table, column, settings.schema);
    return { ...(bounds === undefined ? {} : { bounds }), count: table.estimatedRows };
  }
}

interface BoundsRow {
  readonly min_x: number | null;
  readonly min_y: number | null;
  readonly max_x: number | null;
  readonly max_y: number | null;
}

async function computeExactExtent(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  settings: Settings,
): Promise<Extent> {
  return runLimited(client, table, settings, () =>
    computeConditionExtent(client, table, column, { sql: 'TRUE', parameters: [] }),
  );
}

/** Computes the extent of the rows that match a condition. */
export async function computeConditionExtent(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  { sql, parameters }: Pick<SqlFilter, 'sql' | 'parameters'>,
): Promise<Extent> {
  const extent = `${qualifyName(column.typeSchema, 'st_extent')}(${quoteName(column.name)}::${qualifyName(column.typeSchema, 'geometry')})`;
  const { rows } = await client.query<BoundsRow & { count: string }>({
    text: `SELECT count, ${writeCorners(column.typeSchema)}
     FROM (SELECT count(*) AS count, ${extent} AS box FROM ${table.relation} WHERE ${sql}) AS found`,
    values: [...parameters],
    ...oneStatement,
  });
  const [row] = rows;
  const bounds = row === undefined ? undefined : toBounds(row);
  return { ...(bounds === undefined ? {} : { bounds }), ...(row === undefined ? {} : { count: Number(row.count) }) };
}

/** Uses statistics; returns nothing for a column without any. */
async function estimateBounds(
  client: PoolClient,
  table: Table,
  column: CatalogColumn,
  schema: string,
): Promise<Bounds | undefined> {
  const { rows } = await client.query<BoundsRow>(
    `SELECT ${writeCorners(column.typeSchema)}
     FROM ${qualifyName(column.typeSchema, 'st_estimatedextent')}($1, $2, $3) AS box`,
    [schema, table.name, column.name],
  );
  return rows[0] === undefined ? undefined : toBounds(rows[0]);
}

function writeCorners(postgis: string): string {
  return Object.entries({ min_x: 'st_xmin', min_y: 'st_ymin', max_x: 'st_xmax', max_y: 'st_ymax' })
    .map(([corner, call]) => `${qualifyName(postgis, call)}(box::${qualifyName(postgis, 'box3d')}) AS ${corner}`)
    .join(', ');
}

function toBounds({ min_x, min_y, max_x, max_y }: BoundsRow): Bounds | undefined {
  if (min_x === null || min_y === null || max_x === null || max_y === null) return undefined;
  const bounds = { minX: min_x, minY: min_y, maxX: max_x, maxY: max_y };
  return Object.values(bounds).every(Number.isFinite) ? bounds : undefined;
}

/** Runs a query with a temporary time limit, because a view could take forever. SQL views have their own limit. */
async function runLimited<T>(
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
