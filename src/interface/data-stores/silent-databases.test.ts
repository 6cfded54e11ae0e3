/** Mappings whose databases are down are accepted, and the response names the unreachable ones. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  attribute,
  createArchive,
  schemas,
  store,
  surveyMapping,
  typeMapping,
} from '../../../test/support/mapping-samples.ts';
import { stationArchive, WEATHER, withStations } from '../../../test/support/station-mapping.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

/** A port without a listener. */
const CLOSED_PORT = 1;

/** Returns the port of a server that handles each connection with the given function. */
async function portOf(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function documentsAt(port: number): Buffer {
  const schemaStore = `file:${mkdtempSync(join(tmpdir(), 'graticule-schemas-'))}`;
  return stationArchive({ dataStore: `mongodb://127.0.0.1:${port}/x`, schemaStore });
}

function postgisAt(port: number): Buffer {
  const parameters = {
    dbtype: 'postgis',
    host: '127.0.0.1',
    port: String(port),
    database: 'x',
    user: 'u',
    passwd: 'p',
  };
  const holes = typeMapping('s:Borehole', 'holes', [attribute('gml:name', 'title')], 'weather');
  return createArchive({ ...schemas, 'main.appschema': surveyMapping([holes], store('weather', parameters)) });
}

const kinds = [
  ['MongoDB', documentsAt, 'Station'],
  ['PostGIS', postgisAt, 'Borehole'],
] as const;

const silences = [
  ['refuses connections', async () => CLOSED_PORT],
  ['drops connections', () => portOf((socket) => void socket.destroy())],
  ['takes connections and says nothing', () => portOf(() => undefined)],
] as const;

describe('a mapping over a database that is down', () => {
  const server = useTestServer({ flags: ['--store-timeout-ms', '16000'] });
  beforeAll(() =>
    server.post('/namespaces', JSON.stringify({ namespace: { prefix: 'w', uri: WEATHER } }), { type: 'json' }),
  );
  const put = (name: string, body: Buffer) =>
    server.request('PUT', `/workspaces/w/datastores/${name}/file.appschema?configure=all`, {
      type: 'application/zip',
      body,
    });
  const warning = expect.stringContaining("The source data store 'weather' of the mapping is unreachable");

  it.each(
    kinds.flatMap(([kind, archiveAt, type]) =>
      silences.map(([how, listen]) => ({ kind, how, archiveAt, type, listen })),
    ),
  )('is published with a warning where $kind $how', async ({ kind, how, archiveAt, type, listen }) => {
    const name = `${kind}-${how}`.replaceAll(' ', '-');

    const reply = await put(name, archiveAt(await listen()));

    expect([reply.status, reply.headers['warning']]).toEqual([200, warning]);
    expect((await server.get(`/workspaces/w/datastores/${name}/featuretypes/${type}.json`)).status).toBe(200);
    await server.delete(`/workspaces/w/datastores/${name}?recurse=true`);
  });

  it.each(['hang', 'drop'] as const)(
    'is published with a warning where MongoDB accepts the connection and then: %s',
    (how) =>
      withStations(async (_uri, database) => {
        database.misbehave(how);

        const reply = await put(how, documentsAt(database.port));

        expect([reply.status, reply.headers['warning']]).toEqual([200, warning]);
        await server.delete(`/workspaces/w/datastores/${how}?recurse=true`);
      }),
  );
});
