/** Every write supports a dry run, which predicts the response of the real write and changes nothing. */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { withMapServer } from '../support/capabilities.ts';
import { everyRoute } from '../support/every-route.ts';
import { withStations } from '../support/station-mapping.ts';
import { type Reply, type RequestOptions, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { watchChanges } from '../support/watch-changes.ts';
import {
  cascadedTrials,
  documentTrials,
  dry,
  json,
  predicted,
  type Trial,
  trials,
  zip,
} from '../support/write-trials.ts';

/** Everything a write could leave: a change, and files except the database and the published read copies. */
async function everythingIn(server: TestServer): Promise<unknown> {
  const names = await readdir(server.dataDir, { recursive: true });
  return {
    position: server.server.storage.position(),
    files: names
      .filter((name) => !/^(?:(?:graticule|granules)\.sqlite|server\.lock|disk\.reserve|files\b)/.test(name))
      .sort(),
  };
}

describe('a dry run', () => {
  const server = useTestServer();
  const done: { readonly trial: Trial; readonly tried: Reply; readonly real: Reply; readonly moved: number }[] = [];

  async function attempt(trial: Trial): Promise<void> {
    const [row, path, sent] = trial;
    const method = row.split(' ')[0] ?? '';
    const before = await everythingIn(server);
    const tried = await server.request(method, dry(path), sent);
    expect(await everythingIn(server), `what is left of ${method} ${dry(path)}`).toEqual(before);
    const position = server.server.storage.position();
    const real = await server.request(method, path, sent);
    done.push({ trial, tried, real, moved: server.server.storage.position() - position });
  }

  let waited: readonly string[] = [];

  beforeAll(async () => {
    waited = watchChanges(server.server.storage);
    for (const trial of trials) {
      await attempt(trial);
    }
    await withMapServer(async (url) => {
      for (const trial of cascadedTrials(url)) {
        await attempt(trial);
      }
    });
    await withStations(async (uri) => {
      for (const trial of documentTrials(uri, server.dataDir)) {
        await attempt(trial);
      }
    });
    // The last two need values that only the server knows.
    const { password } = (await server.get('/security/masterpw.json')).json() as { password?: string };
    const current = password ?? (await server.get('/security/masterpw.xml')).text.replace(/<[^>]*>|\s/g, '');
    await attempt([
      'PUT /security/masterpw',
      '/security/masterpw',
      json({ oldMasterPassword: current, newMasterPassword: 'another one for tests' }),
    ]);
    await attempt([
      'PUT /security/self/password',
      '/security/self/password',
      json({ newPassword: 'another password' }),
    ]);
  });

  it('every write supports a dry run', () => {
    const writes = everyRoute().filter(({ method }) => method !== 'GET');

    const tried = [...new Set(done.map(({ trial }) => trial[0]))].sort();
    expect(tried, 'Add requests for the missing routes to test/support/write-trials.ts.').toEqual(
      [...new Set(writes.map(({ method, route }) => `${method} ${route.path}`))].sort(),
    );
  });

  it('returns the status, the body and the Location of the real write', () => {
    for (const { trial, tried, real } of done) {
      expect(predicted(tried), trial.slice(0, 2).join(' at ')).toEqual(predicted(real));
    }
  });

  it('covers successful and failing writes in this test', () => {
    const statuses = new Set(done.map(({ real }) => real.status));

    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 403, 404, 409]));
  });

  it('waits for nothing but the storage inside its transaction', () => {
    expect(waited).toEqual([]);
  });

  it('marks the response as a dry run, without an ETag or a change number', () => {
    for (const { trial, tried, real } of done) {
      expect(tried.headers, trial[1]).toMatchObject({ 'graticule-dry-run': 'true' });
      expect(tried.headers['etag'], trial[1]).toBeUndefined();
      expect(tried.headers['graticule-change'], trial[1]).toBeUndefined();
      expect(real.headers['graticule-dry-run'], trial[1]).toBeUndefined();
    }
  });

  it('leaves the change number to the real write, which makes at most one change', () => {
    // A new key is one change, and its use others: they wait for the nodes in between.
    const rotations = ['/security/keystore/data-key', '/security/keystore/server-key'];
    for (const { trial, real, moved } of done.filter((each) => !rotations.includes(each.trial[1]))) {
      expect(moved, trial[1]).toBeLessThanOrEqual(1);
      const position = Number(real.headers['graticule-position']);
      expect(real.headers['graticule-change'], trial[1]).toBe(moved === 1 ? String(position) : undefined);
    }
  });
});

