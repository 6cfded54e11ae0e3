import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

/** Returns whether the next request is logged. */
async function logsRequests(server: TestServer): Promise<boolean> {
  const before = server.log.length;
  await server.get('/workspaces.json');
  return server.log.slice(before).some((line) => line.includes('"msg":"request"'));
}

const level = (name: string | null) => JSON.stringify({ logging: { level: name } });

describe('logging settings', () => {
  let server: TestServer;
  const dataDir = useTemporaryFolder('logging');
  beforeAll(async () => {
    server = await startTestServer({ dataDir });
  });
  afterAll(() => server.close());

  it('are returned in the terms of the reference server', async () => {
    expect((await server.get('/logging.json')).json()).toEqual({
      logging: { level: 'DEFAULT_LOGGING', stdOutLogging: true },
    });
    expect((await server.get('/logging.xml')).text).toBe(`<logging>
  <level>DEFAULT_LOGGING</level>
  <stdOutLogging>true</stdOutLogging>
</logging>
`);
  });

  it('are unchanged by their own document', async () => {
    const { text } = await server.get('/logging.json');

    const reply = await server.put('/logging', text);

    expect([reply.status, reply.headers['graticule-change'], reply.headers['warning']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  it('change the running server, except in a dry run', async () => {
    const tried = await server.put('/logging?dryRun=true', level('PRODUCTION_LOGGING'));
    const afterTry = await logsRequests(server);
    const quiet = await server.put('/logging', level('PRODUCTION_LOGGING.properties'));
    const afterChange = await logsRequests(server);
    const loud = await server.put('/logging', '<logging><level>debug</level></logging>', { type: 'xml' });

    expect([tried.status, quiet.status, loud.status]).toEqual([200, 200, 200]);
    expect([afterTry, afterChange, await logsRequests(server)]).toEqual([true, false, true]);
    expect((await server.get('/logging.json')).json()).toMatchObject({ logging: { level: 'debug' } });
  });

  it('return to the start option when they are cleared', async () => {
    await server.put('/logging', level('QUIET_LOGGING'));
    await server.put('/logging', level(null));

    expect((await server.get('/logging.json')).json()).toMatchObject({ logging: { level: 'DEFAULT_LOGGING' } });
    expect(await logsRequests(server)).toBe(true);
  });

  it('store the log location with a warning that it has no effect', async () => {
    const reply = await server.put('/logging', '{"logging":{"location":"../../etc/passwd","stdOutLogging":false}}');

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain('not to a file');
    expect(reply.headers['warning']).toContain('stdOutLogging is stored but has no effect');
    expect((await server.get('/logging.json')).json()).toMatchObject({
      logging: { location: '../../etc/passwd', stdOutLogging: false },
    });
  });

  it('reject an unknown level', async () => {
    const reply = await server.put('/logging', level('LOUD'));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("found 'LOUD'")]);
  });

  it('require administrator rights', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');

    expect((await server.get('/logging', { as: ann })).status).toBe(403);
    expect((await server.put('/logging', level('debug'), { as: ann })).status).toBe(403);
  });

  it('survive a restart unless the operator overrides them', async () => {
    await server.put('/logging', level('PRODUCTION_LOGGING'));
    await server.close();
    const second = await startTestServer({ dataDir });
    const kept = await logsRequests(second);
    await second.close();

    server = await startTestServer({ dataDir, flags: ['--log-level', 'debug'] });

    expect([kept, await logsRequests(server)]).toEqual([false, true]);
  });
});

describe('cache reset', () => {
  const server = useTestServer();

  async function openStores(): Promise<number> {
    const { text } = await server.get('//metrics');
    return Number(/^graticule_store_sources_open (\d+)$/m.exec(text)?.[1]);
  }

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.request('PUT', '/workspaces/acme/datastores/towns/file.shp', {
      type: 'application/zip',
      body: zipOf({ towns: pointShapefile() }),
    });
  });

  it.each(['reset', 'reload'])('by %s returns an empty body, for POST and PUT', async (what) => {
    for (const method of ['POST', 'PUT']) {
      await server.get('/workspaces/acme/datastores/towns/featuretypes.json?list=all');
      const before = await openStores();

      const tried = await server.request(method, `/${what}?dryRun=true`);
      const afterTry = await openStores();
      const reply = await server.request(method, `/${what}`);

      expect([before, tried.status, afterTry]).toEqual([1, 200, 1]);
      expect([reply.status, reply.text, await openStores()]).toEqual([200, '', 0]);
      const types = await server.get('/workspaces/acme/datastores/towns/featuretypes.json?list=all');
      expect(types.text).toContain('towns');
    }
    expect((await server.get(`/${what}`)).status).toBe(405);
  });

  it('requires administrator rights', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');

    expect((await server.request('POST', '/reset', { as: ann })).status).toBe(403);
    expect((await server.request('POST', '/reload', { as: ann })).status).toBe(403);
  });
});

describe('fonts', () => {
  it('are those that the server draws with, independent of the machine', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());

    const { fonts } = (await server.get('/fonts.json')).json() as { fonts: readonly string[] };

    expect(fonts).toEqual([
      ...['Arimo', 'Carlito', 'Cousine'].flatMap((family) =>
        ['Bold', 'Bold Italic', 'Italic', 'Regular'].map((style) => `${family} ${style}`),
      ),
      'DejaVu Sans',
      'DejaVu Sans Bold',
      'DejaVu Sans Bold Oblique',
      'DejaVu Sans Mono',
      'DejaVu Sans Mono Bold',
      'DejaVu Sans Mono Bold Oblique',
      'DejaVu Sans Mono Oblique',
      'DejaVu Sans Oblique',
      'DejaVu Serif',
      'DejaVu Serif Bold',
      'DejaVu Serif Bold Italic',
      'DejaVu Serif Italic',
      ...['Bold', 'Bold Italic', 'Italic', 'Regular'].map((style) => `Tinos ${style}`),
    ]);
    expect((await server.get('/fonts.xml')).text).toMatch(
      /^<root>\n {2}<fonts>\n {4}<entry>Arimo Bold<\/entry>\n {4}<entry>Arimo Bold Italic<\/entry>/,
    );
    expect((await server.get('/fonts.html')).text).toContain('DejaVu Serif');
  });
});
