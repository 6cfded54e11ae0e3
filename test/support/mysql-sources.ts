/** MySQL sources for tests. */
import { mysqlDriver } from '../../src/vector/mysql/driver.ts';
import type { ConnectionParameters } from '../../src/vector/port/driver.ts';
import type { VectorSource } from '../../src/vector/port/port.ts';
import type { MariadbConnection } from './services/mariadb.ts';

export function mysqlParameters(connection: MariadbConnection): ConnectionParameters {
  const { host, port, database, user, password } = connection;
  return { dbtype: 'mysql', host, port: String(port), database, user, passwd: password };
}

export function openMysql(connection: MariadbConnection, parameters: ConnectionParameters = {}): Promise<VectorSource> {
  return mysqlDriver.open({ ...mysqlParameters(connection), ...parameters }, { resolvePath: async (named) => named });
}