describe('the parameter dryRun', () => {
  const server = useTestServer();

  it.each(['GET', 'HEAD', 'OPTIONS'])('rejects dryRun on %s', async (method) => {
    expect((await server.request(method, '/workspaces.json?dryRun=true')).status).toBe(400);
  });

  it('accepts only true and false', async () => {
    const create = (value: string) =>
      server.post(`/workspaces?dryRun=${value}`, JSON.stringify({ workspace: { name: `w-${value}` } }));

    expect((await create('perhaps')).status).toBe(400);
    expect((await create('1')).status).toBe(400);
    expect((await create('TRUE')).status).toBe(400);
    expect((await create('')).status).toBe(400);
    expect((await create('false')).headers['graticule-change']).toMatch(/^\d+$/);
    expect((await create('true')).headers['graticule-dry-run']).toBe('true');

    expect((await server.get('/workspaces/w-perhaps')).status).toBe(404);
    expect((await server.get('/workspaces/w-false')).status).toBe(200);
    expect((await server.get('/workspaces/w-true')).status).toBe(404);
  });

  it('recognizes a percent-encoded dryRun', async () => {
    const reply = await server.post('/workspaces?dr%79Run=true', '{"workspace":{"name":"escaped"}}');

    expect([reply.status, reply.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect((await server.get('/workspaces/escaped')).status).toBe(404);
  });

  it('confirms dryRun in the response for every outcome', async () => {
    const replies = [
      await server.post('/nowhere?dryRun=true', '{}'),
      await server.post('/workspaces?dryRun=true', '{}', { as: 'admin:wrong' }),
      await server.post('/workspaces?dryRun=true', '{}', { as: null }),
      await server.request('PATCH', '/workspaces?dryRun=true'),
    ];

    expect(replies.map(({ status }) => status)).toEqual([404, 401, 401, 405]);
    expect(replies.map(({ headers }) => headers['graticule-dry-run'])).toEqual(Array(4).fill('true'));
  });

  it('recognizes dryRun in any case, so that a misspelled dry run never writes', async () => {
    const create = (query: string) =>
      server.post(`/workspaces?${query}`, JSON.stringify({ workspace: { name: 'not-meant' } }));

    expect((await create('dryrun=true')).headers['graticule-dry-run']).toBe('true');
    expect((await create('DRYRUN=true')).headers['graticule-dry-run']).toBe('true');
    expect((await create('dryRun=false&dryRun=true')).status).toBe(400);

    expect((await server.get('/workspaces/not-meant')).status).toBe(404);
  });

  it('checks preconditions and permissions like any other request', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"kept"}}');

    const outdated = await server.put('/workspaces/kept?dryRun=true', '{"workspace":{"name":"x"}}', {
      headers: { 'if-match': '"1"' },
    });
    const stranger = await server.delete('/workspaces/kept?dryRun=true', { as: null });

    expect([outdated.status, stranger.status]).toEqual([412, 401]);
    expect(outdated.headers['graticule-dry-run']).toBe('true');
  });
});

describe('the change of a write', () => {
  const server = useTestServer();
  const change = 'application/vnd.graticule.change+json';

  it('returns the change on request for dry runs and real writes', async () => {
    const send = (query: string) =>
      server.post(`/workspaces${query}`, '{"workspace":{"name":"harbour"}}', { accept: change });

    const tried = await send('?dryRun=true');
    const real = await send('');

    const items = [
      {
        kind: 'workspace',
        id: expect.stringMatching(/^workspace-/),
        path: '/workspaces/harbour',
        action: 'create',
        before: null,
        after: { name: 'harbour', uri: 'http://harbour', isolated: false, metadata: {} },
      },
      expect.objectContaining({ kind: 'catalogSettings', path: '/workspaces/default' }),
    ];
    const via = { method: 'basic' };
    const what = { who: 'admin', via, what: 'create workspace harbour', undoes: null, items };
    expect([tried.status, tried.headers['content-type']]).toEqual([201, change]);
    expect(tried.json()).toEqual({ sequence: null, at: null, ...what });
    expect(real.json()).toEqual({
      sequence: Number(real.headers['graticule-change']),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ...what,
    });
    expect(real.headers['location']).toBe('http://localhost:80/geoserver/rest/workspaces/harbour');
  });

  it('has neither items nor a number if nothing changes', async () => {
    const reply = await server.put('/workspaces/harbour', '{"workspace":{"name":"harbour"}}', { accept: change });

    expect(reply.json()).toEqual({
      sequence: null,
      at: null,
      who: 'admin',
      via: { method: 'basic' },
      what: 'change workspace harbour',
      undoes: null,
      items: [],
    });
    expect(reply.headers['graticule-change']).toBeUndefined();
  });

  it('contains the address of every item', async () => {
    const upload = '/workspaces/harbour/datastores/quays/file.shp';
    const reply = await server.request('PUT', upload, {
      ...zip(zipOf({ 'main quay': pointShapefile() })),
      accept: change,
    });

    const { items } = reply.json() as { items: readonly { kind: string; path: string }[] };
    expect(items.map(({ kind, path }) => [kind, path])).toEqual([
      ['dataStore', '/workspaces/harbour/datastores/quays'],
      ['featureType', '/workspaces/harbour/datastores/quays/featuretypes/main%20quay'],
      ['layer', '/workspaces/harbour/layers/main%20quay'],
    ]);
    for (const { path } of items) {
      expect((await server.get(`${path}.json`)).status, path).toBe(200);
    }
  });

  it('contains no secrets', async () => {
    const parameters = { dbtype: 'postgis', host: '127.0.0.1', database: 'd', user: 'u', passwd: 'hunter2' };
    const entry = Object.entries(parameters).map(([key, $]) => ({ '@key': key, $ }));

    const reply = await server.post(
      '/workspaces/harbour/datastores?dryRun=true',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters: { entry } } }),
      { accept: change },
    );

    expect(reply.json()).toMatchObject({
      items: [{ path: '/workspaces/harbour/datastores/db', after: { sealedParameters: '(secret)' } }],
    });
    expect(reply.text).not.toContain('hunter2');
  });
});

