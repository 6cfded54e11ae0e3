/** The dialect tables of MySQL and MariaDB. */
import type { Bounds } from '../../crs/bounds.ts';
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrsReference } from '../../crs/resolve-crs-reference.ts';
import { createMysqlDialect, type MysqlFlavour, quoteNameWithBackticks as quoteName } from '../../filter/sql/sql.ts';
import type { DatabaseDialect } from '../sql/dialect.ts';
import type { SqlRow, SqlSession } from '../sql/session.ts';
import type { TableColumn } from '../sql/table.ts';
import { findErrorNumber, isStatementTimeout } from './connection/failure.ts';
import { SQL_MODE } from './connection/mysql-session.ts';
import { createQueryTable, toViewProblem } from './table/query-table.ts';
import { findTable, listDetailedTables, listTables } from './table/table.ts';
import { toBoundValue } from './write/bound-values.ts';
import { createTable, renameTable, runDefinition } from './write/create-table.ts';
import { toWriteProblem } from './write/write-failure.ts';

/** More than any table has; an offset needs a limit. */
const ALL_ROWS = '18446744073709551615';

export const dialects: Readonly<Record<MysqlFlavour, DatabaseDialect>> = {
  mysql: createDialect('mysql'),
  mariadb: createDialect('mariadb'),
};

function createDialect(flavour: MysqlFlavour): DatabaseDialect {
  return {
    filters: createMysqlDialect(flavour),
    quoteName,
    listTables,
    listDetailedTables: (session) => listDetailedTables(session, flavour),
    findTable: (session, name) => findTable(session, flavour, name),
    findCrs: (session, srid) => findCrs(session, flavour, srid),
    findSrid: (session, crs) => findSrid(session, flavour, crs),
    writeSrid: ({ name }) => `ST_SRID(${quoteName(name)})`,
    writeExtent: (column) => writeExtent(flavour, column),
    readExtent,
    runLimited: (session, maxMs, work) => runLimited(flavour, session, maxMs, work),
    isTimeout: isStatementTimeout,
    writeNumber,
    writeOrder: (sql, isDescending) => `${sql} ${isDescending ? 'DESC' : 'ASC'}`,
    writeLimit: ({ limit, offset }) => {
      const isLimited = limit !== undefined && limit < Number.MAX_SAFE_INTEGER;
      if (!isLimited && (offset === undefined || offset === 0)) return '';
      return ` LIMIT ${isLimited ? Math.trunc(limit) : ALL_ROWS} OFFSET ${Math.trunc(offset ?? 0)}`;
    },
    forUpdate: ' FOR UPDATE',
    // Otherwise rows that a condition visits without matching would be locked, too.
    beginWriting: ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'START TRANSACTION READ WRITE'],
    defaultRow: '() VALUES ()',
    createTable: (session, type, present) =>
      createTable(session, { flavour, type, present, findSrid: ({ crs }) => findSrid(session, flavour, crs) }),
    renameTable,
    dropTable: (session, name) => runDefinition(session, `DROP TABLE IF EXISTS ${quoteName(name)}`),
    toBoundValue,
    toWriteProblem,
    describeQuery: (session, view) => createQueryTable(session, flavour, view),
    // Parameters of queries are escaped by doubling quotes, which a backslash before them would undo.
    beginViewing: [`SET SESSION sql_mode = '${SQL_MODE},NO_BACKSLASH_ESCAPES'`, 'START TRANSACTION READ ONLY'],
    // Locks with names can outlive the transaction.
    endViewing: ['ROLLBACK', `SET SESSION sql_mode = '${SQL_MODE}'`, 'DO RELEASE_ALL_LOCKS()'],
    toViewProblem,
    // An illegal mix of collations: the character set of a key lacks a letter.
    isKeyError: (error) => [1267, 1271, 1292].includes(findErrorNumber(error) ?? 0),
  };
}

