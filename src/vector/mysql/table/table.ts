/** Finds tables and views in the catalogue of MySQL and MariaDB. */
import { findCrs } from '../../../crs/resolve-crs.ts';
import { type MysqlFlavour, quoteNameWithBackticks as quoteName } from '../../../filter/sql/sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DetailedTypeSummary, TypeSummary } from '../../port/port.ts';
import type { RawValue, SqlRow, SqlSession } from '../../sql/session.ts';
import type { Table } from '../../sql/table.ts';
import { type CatalogColumn, createTableColumn, findColumnGeometry } from './columns.ts';

/** The limit of both databases. */
export const MAX_IDENTIFIER_CHARACTERS = 64;

/** Columns of which the user may read values. */
const isReadable = "FIND_IN_SET('select', c.PRIVILEGES) > 0";

/** MariaDB also has tables of other types, such as sequences. */
const isTable = "t.TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')";

const geometryTypes =
  "'geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon', 'geometrycollection', 'geomcollection'";

const listQuery = `
  SELECT t.TABLE_NAME, MAX(c.DATA_TYPE IN (${geometryTypes})), MAX(t.TABLE_ROWS) FROM information_schema.TABLES t
  JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND ${isReadable}
  WHERE t.TABLE_SCHEMA = DATABASE() AND ${isTable} GROUP BY t.TABLE_NAME`;

/** The geometry columns of all tables, the default one of each table last. */
const formQueries: Readonly<Record<MysqlFlavour, string>> = {
  mariadb: `
    SELECT c.TABLE_NAME, LOWER(c.DATA_TYPE), g.SRID FROM information_schema.COLUMNS c
    JOIN information_schema.GEOMETRY_COLUMNS g ON g.G_TABLE_SCHEMA = c.TABLE_SCHEMA AND g.G_TABLE_NAME = c.TABLE_NAME
      AND g.G_GEOMETRY_COLUMN = c.COLUMN_NAME
    WHERE c.TABLE_SCHEMA = DATABASE() AND ${isReadable} ORDER BY c.ORDINAL_POSITION DESC`,
  mysql: `
    SELECT c.TABLE_NAME, LOWER(c.DATA_TYPE), c.SRS_ID FROM information_schema.COLUMNS c
    WHERE c.TABLE_SCHEMA = DATABASE() AND c.DATA_TYPE IN (${geometryTypes}) AND ${isReadable}
    ORDER BY c.ORDINAL_POSITION DESC`,
};

const writeColumnQuery = (srid: string): string => `
  SELECT t.TABLE_NAME, t.TABLE_ROWS, c.COLUMN_NAME, LOWER(c.DATA_TYPE), LOWER(c.COLUMN_TYPE), c.IS_NULLABLE,
    COALESCE(c.GENERATION_EXPRESSION, '') <> '' OR c.EXTRA LIKE '% GENERATED', c.CHARACTER_MAXIMUM_LENGTH,
    c.CHARACTER_SET_NAME, ${srid}, t.ENGINE
  FROM information_schema.TABLES t
  JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = ? AND ${isReadable}
  WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = ? AND c.TABLE_NAME = t.TABLE_NAME AND ${isTable}
  ORDER BY c.ORDINAL_POSITION`;

const columnQueries: Readonly<Record<MysqlFlavour, string>> = {
  mariadb: writeColumnQuery('NULL'),
  mysql: writeColumnQuery('c.SRS_ID'),
};

const keyQuery = `
  SELECT COLUMN_NAME, SEQ_IN_INDEX, SUB_PART FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND INDEX_NAME = 'PRIMARY'`;

const declaredSridQuery = `
  SELECT G_GEOMETRY_COLUMN, SRID FROM information_schema.GEOMETRY_COLUMNS
  WHERE G_TABLE_SCHEMA = DATABASE() AND G_TABLE_NAME = ? AND SRID > 0`;

const geographicQuery = `
  SELECT SRS_ID FROM information_schema.ST_SPATIAL_REFERENCE_SYSTEMS WHERE SRS_ID = ? AND DEFINITION LIKE 'GEOGCS%'`;

/** Changes of tables of other engines would be visible at once and could not be rolled back. */
const transactionalEngines: ReadonlySet<string> = new Set([
  'innodb',
  'xtradb',
  'rocksdb',
  'tokudb',
  'ndbcluster',
  'ndb',
]);

export async function listTables(session: SqlSession): Promise<readonly TypeSummary[]> {
  return (await readTables(session)).map(({ name, hasGeometry }) => ({ name, hasGeometry }));
}

/** What the catalogue has about the default geometries, and the estimates of rows. */
export async function listDetailedTables(
  session: SqlSession,
  flavour: MysqlFlavour,
): Promise<readonly DetailedTypeSummary[]> {
  const tables = await readTables(session);
  const forms = new Map((await session.query(formQueries[flavour])).map((row) => [toText(row[0]), row]));
  const codes = new Map<number, string | undefined>();
  const detailed: DetailedTypeSummary[] = [];
  for (const table of tables) {
    const [, type, rawSrid] = forms.get(table.name) ?? [];
    const geometryType = type === undefined ? undefined : findColumnGeometry(toText(type));
    const srid = toOptionalNumber(rawSrid) ?? 0;
    if (srid > 0 && !codes.has(srid)) codes.set(srid, (await findCrs(`EPSG:${srid}`))?.code);
    const crsCode = codes.get(srid);
    detailed.push({
      ...table,
      ...(geometryType === undefined ? {} : { geometryType }),
      ...(crsCode === undefined ? {} : { crsCode }),
    });
  }
  return detailed;
}

