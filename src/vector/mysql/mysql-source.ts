/** MySQL and MariaDB behind the vector port: the tables and views of one database. */
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { VectorSource } from '../port/port.ts';
import { SessionPool } from '../sql/session-pool.ts';
import { createSqlSource } from '../sql/sql-source.ts';
import { isLostConnection, toProblem } from './connection/failure.ts';
import { MysqlSession, openMysqlSession } from './connection/mysql-session.ts';
import type { MysqlSettings } from './connection/parameters.ts';
import { dialects } from './dialect.ts';

/** Connects on first use. */
export function openMysql(settings: MysqlSettings, filterRunner: FilterRunner = inlineFilterRunner): VectorSource {
  const pool = new SessionPool({
    open: () => openMysqlSession(settings),
    maxSessions: settings.maxConnections,
    maxWaitMs: settings.connectTimeoutMs,
    idleTimeoutMs: settings.idleTimeoutMs,
    isLost: isLostConnection,
    toProblem: (error) => toProblem(error, settings.database),
  });
  return createSqlSource({
    pool,
    getDialect: (session) => dialects[session instanceof MysqlSession ? session.flavour : 'mysql'],
    exposesPrimaryKeys: settings.exposesPrimaryKeys,
    filterRunner,
  });
}
