/** Tables with the test rows of filters, in SQLite as in a GeoPackage, in PostGIS and in MariaDB. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { ResolvedFilter } from '../../src/filter/model/resolved-filter.ts';
import { compilePredicate } from '../../src/filter/predicate/predicate.ts';
import {
  createMysqlDialect,
  createPostgisDialect,
  type SqlDialect,
  type SqlFilter,
  type SqlTable,
  sqliteDialect,
  writeSqlFilter,
} from '../../src/filter/sql/sql.ts';
import { computeGeometryBounds } from '../../src/geometry/geometry-bounds.ts';
import { encodeWkb } from '../../src/geometry/wkb-encode.ts';
import { type TestRow, testRowAccess } from './filter-rows.ts';
import type { MariadbUnderTest } from './with-mariadb.ts';
import type { PostgisUnderTest } from './with-postgis.ts';

export interface RowSelection extends SqlFilter {
  readonly ids: readonly number[];
}

export interface RowDatabase {
  fill(rows: readonly TestRow[]): Promise<void>;
  /** Selects rows with the SQL of the filter, and tests them with its remainder. */
  select(filter: ResolvedFilter): Promise<RowSelection>;
}

const plainColumns: SqlTable['columns'] = new Map([
  ['name', { name: 'name', storage: 'text' }],
  ['code', { name: 'the "code"', storage: 'text' }],
  ['pop', { name: 'pop', storage: 'integer' }],
  ['area', { name: 'area', storage: 'double' }],
  ['open', { name: 'open', storage: 'boolean' }],
  ['photo', { name: 'photo', storage: 'other' }],
]);
const identifiers: SqlTable['identifiers'] = { prefix: 'rows.', columns: [{ name: 'id', storage: 'integer' }] };

export const postgisRowTable: SqlTable = {
  columns: new Map([
    ...plainColumns,
    ['time', { name: 'time', storage: 'timestamptz' }],
    ['until', { name: 'until', storage: 'timestamp' }],
    ['geom', { name: 'geom', storage: 'geometry', srid: 4326 }],
  ]),
  identifiers,
};

const sqliteTable: SqlTable = {
  columns: new Map([
    ...plainColumns,
    ['time', { name: 'time', storage: 'epochMs' }],
    ['until', { name: 'until', storage: 'epochMs' }],
    ['geom', { name: 'geom', storage: 'geometry', spatialIndex: { table: 'boxes', key: 'id' } }],
  ]),
  identifiers,
};

async function selectRows(
  filter: ResolvedFilter,
  {
    rows,
    dialect,
    table,
    relation = 'rows',
  }: {
    readonly rows: readonly TestRow[];
    readonly dialect: SqlDialect;
    readonly table: SqlTable;
    readonly relation?: string;
  },
  query: (sql: string, parameters: SqlFilter['parameters']) => Promise<readonly { readonly id: unknown }[]>,
): Promise<RowSelection> {
  const written = writeSqlFilter(filter, dialect, table);
  const finish = await compilePredicate(written.remainder ?? { kind: 'constant', value: true }, testRowAccess);
  const found = new Set(
    (await query(`SELECT id FROM ${relation} WHERE ${written.sql}`, written.parameters)).map(({ id }) => id),
  );
  return { ...written, ids: rows.filter((row) => found.has(row.id) && finish(row)).map(({ id }) => id) };
}

export function createSqliteRows(): RowDatabase {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "the ""code""" TEXT, pop INTEGER, area REAL,
      open INTEGER, time INTEGER, until INTEGER, geom BLOB, photo BLOB);
    CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx, miny, maxy);`);
  let rows: readonly TestRow[] = [];
  return {
    async fill(filled) {
      rows = filled;
      database.exec('DELETE FROM rows; DELETE FROM boxes;');
      const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)');
      const index = database.prepare('INSERT INTO boxes VALUES (?, ?, ?, ?, ?)');
      for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
        insert.run(
          ...[id, name, code, pop, area, open === null ? null : Number(open), time, until],
          geom && new Uint8Array(),
        );
        const bounds = geom === null ? undefined : computeGeometryBounds(geom);
        if (bounds !== undefined) index.run(id, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY);
      }
    },
    select: (filter) =>
      selectRows(filter, { rows, dialect: sqliteDialect, table: sqliteTable }, async (sql, parameters) =>
        database
          .prepare(sql)
          .all(...(parameters as SQLInputValue[]))
          .map(({ id }) => ({ id })),
      ),
  };
}

export async function createPostgisRows({ query }: Pick<PostgisUnderTest, 'query'>): Promise<RowDatabase> {
  await query("SET timezone = 'Asia/Kathmandu'");
  await query(`CREATE TABLE rows (id integer PRIMARY KEY, name text, "the ""code""" text, pop bigint,
    area double precision, open boolean, time timestamptz, until timestamp, geom geometry(Geometry, 4326), photo bytea)`);
  const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const dialect = createPostgisDialect();
  let rows: readonly TestRow[] = [];
  return {
    async fill(filled) {
      rows = filled;
      await query('TRUNCATE rows');
      for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
        const bytes = geom === null ? null : Buffer.from(encodeWkb(geom, { srid: 4326 }));
        await query('INSERT INTO rows VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ST_GeomFromEWKB($9), NULL)', [
          ...[id, name, code, pop, area, open],
          ...[moment(time), moment(until)?.slice(0, -1), bytes],
        ]);
      }
    },
    select: (filter) =>
      selectRows(filter, { rows, dialect, table: postgisRowTable }, async (sql, parameters) =>
        (await query(sql, parameters)).map((row) => ({ id: row['id'] })),
      ),
  };
}

const mysqlTable: SqlTable = {
  columns: new Map([
    ...plainColumns,
    ['time', { name: 'time', storage: 'timestamp' }],
    ['until', { name: 'until', storage: 'timestamp' }],
    ['geom', { name: 'geom', storage: 'geometry', srid: 4326 }],
  ]),
  identifiers,
};

export async function createMysqlRows({ query }: Pick<MariadbUnderTest, 'query'>): Promise<RowDatabase> {
  await query(`SET time_zone = '+00:00'; CREATE TABLE \`rows\` (id integer PRIMARY KEY, name text COLLATE utf8mb4_general_ci,
    \`the "code"\` varchar(20) COLLATE utf8mb4_unicode_ci, pop bigint, area double, open boolean, time timestamp(3) NULL,
    until datetime(3), geom geometry, photo blob)`);
  const moment = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
  const dialect = createMysqlDialect('mariadb');
  let rows: readonly TestRow[] = [];
  return {
    async fill(filled) {
      rows = filled;
      await query('DELETE FROM `rows`');
      for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
        await query('INSERT INTO `rows` VALUES (?, ?, ?, ?, ?, ?, ?, ?, ST_GeomFromWKB(?, 4326), NULL)', [
          ...[id, name, code, pop === null ? null : String(pop), area, open],
          ...[moment(time), moment(until), geom === null ? null : Buffer.from(encodeWkb(geom))],
        ]);
      }
    },
    select: (filter) =>
      selectRows(filter, { rows, dialect, table: mysqlTable, relation: '`rows`' }, async (sql, parameters) =>
        (
          await query(
            sql,
            parameters.map((each) => (each instanceof Uint8Array ? Buffer.from(each) : each)),
          )
        ).map((row) => ({ id: row['id'] })),
      ),
  };
}
