/** PostGIS sources for tests. */
import type { ConnectionParameters } from '../../src/vector/port/driver.ts';
import type { VectorSource } from '../../src/vector/port/port.ts';
import { postgisDriver } from '../../src/vector/postgis/driver.ts';
import type { PostgisConnection } from './services/postgis.ts';

export function postgisParameters(connection: PostgisConnection): ConnectionParameters {
  const { host, port, database, user, password } = connection;
  return { dbtype: 'postgis', host, port: String(port), database, user, passwd: password };
}

export function openPostgis(
  connection: PostgisConnection,
  parameters: ConnectionParameters = {},
): Promise<VectorSource> {
  return postgisDriver.open(
    { ...postgisParameters(connection), ...parameters },
    { resolvePath: async (named) => named },
  );
}
