/** A mapping over a document database, with persisted schemas. The database runs only while they are created. */
import { stationArchive, WEATHER, withStations } from '../../test/support/station-mapping.ts';
import type { Rest } from './rest.ts';

export async function fillMapping({ send }: Rest): Promise<void> {
  await send('POST', '/namespaces', JSON.stringify({ namespace: { prefix: 'weather', uri: WEATHER } }));
  await withStations(async (_uri, server) => {
    const archive = stationArchive({ dataStore: server.uri('x'), schemaStore: server.uri('schemas') });
    const store = '/workspaces/weather/datastores/stations';
    await send('PUT', `${store}/file.appschema?configure=all`, archive, 'application/zip');
    await send('POST', '/workspaces/weather/appschemastores/stations/rebuildMongoSchemas?max=-1');
  });
}
