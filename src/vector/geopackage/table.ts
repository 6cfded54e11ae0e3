/** A GeoPackage table as described by its catalogue. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import { findGeometryType, type GeometryType } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, TypeSummary } from '../port/port.ts';
import { createValueAttribute } from './columns.ts';
import { findMaintainedIndex } from './spatial-index.ts';

export interface GeometryColumn {
  readonly name: string;
  readonly type: GeometryType;
  /** 0 prohibited, 1 mandatory, 2 optional. */
  readonly z: number;
  readonly m: number;
  readonly crs: CrsReference;
}

export interface Table {
  readonly name: string;
  readonly isView: boolean;
  /** The primary key; undefined for a view. */
  readonly key?: string;
  /** All columns but the key, in order; the geometry is identified by its name. */
  readonly columns: readonly Attribute[];
  readonly geometry?: GeometryColumn;
  /** The R-tree of the geometry, whose ids are row ids. */
  readonly spatialIndex?: string;
  /** The bounds in the catalogue, if present. */
  readonly bounds?: Bounds;
  readonly count?: number;
}

type Row = Record<string, SQLOutputValue>;

/** Files that declare more are not supported. */
const MAX_TABLES = 20_000;

const isTable = "data_type IN ('features', 'attributes', 'aspatial')";

export function listTables(database: DatabaseSync, file: string): readonly TypeSummary[] {
  requireCatalogue(database, file);
  const listNames = (statement: string): ReadonlySet<string> =>
    new Set(queryRows(database, `${statement} LIMIT ${MAX_TABLES}`).map((row) => toText(row['name']).toLowerCase()));
  const objects = listNames(`SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND ${isNotVirtual}`);
  const geometries = hasTable(database, 'gpkg_geometry_columns')
    ? listNames('SELECT table_name AS name FROM gpkg_geometry_columns')
    : new Set<string>();
  const listed = queryRows(
    database,
    `SELECT DISTINCT table_name FROM gpkg_contents WHERE ${isTable} LIMIT ${MAX_TABLES}`,
  );
  return listed
    .map((row) => toText(row['table_name']))
    .filter((name) => objects.has(name.toLowerCase()))
    .map((name) => ({ name, hasGeometry: geometries.has(name.toLowerCase()) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function findTable(
  database: DatabaseSync,
  file: string,
  name: string,
  exposesPrimaryKeys: boolean,
): Table | undefined {
  requireCatalogue(database, file);
  const [entry] = queryRows(database, `SELECT * FROM gpkg_contents WHERE table_name = ? AND ${isTable}`, name);
  const kind = entry === undefined ? undefined : findTableKind(database, name);
  if (entry === undefined || kind === undefined) return undefined;
  const isView = kind === 'view';
  if (isView) checkViewPlan(database, file, name);
  const columns = queryRows(database, 'SELECT * FROM pragma_table_xinfo(?)', name).filter(isStored);
  const geometry = findGeometryColumn(
    database,
    name,
    columns.map((row) => toText(row['name'])),
  );
  const key = isView ? undefined : findKey(columns);
  const hidden = exposesPrimaryKeys ? undefined : key;
  const spatialIndex =
    key === undefined || geometry === undefined ? undefined : findMaintainedIndex(database, name, geometry.name);
  const bounds = readBounds(entry);
  const count = findCount(database, name);
  return {
    name,
    isView,
    ...(key === undefined ? {} : { key }),
    columns: columns.filter((row) => toText(row['name']) !== hidden).map(toAttribute),
    ...(geometry === undefined ? {} : { geometry }),
    ...(spatialIndex === undefined ? {} : { spatialIndex }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(count === undefined ? {} : { count }),
  };
}

function requireCatalogue(database: DatabaseSync, file: string): void {
  for (const name of ['gpkg_contents', 'gpkg_spatial_ref_sys']) {
    if (!hasTable(database, name)) {
      throw problem('vector-file-unreadable', { file, reason: `it is not a GeoPackage: it has no table ${name}` });
    }
  }
}

/** Whether it is a real table: a view or virtual table in its place could execute arbitrary SQL. */
export function hasTable(database: DatabaseSync, name: string): boolean {
  return findTableKind(database, name) === 'table';
}

/** Names are case-insensitive. */
export function findTableKind(database: DatabaseSync, name: string): 'table' | 'view' | undefined {
  const [row] = queryRows(
    database,
    `SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view') AND ${isNotVirtual}`,
    name,
  );
  if (row === undefined) return undefined;
  return row['type'] === 'view' ? 'view' : 'table';
}

/** Virtual tables have no root page and are stored with these words. */
const isNotVirtual = "(type = 'view' OR rootpage > 0) AND upper(substr(sql, 1, 15)) != 'CREATE VIRTUAL '";

/** Computed columns are ignored. */
function isStored(row: Row): boolean {
  return row['hidden'] === 0 || row['hidden'] === 3;
}

function findKey(columns: readonly Row[]): string | undefined {
  const keys = columns.filter((row) => row['pk'] !== 0);
  const [only] = keys;
  const isRowId = keys.length === 1 && toText(only?.['type']).toUpperCase() === 'INTEGER';
  return isRowId ? toText(only?.['name']) : undefined;
}

function toAttribute(row: Row): Attribute {
  return createValueAttribute(toText(row['name']), toText(row['type']), row['notnull'] !== 1);
}

/** Other types of the format; curves are read as short straight lines. */
const otherTypes: Readonly<Record<string, GeometryType>> = {
  GEOMCOLLECTION: 'GeometryCollection',
  CIRCULARSTRING: 'LineString',
  COMPOUNDCURVE: 'LineString',
  CURVE: 'LineString',
  CURVEPOLYGON: 'Polygon',
  SURFACE: 'Polygon',
  MULTICURVE: 'MultiLineString',
  MULTISURFACE: 'MultiPolygon',
};

/** A catalogue can refer to a column that does not exist. */
function findGeometryColumn(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
): GeometryColumn | undefined {
  if (!hasTable(database, 'gpkg_geometry_columns')) return undefined;
  const [row] = queryRows(database, 'SELECT * FROM gpkg_geometry_columns WHERE table_name = ? COLLATE NOCASE', table);
  const named = toText(row?.['column_name']).toLowerCase();
  const name = columns.find((each) => each.toLowerCase() === named);
  if (row === undefined || name === undefined) return undefined;
  const typeName = toText(row['geometry_type_name']);
  return {
    name,
    type: findGeometryType(typeName) ?? otherTypes[typeName.toUpperCase()] ?? 'Geometry',
    z: Number(row['z']),
    m: Number(row['m']),
    crs: readCrs(database, row['srs_id'] ?? null),
  };
}

/** 0 and -1 mean an undefined CRS. */
function readCrs(database: DatabaseSync, srsId: SQLOutputValue): CrsReference {
  if (typeof srsId !== 'number' || srsId <= 0) return {};
  const [row] = queryRows(database, 'SELECT * FROM gpkg_spatial_ref_sys WHERE srs_id = ?', srsId);
  if (row === undefined) return {};
  const [authority, code, wkt] = [row['organization'], row['organization_coordsys_id'], row['definition']];
  const hasCode =
    typeof authority === 'string' && /^(?:epsg|esri)$/i.test(authority) && typeof code === 'number' && code > 0;
  return {
    ...(hasCode ? { code: `${authority.toUpperCase()}:${code}` } : {}),
    ...(typeof wkt === 'string' && /^\s*\w+\s*[[(]/.test(wkt) ? { wkt } : {}),
  };
}

function readBounds(row: Row): Bounds | undefined {
  const [minX, minY, maxX, maxY] = [row['min_x'], row['min_y'], row['max_x'], row['max_y']].map((each) =>
    typeof each === 'number' && Number.isFinite(each) ? each : undefined,
  );
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) return undefined;
  return minX <= maxX && minY <= maxY ? { minX, minY, maxX, maxY } : undefined;
}

/** GDAL triggers maintain this count. */
function findCount(database: DatabaseSync, name: string): number | undefined {
  if (!hasTable(database, 'gpkg_ogr_contents')) return undefined;
  const [row] = queryRows(database, 'SELECT feature_count FROM gpkg_ogr_contents WHERE table_name = ?', name);
  const count = row?.['feature_count'];
  return typeof count === 'number' && count >= 0 ? count : undefined;
}

function queryRows(database: DatabaseSync, statement: string, ...values: readonly (string | number)[]): readonly Row[] {
  return database.prepare(statement).all(...values);
}

function toText(value: SQLOutputValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** One row per row of the other table, so the cost stays linear. */
const singleRow = /^SEARCH .* USING INTEGER PRIMARY KEY \(rowid=\?\)(?: LEFT-JOIN)?$/;

/** Rejects views with nested table scans or other views before they run: SQLite cannot be interrupted. */
function checkViewPlan(database: DatabaseSync, file: string, view: string): void {
  if (canGrow(database, view)) throw createRefusal(file, view);
  const steps = database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${quoteName(view)}`).all();
  const loops = new Map<unknown, number>();
  for (const { parent, detail } of steps) {
    const text = String(detail);
    if (/CORRELATED|VIRTUAL TABLE/.test(text)) throw createRefusal(file, view);
    if (/^(?:SCAN|SEARCH) /.test(text) && !singleRow.test(text) && !/^SCAN CONSTANT ROW/.test(text)) {
      const count = (loops.get(parent) ?? 0) + 1;
      if (count > 1) throw createRefusal(file, view);
      loops.set(parent, count);
    }
  }
}

/**
 * Nested views and common table expressions can double with each level, already while the plan is made. Any mention
 * of another view is therefore rejected, even if it is harmless.
 */
function canGrow(database: DatabaseSync, view: string): boolean {
  const views = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  const definition = views.find(({ name }) => foldName(name) === foldName(view));
  const text = foldName(definition?.['sql']);
  const words = new Set(text.split(/[^\p{L}\p{N}_$]+/u));
  const isMentioned = (name: string): boolean => (/^[\w$]+$/.test(name) ? words.has(name) : text.includes(name));
  return (
    words.has('with') || views.some(({ name }) => foldName(name) !== foldName(view) && isMentioned(foldName(name)))
  );
}

/** Removes case and quotes, which are optional in names. */
function foldName(value: unknown): string {
  return String(value)
    .replace(/["'`[\]]/g, '')
    .toLowerCase();
}

function createRefusal(file: string, view: string): Error {
  const reason = `its view '${view}' uses a join that may take too long; only tables and joins by primary key are supported`;
  return problem('vector-file-unsupported', { file, reason });
}
