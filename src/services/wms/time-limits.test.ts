/** Time limits of maps, with remote servers that never respond, so that only a limit can end a request. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wmsCapabilities } from '../../../test/support/capabilities.ts';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { type RemoteServer, startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });

let remote: RemoteServer;

beforeAll(async () => {
  await publishSquares(server);
  const check = { regexUrlCheck: { name: 'maps', enabled: true, regex: '^http://maps\\.example\\.com:\\d+/.*$' } };
  await server.post('/urlchecks', JSON.stringify(check));
});

/** Answers GetCapabilities only. */
beforeEach(async () => {
  remote = await startRemoteServer((request, response) => {
    if (request.url?.includes('GetCapabilities')) response.end(wmsCapabilities);
  });
  await server.delete('/workspaces/topo/wmsstores/silent?recurse=true');
  const capabilitiesURL = `http://maps.example.com:${remote.port}/ows`;
  await server.post('/workspaces/topo/wmsstores', JSON.stringify({ wmsStore: { name: 'silent', capabilitiesURL } }));
  const made = await server.post('/workspaces/topo/wmsstores/silent/wmslayers', '{"wmsLayer":{"name":"roads"}}');
  expect(made.status, made.text).toBe(201);
});

afterEach(() => set({ maxRenderingTime: 0, remoteStyleTimeout: null, remoteStyleMaxRequestTime: null }));

async function set(wms: Readonly<Record<string, unknown>>): Promise<void> {
  const reply = await server.put('/services/wms/settings', JSON.stringify({ wms }));
  expect(reply.status, reply.text).toBe(200);
}

describe('map that exceeds its time limit', () => {
  it.each(['PARTIALMAP', 'application/vnd.gs.wms_partial'])(
    'contains the layers before the slow one if the client accepts partial maps: %s',
    async (exceptions) => {
      const layers = `layers=topo:west,topo:roads,topo:east&exceptions=${exceptions}`;
      let reply = await askMap(server, `${SMALL_MAP}&${layers}&format_options=timeout:1`);
      // On a slow machine the limit is increased until the remote server is requested, which follows the first layer.
      for (let time = 250; !remote.asked.some((each) => each.includes('GetMap')); time *= 2) {
        reply = await askMap(server, `${SMALL_MAP}&${layers}&format_options=timeout:${time}`);
      }

      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
      expect(reply.headers['warning']).toContain('The map is incomplete');
      expect([await colourAt(reply, 4, 4), await colourAt(reply, 4, 15)]).toEqual(['#ff0000', '#ff0000']);
      expect([await colourAt(reply, 15, 4), await colourAt(reply, 15, 15)]).toEqual(['#ffffff', '#ffffff']);
    },
  );

  it('is rejected for other clients after the configured number of seconds', async () => {
    await set({ maxRenderingTime: 1 });

    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west,topo:roads`);

    expect(reply.status).toBe(503);
    expect(reply.text).toContain('the limit of 1 second');
  });
});

describe('remote style that does not arrive', () => {
  it.each([
    [{ remoteStyleTimeout: 150 }, 150],
    [{ remoteStyleMaxRequestTime: 170 }, 170],
    [{ remoteStyleTimeout: 190, remoteStyleMaxRequestTime: 160 }, 160],
  ] as const)('is awaited for the configured time: %o', async (settings, milliseconds) => {
    await set(settings);
    const url = encodeURIComponent(`http://maps.example.com:${remote.port}/style.sld`);

    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west&sld=${url}`);

    expect(reply.text).toContain('locator="sld"');
    expect(reply.text).toContain(`it could not be fetched within ${milliseconds} ms`);
  });
});
