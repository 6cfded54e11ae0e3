import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish } from '../../../test/support/furnished-server.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Configuration {
  readonly format: string;
  readonly position: number;
  readonly hash: string;
  readonly scope?: readonly string[];
  readonly resources: readonly Resource[];
}

async function exported(server: TestServer, query = ''): Promise<Configuration> {
  const reply = await server.get(`/configuration${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as Configuration;
}

function at({ resources }: Configuration, path: string): Resource | undefined {
  return resources.find((resource) => resource.path === path);
}

const problems = { accept: 'application/problem+json' };

describe('export of a new server', () => {
  const server = useTestServer();

  it('contains the mandatory resources and no built-in ones', async () => {
    const { resources, ...rest } = await exported(server);

    expect(rest).toEqual({
      format: 'graticule-configuration/1',
      position: expect.any(Number),
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(resources.map(({ kind, path }) => [kind, path])).toEqual([
      ['catalogMode', '/security/acl/catalog'],
      ['accessRules', '/security/acl/layers'],
      ['accessRules', '/security/acl/rest'],
      ['accessRules', '/security/acl/services'],
      ['authProvider', '/security/authproviders/default'],
      ['authProviderOrder', '/security/authproviders/order'],
    ]);
    expect(resources[0]?.fields).toEqual({ mode: 'HIDE' });
    expect(resources[1]?.fields).toEqual({ rules: [] });
    expect(resources[5]?.fields).toEqual({ order: ['default'] });
  });

  it('requires full administrator rights regardless of REST rules', async () => {
    const as = await addUser(server, 'ann', 'READER');
    await server.post('/security/acl/rest', '{"/**:GET":"READER"}', { type: 'json' });

    expect((await server.get('/configuration', { as })).status).toBe(403);
    expect((await server.get('/configuration', { as: null })).status).toBe(401);
  });

  it.each(['?paht=/workspaces', '?path=workspaces', '?kind=workspce', '?path=/%25zz', '?dryRun=true'])(
    'rejects %s',
    async (query) => {
      expect((await server.get(`/configuration${query}`, problems)).status).toBe(400);
    },
  );

  it('returns JSON, also with an extension', async () => {
    const reply = await server.get('/configuration.json');

    expect(reply.headers['content-type']).toBe('application/json');
    expect((await server.get('/configuration', { accept: 'application/xml' })).status).toBe(406);
  });
});

describe('export of a server with one resource of each kind', () => {
  it('contains every resource with all fields in path order and no secret', async () => {
    await withMapServer(async (maps) => {
      const server = await startTestServer();
      try {
        await furnish(server, maps);
        const sealed = { dbtype: 'postgis', host: 'db.example', database: 'd', user: 'u', passwd: 'very secret' };
        const dataStore = { name: 'base', enabled: false, connectionParameters: sealed };
        await server.post('/workspaces/acme/datastores', JSON.stringify({ dataStore }), { type: 'json' });

        const reported = await exported(server);
        const paths = reported.resources.map(({ path }) => path);

        expect(paths).toEqual(paths.toSorted());
        expect(new Set(paths).size).toBe(paths.length);
        expect(new Set(reported.resources.map(({ kind }) => kind))).toEqual(
          new Set([
            ...['workspace', 'defaultWorkspace', 'style', 'urlCheck', 'dataStore', 'featureType', 'coverageStore'],
            ...['coverage', 'wmsStore', 'wmsLayer', 'wmtsStore', 'wmtsLayer', 'layer', 'layerGroup', 'template'],
            ...['globalSettings', 'loggingSettings', 'serviceSettings', 'workspaceSettings', 'userGroupService'],
            ...['user', 'group', 'role', 'authProvider', 'authProviderOrder', 'accessRules', 'catalogMode'],
            ...['dataRule', 'gridSet', 'tileLayer', 'storedQuery'],
          ]),
        );
        expect(JSON.stringify(reported)).not.toMatch(/very secret|\$argon2|the password of|"href":"http:|dateCreated/);
        expect(at(reported, '/workspaces/acme')?.fields).toEqual({
          isolated: false,
          metadata: { a: '1' },
          namespaceUri: 'http://acme.example/maps',
        });
        expect(at(reported, '/workspaces/default')).toEqual({
          kind: 'defaultWorkspace',
          path: '/workspaces/default',
          fields: { name: 'side.car' },
        });
        expect(at(reported, '/workspaces/acme/datastores/base')?.fields).toMatchObject({
          description: null,
          enabled: false,
          connectionParameters: {
            dbtype: 'postgis',
            host: 'db.example',
            database: 'd',
            user: 'u',
            passwd: { $secret: 'kept' },
          },
          files: [],
        });
        expect(at(reported, '/urlchecks/maps')?.fields).toEqual({
          description: null,
          enabled: false,
          regex: '^http://maps/.*$',
        });
        expect(at(reported, '/workspaces/acme/layers/towns')?.fields).toMatchObject({
          defaultStyle: { name: 'thick' },
          styles: { style: [{ name: 'acme:local', workspace: 'acme' }] },
          path: '/base/towns',
          enabled: true,
          advertised: false,
        });
        expect(at(reported, '/security/usergroup/user/ann')?.fields).toEqual({
          enabled: true,
          password: { $secret: 'kept' },
        });
        expect(at(reported, '/security/usergroup/service/club/user/cleo')?.kind).toBe('user');
        expect(at(reported, '/security/usergroup/group/crew')?.fields).toEqual({ users: ['ann'] });
        expect(at(reported, '/security/roles/role/WRITER')?.fields).toEqual({ users: [], groups: ['crew'] });
        expect(at(reported, '/security/acl/layers')?.fields).toMatchObject({
          rules: expect.arrayContaining([{ rule: 'acme.towns.w', roles: ['WRITER'] }]),
        });
        expect(at(reported, '/workspaces/acme/styles/local')?.fields).toMatchObject({
          content: lineSld('local', '#00ff00'),
          images: {},
          format: 'sld',
        });
      } finally {
        await server.close();
      }
    });
  });
});

describe('configuration export', () => {
  const server = useTestServer();

  it('has the hash of its resources as ETag, which a client can compute and send', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"a b"}}', { type: 'json' });
    const reply = await server.get('/configuration');
    const { resources, hash } = reply.json() as Configuration;

    expect(hash).toBe(`sha256:${createHash('sha256').update(canonical(resources)).digest('hex')}`);
    expect(reply.headers['etag']).toBe(`"${hash}"`);
    expect((await server.get('/configuration', { headers: { 'if-none-match': `"${hash}"` } })).status).toBe(304);
    expect((await server.get('/configuration', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect(resources.map(({ path }) => path)).toContain('/workspaces/a%20b');
  });

  it('is identical byte for byte until the next change', async () => {
    const [one, other] = [await server.get('/configuration'), await server.get('/configuration')];

    expect(other.text).toBe(one.text);
  });

  it('has the same hash on two servers with the same configuration and different histories', async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    try {
      const workspace = (name: string) => JSON.stringify({ workspace: { name } });
      await one.post('/workspaces', workspace('x'), { type: 'json' });
      await other.post('/workspaces', workspace('y'), { type: 'json' });
      await other.put('/workspaces/y', workspace('z'), { type: 'json' });
      await other.put('/workspaces/z', JSON.stringify({ workspace: { name: 'x' } }), { type: 'json' });
      await other.put('/namespaces/x', JSON.stringify({ namespace: { uri: 'http://x' } }), { type: 'json' });

      expect((await exported(other)).hash).toBe((await exported(one)).hash);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('is filtered by path and kind and has the hash of the filtered resources', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
    await server.post('/workspaces', '{"workspace":{"name":"acme2"}}', { type: 'json' });
    await server.post('/workspaces/acme/styles?name=thick', lineSld('thick'), { type: SLD_TYPE });

    const inside = await exported(server, '?path=/workspaces/acme');
    const two = await exported(server, '?path=/workspaces/acme&path=/workspaces/a%20b&kind=workspace');

    expect(inside.scope).toEqual(['/workspaces/acme']);
    expect(inside.resources.map(({ path }) => path)).toEqual(['/workspaces/acme', '/workspaces/acme/styles/thick']);
    expect(inside.hash).not.toBe((await exported(server)).hash);
    expect(two.resources.map(({ path }) => path)).toEqual(['/workspaces/a%20b', '/workspaces/acme']);
    expect((await exported(server, '?path=/nowhere')).resources).toEqual([]);
  });

  it('states its filters, also by kind alone, and then has no differences in either mode', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"harbour"}}', { type: 'json' });
    await server.post('/workspaces/harbour/styles?name=pier', lineSld('pier'), { type: SLD_TYPE });
    const compare = async (document: object, mode: string) =>
      (
        await server.post(`/configuration/diff?mode=${mode}`, JSON.stringify(document), { type: 'json', ...problems })
      ).json() as {
        readonly hash: string;
        readonly steps: readonly { readonly path: string }[];
      };

    const workspaces = await exported(server, '?kind=workspace&kind=style');
    const all = await exported(server, '?path=/');
    const one = { ...workspaces, resources: workspaces.resources.filter(({ path }) => !path.endsWith('/pier')) };
    const foreign = { ...workspaces, kinds: ['workspace'] };

    expect(workspaces).toMatchObject({ scope: ['/'], kinds: ['workspace', 'style'] });
    expect(all).toMatchObject({ scope: ['/'], hash: (await exported(server)).hash });
    for (const mode of ['merge', 'mirror']) {
      expect(await compare(workspaces, mode)).toMatchObject({ hash: workspaces.hash, steps: [] });
    }
    expect((await compare(one, 'mirror')).steps.map(({ path }) => path)).toEqual(['/workspaces/harbour/styles/pier']);
    expect(await compare(foreign, 'merge')).toMatchObject({ code: 'outside-scope' });
    expect(await compare({ ...workspaces, kinds: ['boat'] }, 'merge')).toMatchObject({ code: 'query-invalid' });
  });

  it('contains metadata of settings as keys and values, and accepts either form', async () => {
    const apply = async (metadata: unknown) => {
      const fields = { metadata, settings: { metadata } };
      const resources = [{ kind: 'globalSettings', path: '/settings', fields }];
      const document = JSON.stringify({ format: 'graticule-configuration/1', resources });
      return (await server.post('/configuration/apply', document, { type: 'json' })).json() as {
        readonly change: number | null;
      };
    };
    const plain = { one: '1', two: 'ä & <b>' };
    const entries = { entry: Object.entries(plain).map(([key, $]) => ({ '@key': key, $ })) };
    const nested = { entry: [{ '@key': 'range', min: 'low' }] };

    const first = await apply(entries);
    const reported = at(await exported(server), '/settings')?.fields;
    const again = [await apply(plain), await apply(entries)];
    await apply(nested);
    const deep = at(await exported(server), '/settings')?.fields;

    expect(first.change).not.toBe(null);
    expect(reported).toMatchObject({ metadata: plain, settings: { metadata: plain } });
    expect(again.map(({ change }) => change)).toEqual([null, null]);
    expect(deep).toMatchObject({ metadata: nested });
    expect((await apply(nested)).change).toBe(null);
    await apply(null);
  });

  it('contains a configured log level even if it equals the start option', async () => {
    const put = (body: string) => server.request('PUT', '/logging', { body, type: 'json' });
    const shown = (await server.get('/logging.json')).text;

    await put(shown);
    const untouched = at(await exported(server), '/logging');
    const { logging } = JSON.parse(shown) as { readonly logging: { readonly level: string } };
    await put(JSON.stringify({ logging: { level: logging.level } }));

    expect(untouched).toBeUndefined();
    expect(at(await exported(server), '/logging')?.fields).toMatchObject({ level: logging.level });
  });

  it('lists uploaded files by path, size and hash', async () => {
    const upload = { type: 'application/zip', body: zipOf({ wells: pointShapefile(3) }) };
    expect((await server.request('PUT', '/workspaces/acme/datastores/wells/file.shp', upload)).status).toBe(201);

    const { resources } = await exported(server, '?kind=dataStore');
    const files = resources[0]?.fields['files'] as readonly { path: string; bytes: number; sha256: string }[];

    expect(files.map(({ path }) => path)).toEqual(['wells.dbf', 'wells.prj', 'wells.shp', 'wells.shx']);
    for (const { bytes, sha256 } of files) {
      expect(bytes).toBeGreaterThan(0);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('contains a built-in style after a change', async () => {
    expect(at(await exported(server), '/styles/line')).toBeUndefined();

    await server.put('/styles/line', lineSld('line', '#0000ff'), { type: SLD_TYPE });

    expect(at(await exported(server), '/styles/line')?.fields).toMatchObject({ content: lineSld('line', '#0000ff') });
  });

  it('contains neither the built-in administrator nor the keystore', async () => {
    const text = JSON.stringify(await exported(server));

    expect(text).not.toContain(ADMIN_PASSWORD);
    expect(text).not.toMatch(/keystore|user\/admin"/);
  });
});

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
