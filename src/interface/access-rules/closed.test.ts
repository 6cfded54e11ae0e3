import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const rules = '/security/acl/layers';
const closedRule = { '*.*.r': 'ROLE_ADMINISTRATOR' };

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(() => rm(server.dataDir, { recursive: true, force: true }));
  return server;
}

/** Stops the server and starts it again on the same storage. */
async function restart(server: TestServer, flags: readonly string[]): Promise<TestServer> {
  await server.server.close();
  const again = await startTestServer({ dataDir: server.dataDir, flags });
  onTestFinished(() => again.close());
  return again;
}

async function publish(server: TestServer): Promise<void> {
  await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
  const reply = await putZip(
    server,
    '/workspaces/acme/datastores/places/file.shp',
    zipOf({ places: pointShapefile() }),
  );
  expect(reply.status, reply.text).toBe(201);
}

/** Returns whether WMS, WFS and OGC API Features show the layer, in this order. */
async function shownBy(server: TestServer, as: string | null): Promise<readonly boolean[]> {
  const addresses = [
    '//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities',
    '//geoserver/wfs?service=WFS&version=2.0.0&request=GetCapabilities',
    '//geoserver/ogc/features/v1/collections?f=json',
  ];
  const replies = await Promise.all(addresses.map((address) => server.get(address, { as })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  return replies.map(({ text }) => text.includes('acme:places'));
}

const toAll = [true, true, true];
const toNone = [false, false, false];

describe.each([undefined, 'geoserver'] as const)('layers of a new server with compat %s', (compat) => {
  const base = compat === undefined ? {} : { compat };

  it('are readable without credentials', async () => {
    const server = await start(base);
    onTestFinished(() => server.close());
    await publish(server);

    expect(await shownBy(server, null)).toEqual(toAll);
  });

  it('are readable by administrators only when the server was started with --closed', async () => {
    const server = await start({ ...base, flags: ['--closed'] });
    onTestFinished(() => server.close());
    await publish(server);

    expect((await server.get(`${rules}.json`)).json()).toMatchObject(closedRule);
    expect((await server.get('/security/acl/catalog.json')).json()).toEqual({ mode: 'HIDE' });
    expect(await shownBy(server, null)).toEqual(toNone);
    expect(await shownBy(server, 'admin:a password for tests')).toEqual(toAll);
    expect(server.log.join('')).toContain('closed: the rule *.*.r=ROLE_ADM');
  });
});

describe('--closed on a later start', () => {
  it('leaves the rules of an open server unchanged and logs a warning', async () => {
    const first = await start();
    await publish(first);

    const again = await restart(first, ['--closed']);

    expect((await again.get(`${rules}.json`)).json()).toEqual({});
    expect(await shownBy(again, null)).toEqual(toAll);
    expect(again.log.join('')).toContain(
      '--closed was ignored, because it applies only to the first start on an empty catalog',
    );
  });

  it('leaves a closed server unchanged', async () => {
    const again = await restart(await start({ flags: ['--closed'] }), ['--closed']);

    expect((await again.get(`${rules}.json`)).json()).toEqual(closedRule);
    expect(again.log.join('')).toContain(
      '--closed had no effect: a rule for *.*.r already restricts who can read layers',
    );
  });

  it('does not restore a rule that an administrator has deleted', async () => {
    const first = await start({ flags: ['--closed'] });
    expect((await first.delete(`${rules}/*.*.r`)).status).toBe(200);

    const again = await restart(first, ['--closed']);

    expect((await again.get(`${rules}.json`)).json()).toEqual({});
    expect(again.log.join('')).toContain('--closed was ignored');
  });

  it('is not required for a closed server to stay closed', async () => {
    const again = await restart(await start({ flags: ['--closed'] }), []);

    expect((await again.get(`${rules}.json`)).json()).toEqual(closedRule);
  });
});