describe('the change of a workspace administrator', () => {
  const server = useTestServer();
  const accept = 'application/vnd.graticule.change+json';
  let ann = '';

  interface Shown {
    readonly items: readonly { readonly kind: string; readonly path: string | null }[];
  }
  const shown = (reply: Reply) => (reply.json() as Shown).items.map(({ kind, path }) => [kind, path]);

  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', json({ workspace: { name } }).body as string);
      const upload = `/workspaces/${name}/datastores/s/file.shp`;
      await server.request('PUT', upload, zip(zipOf({ towns: pointShapefile() })));
    }
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME","acme.towns.r":"ROLE_SECRET"}');
  });

  it('contains the resources of the workspace, and none of the affected rules', async () => {
    const path = '/workspaces/acme/datastores/s/featuretypes';
    const rename = (query: string, how: RequestOptions) =>
      server.put(`${path}/towns${query}`, '{"featureType":{"name":"cities"}}', { accept, ...how });

    const toAll = await rename('?dryRun=true', {});
    const tried = await rename('?dryRun=true', { as: ann });
    const real = await rename('', { as: ann });

    expect(shown(toAll).map(([kind]) => kind)).toEqual(expect.arrayContaining(['featureType', 'accessRule']));
    expect(shown(tried)).toEqual([
      ['layer', '/workspaces/acme/layers/cities'],
      ['featureType', `${path}/cities`],
    ]);
    expect(shown(real)).toEqual(shown(tried));
    expect(Object.keys(real.json() as object)).toEqual(Object.keys(toAll.json() as object));
    expect(real.text).not.toContain('ROLE_SECRET');
    expect((await server.get('/security/acl/layers.json', { as: ann })).status).toBe(403);
  });

  it('contains no global styles, even if a rule lets the user write them', async () => {
    const carto = await addUser(server, 'carto', 'ROLE_CARTOGRAPHER');
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/styles/**:PUT': 'ROLE_CARTOGRAPHER' }));
    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_CARTOGRAPHER"}');

    const reply = await server.put('/styles/point', '{"style":{"metadata":{"a":"b"}}}', { accept, as: carto });

    expect([reply.status, shown(reply)]).toEqual([200, []]);
  });

  it('contains a deleted resource with everything inside it', async () => {
    const remove = (query: string) =>
      server.delete(`/workspaces/acme/datastores/s?recurse=true${query}`, { accept, as: ann });

    const tried = await remove('&dryRun=true');
    const real = await remove('');

    expect(
      shown(tried)
        .map(([kind]) => kind)
        .sort(),
    ).toEqual(['dataStore', 'featureType', 'layer']);
    expect(shown(real)).toEqual(shown(tried));
  });
});

describe('the position header', () => {
  const server = useTestServer();

  it('adds the position to every response to an authenticated user, including errors, and to no other', async () => {
    const created = await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const position = created.headers['graticule-change'];

    const replies = [
      await server.get('/workspaces.json'),
      await server.get('/workspaces/none'),
      await server.get('/no'),
    ];

    expect(replies.map(({ headers }) => headers['graticule-position'])).toEqual([position, position, position]);
    expect((await server.get('/workspaces.json', { as: null })).headers['graticule-position']).toBeUndefined();
    expect((await server.get('/livez')).headers['graticule-position']).toBeUndefined();
  });
});