async function readTables(
  session: SqlSession,
): Promise<readonly (TypeSummary & { readonly estimatedCount?: number })[]> {
  const rows = await session.query(listQuery);
  return rows
    .map(([name, hasGeometry, count]) => {
      const estimatedCount = toOptionalNumber(count);
      return {
        name: toText(name),
        hasGeometry: Number(hasGeometry) > 0,
        ...(estimatedCount === undefined ? {} : { estimatedCount }),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function findTable(session: SqlSession, flavour: MysqlFlavour, name: string): Promise<Table | undefined> {
  if (!canBeName(name)) return undefined;
  // The catalogue ignores the case of names on some systems; only the listed name is the name of the type.
  const rows = (await session.query(columnQueries[flavour], [name, name])).filter(([found]) => String(found) === name);
  const [first] = rows;
  if (first === undefined) return undefined;
  const keys = await readKeys(session, name);
  const srids = flavour === 'mariadb' && rows.some(isGeometryRow) ? await readDeclaredSrids(session, name) : new Map();
  const columns: CatalogColumn[] = [];
  for (const row of rows) {
    const column = toCatalogColumn(row, keys, srids);
    const isGeographic =
      flavour === 'mysql' && column.srid !== undefined && (await isGeographicSrid(session, column.srid));
    columns.push({ ...column, isGeographic });
  }
  const [, estimatedRows = null] = first;
  const engine = toText(first[10]);
  return {
    name,
    relation: quoteName(name),
    columns: columns.map((column) => createTableColumn(flavour, column)),
    ...(estimatedRows === null ? {} : { estimatedRows: Number(estimatedRows) }),
    // A view has no engine.
    ...(engine === '' || transactionalEngines.has(engine.toLowerCase())
      ? {}
      : { objection: `the storage engine ${engine} of its table has no transactions` }),
  };
}

export function canBeName(name: string): boolean {
  const isPlain = name.isWellFormed() && !/[\0\u{10000}-\u{10ffff}]/u.test(name) && !name.endsWith(' ');
  return name !== '' && isPlain && name.length <= MAX_IDENTIFIER_CHARACTERS;
}

function isGeometryRow(row: SqlRow): boolean {
  return geometryTypes.includes(`'${String(row[3])}'`);
}

/** A key of which only the start of a column is unique is no key for rows. */
async function readKeys(session: SqlSession, name: string): Promise<ReadonlyMap<string, number>> {
  const rows = await session.query(keyQuery, [name]);
  return new Map(rows.map(([column, position]) => [String(column), Number(position)]));
}

async function readDeclaredSrids(session: SqlSession, name: string): Promise<ReadonlyMap<string, number>> {
  const rows = await session.query(declaredSridQuery, [name]);
  return new Map(rows.map(([column, srid]) => [String(column), Number(srid)]));
}

export async function isGeographicSrid(session: SqlSession, srid: number): Promise<boolean> {
  return (await session.query(geographicQuery, [srid])).length > 0;
}

function toCatalogColumn(
  row: SqlRow,
  keys: ReadonlyMap<string, number>,
  srids: ReadonlyMap<string, number>,
): Omit<CatalogColumn, 'isGeographic'> & { readonly isGeographic: boolean } {
  const [, , columnName, type, fullType, isNullable, isGenerated, maxLength, charset, srid] = row;
  const name = String(columnName);
  const declared = toOptionalNumber(srid) ?? srids.get(name);
  return {
    name,
    type: toText(type),
    fullType: toText(fullType),
    isRequired: toText(isNullable).toUpperCase() === 'NO',
    isGenerated: Number(isGenerated) === 1,
    maxLength: toOptionalNumber(maxLength),
    charset: charset === null || charset === undefined ? undefined : toText(charset),
    srid: declared,
    isGeographic: false,
    keyPosition: keys.get(name),
  };
}

function toOptionalNumber(raw: RawValue | undefined): number | undefined {
  return raw === null || raw === undefined ? undefined : Number(toText(raw));
}

/** Some versions return texts of the catalogue as bytes. */
function toText(raw: RawValue | undefined): string {
  return raw instanceof Uint8Array ? Buffer.from(raw).toString() : String(raw ?? '');
}

/** Throws a problem for a name that no table or column can have. */
export function requireNames(table: string, names: readonly string[]): void {
  const odd = names.find((name) => !canBeName(name));
  if (odd === undefined) return;
  const reason = `the name '${odd.slice(0, 100)}' is empty, longer than ${MAX_IDENTIFIER_CHARACTERS} characters, or contains characters that names cannot have`;
  throw problem('table-refused', { name: table.slice(0, 100), reason });
}