/** MariaDB knows numbers only, which are codes of EPSG; MySQL has definitions. */
async function findCrs(session: SqlSession, flavour: MysqlFlavour, srid: number): Promise<CrsReference> {
  if (flavour === 'mariadb') return resolveCrsReference({ code: `EPSG:${srid}` });
  const [row] = await session.query(
    `SELECT ORGANIZATION, ORGANIZATION_COORDSYS_ID, DEFINITION
     FROM information_schema.ST_SPATIAL_REFERENCE_SYSTEMS WHERE SRS_ID = ?`,
    [srid],
  );
  const [organisation = null, number = null, wkt = null] = row ?? [];
  const code = organisation === null || number === null ? `EPSG:${srid}` : `${organisation}:${number}`;
  return resolveCrsReference({ code, ...(wkt === null ? {} : { wkt: String(wkt) }) });
}

async function findSrid(
  session: SqlSession,
  flavour: MysqlFlavour,
  { code, wkt }: CrsReference,
): Promise<number | undefined> {
  if (code === undefined && wkt === undefined) return 0;
  const [authority, number] = (parseCrsCode(code ?? '') ?? '').split(':');
  if (authority !== 'EPSG' || number === undefined) return undefined;
  if (flavour === 'mariadb') return Number(number);
  const known = await session.query(
    'SELECT SRS_ID FROM information_schema.ST_SPATIAL_REFERENCE_SYSTEMS WHERE SRS_ID = ?',
    [Number(number)],
  );
  return known.length === 0 ? undefined : Number(number);
}

/**
 * Neither database has an aggregate for boxes. The box of a point or of a straight line along an axis is a polygon in
 * MariaDB, and a point or line in MySQL, which computes no boxes of geographic coordinates.
 */
function writeExtent(flavour: MysqlFlavour, { name }: TableColumn): string {
  const own = quoteName(name);
  const box = flavour === 'mariadb' ? `ST_Envelope(${own})` : `ST_Envelope(ST_SRID(${own}, 0))`;
  const ring = `ST_ExteriorRing(${box})`;
  const writeCorner = (axis: 'X' | 'Y', corner: 'least' | 'greatest'): string => {
    const polygon = `ST_${axis}(ST_PointN(${ring}, ${corner === 'least' ? 1 : 3}))`;
    if (flavour === 'mariadb') return polygon;
    const line = `ST_${axis}(${corner === 'least' ? 'ST_StartPoint' : 'ST_EndPoint'}(${box}))`;
    return `CASE ST_GeometryType(${box}) WHEN 'POINT' THEN ST_${axis}(${box}) WHEN 'LINESTRING' THEN ${line}
      WHEN 'POLYGON' THEN ${polygon} END`;
  };
  return (['least', 'greatest'] as const)
    .flatMap((corner) =>
      (['X', 'Y'] as const).map((axis) => `${corner === 'least' ? 'MIN' : 'MAX'}(${writeCorner(axis, corner)})`),
    )
    .join(', ');
}

function readExtent(row: SqlRow): Bounds | undefined {
  const [minX, minY, maxX, maxY] = row.map((each) => (each === null ? Number.NaN : Number(each)));
  const bounds = {
    minX: minX ?? Number.NaN,
    minY: minY ?? Number.NaN,
    maxX: maxX ?? Number.NaN,
    maxY: maxY ?? Number.NaN,
  };
  return Object.values(bounds).every(Number.isFinite) ? bounds : undefined;
}

/** The deadline is a setting of the session. */
async function runLimited<T>(
  flavour: MysqlFlavour,
  session: SqlSession,
  maxMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const setting = flavour === 'mariadb' ? 'max_statement_time' : 'max_execution_time';
  const [row] = await session.query(`SELECT @@SESSION.${setting}`);
  const before = Number(row?.[0] ?? 0);
  await session.run(`SET SESSION ${setting} = ${flavour === 'mariadb' ? maxMs / 1000 : maxMs}`);
  try {
    return await work();
  } finally {
    // A lost connection needs no setting.
    await session.run(`SET SESSION ${setting} = ${before}`).catch(() => undefined);
  }
}

/** Features have short floats with the digits of their text. */
function writeNumber({ name, content, filtered }: TableColumn): string | undefined {
  const isNumber = filtered.storage === 'integer' || filtered.storage === 'double' || filtered.storage === 'decimal';
  return isNumber && content.kind === 'value' ? `(${quoteName(name)} + 0e0)` : undefined;
}
