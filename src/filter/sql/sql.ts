/** Public interface of the SQL module: resolved filters as SQL with parameters. */
export type { SqlColumn, SqlDialect, SqlIdentifiers, SqlParameter, SqlTable } from './dialect.ts';
export { createMysqlDialect, type MysqlFlavour } from './mysql.ts';
export { createPostgisDialect } from './postgis.ts';
export { postgresDialect, writeBoxSql } from './postgres.ts';
export { quoteNameWithBackticks } from './quote-sql.ts';
export { sqliteDialect } from './sqlite.ts';
export { type SqlFilter, writeSqlFilter } from './writer.ts';
