/** Resolved filters as SQL with parameters, at the edge of its module. */
export type { SqlColumn, SqlDialect, SqlIdentifiers, SqlParameter, SqlTable } from './sql/dialect.ts';
export { createPostgisDialect } from './sql/postgis.ts';
export { postgresDialect, writeBoxSql } from './sql/postgres.ts';
export { sqliteDialect } from './sql/sqlite.ts';
export { type SqlFilter, writeSqlFilter } from './sql/writer.ts';
