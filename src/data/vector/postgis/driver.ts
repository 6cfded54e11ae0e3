/** PostGIS behind the vector port: the tables and views of one schema of a PostgreSQL database. */
import { problem } from '../../../lib/problem.ts';
import type { VectorDriver } from '../driver.ts';
import type { VectorSource } from '../port.ts';
import { openConnections } from './connections.ts';
import { createTable, dropTable } from './create-table.ts';
import { describeTable } from './describe.ts';
import { objectionToPostgis, type PostgisSettings, postgisParameterNames, readPostgisSettings } from './parameters.ts';
import { readTable } from './read.ts';
import { findTable, listTables } from './table.ts';

export const postgisDriver: VectorDriver = {
  type: 'PostGIS',
  accepts: (parameters) => parameters['dbtype']?.trim().toLowerCase() === 'postgis',
  parameterNames: postgisParameterNames,
  objection: objectionToPostgis,
  async open(parameters) {
    const objection = objectionToPostgis(parameters);
    if (objection !== undefined) throw problem('store-parameter-invalid', objection);
    const settings = readPostgisSettings(parameters);
    if (settings.user === '') {
      // The driver below would log in as the user who runs the server.
      throw problem('store-unreachable', { name: settings.database, reason: 'its parameters name no user' });
    }
    return createSource(settings);
  },
};

/** Nothing is connected before something is asked. */
function createSource(settings: PostgisSettings): VectorSource {
  const connections = openConnections(settings);
  const { schema } = settings;
  return {
    listTypes: (signal) => connections.ask(signal, (client) => listTables(client, schema)),
    describe: (name, signal) =>
      connections.ask(signal, async (client) => {
        const table = await findTable(client, schema, name);
        return table === undefined ? undefined : describeTable(client, table, settings);
      }),
    read: (name, query, signal) => readTable(connections, settings, name, query, signal),
    createType: (type, signal) => connections.use(signal, (client) => createTable(client, schema, type)),
    dropType: (name, signal) => connections.use(signal, (client) => dropTable(client, schema, name)),
    close: () => connections.close(),
  };
}
