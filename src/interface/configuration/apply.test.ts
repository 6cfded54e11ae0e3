import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish, USER_PASSWORD } from '../../../test/support/furnished-server.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import {
  type Reply,
  type RequestOptions,
  startTestServer,
  type TestServer,
  useTestServer,
} from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { geotiffBytes, granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Configuration {
  readonly position: number;
  readonly hash: string;
  readonly resources: readonly Resource[];
}

const format = 'graticule-configuration/1';

function post(server: TestServer, body: string | Buffer, query = '', options: RequestOptions = {}) {
  const sent = { type: 'application/json', accept: 'application/problem+json, application/json', body, ...options };
  return server.request('POST', `/configuration/apply${query}`, sent);
}

function apply(
  server: TestServer,
  resources: readonly unknown[],
  query = '',
  { message, ...options }: RequestOptions & { readonly message?: string } = {},
): Promise<Reply> {
  const document = { format, resources, ...(message === undefined ? {} : { message }) };
  return post(server, JSON.stringify(document), query, options);
}

async function exported(server: TestServer, query = ''): Promise<Configuration> {
  return (await server.get(`/configuration${query}`)).json() as Configuration;
}

/** Excludes database files and the blob folders. */
function filesOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => !/sqlite|disk\.reserve|^(?:blobs|sets|files)(?:\/..)?$/.test(name)).toSorted();
}

/** Returns a plan without the members that only a committed change has. */
function exceptChange(reply: Reply): unknown {
  return { ...(reply.json() as object), change: null };
}

const workspace = (name: string, fields: object = {}): Resource => ({
  kind: 'workspace',
  path: `/workspaces/${name}`,
  fields: { ...fields },
});

const check = (name: string, fields: object): Resource => ({
  kind: 'urlCheck',
  path: `/urlchecks/${name}`,
  fields: { ...fields },
});

describe('applying a configuration', () => {
  const server = useTestServer();

  it('runs the steps as one change, in any order of resources', async () => {
    const before = await exported(server);

    const reply = await apply(
      server,
      [
        { kind: 'defaultWorkspace', path: '/workspaces/default', fields: { name: 'harbour' } },
        {
          kind: 'style',
          path: '/workspaces/harbour/styles/pier',
          fields: { filename: 'pier.sld', content: lineSld('pier') },
        },
        workspace('harbour', { namespaceUri: 'http://harbour.example', metadata: { owner: 'port' } }),
        check('ci', { regex: '^https://ci/.*$', enabled: true }),
        {
          kind: 'accessRules',
          path: '/security/acl/layers',
          fields: { rules: [{ rule: 'harbour.*.r', roles: 'CREW' }] },
        },
        { kind: 'role', path: '/security/roles/role/CREW', fields: { users: ['ann'] } },
        { kind: 'user', path: '/security/usergroup/user/ann', fields: { password: USER_PASSWORD } },
        { kind: 'group', path: '/security/usergroup/group/crew', fields: { users: ['ann'] } },
        { kind: 'catalogMode', path: '/security/acl/catalog', fields: { mode: 'MIXED' } },
      ],
      '',
      { message: 'open the harbour' },
    );

    expect(reply.status, reply.text).toBe(200);
    const plan = reply.json() as { change: number; hash: string };
    expect(plan).toMatchObject({ mode: 'merge', hash: before.hash, change: before.position + 1 });
    expect(reply.headers['graticule-change']).toBe(String(plan.change));
    const { changes, position } = (await server.get('/history?limit=1')).json() as {
      changes: readonly { sequence: number; what: string }[];
      position: number;
    };
    expect(changes).toMatchObject([{ sequence: plan.change, what: 'open the harbour' }]);
    expect(position).toBe(before.position + 1);
    expect((await exported(server, '?path=/workspaces')).resources).toMatchObject([
      { path: '/workspaces/default', fields: { name: 'harbour' } },
      { path: '/workspaces/harbour', fields: { namespaceUri: 'http://harbour.example', metadata: { owner: 'port' } } },
      { path: '/workspaces/harbour/styles/pier', fields: { content: lineSld('pier') } },
    ]);
    expect((await server.get('/about/version', { as: `ann:${USER_PASSWORD}` })).status).toBe(403);
  });

  it('has no change number when nothing differs', async () => {
    const { position } = await exported(server);

    const reply = await apply(server, [check('ci', { enabled: true })]);

    expect(reply.json()).toMatchObject({ change: null, steps: [], summary: { unchanged: 1 } });
    expect(reply.headers['graticule-change']).toBeUndefined();
    expect((await exported(server)).position).toBe(position);
  });

  it('keeps resources that the document omits in merge mode', async () => {
    await apply(server, [check('ci', { description: 'builds' })]);

    const { resources } = await exported(server, '?path=/urlchecks');
    expect(resources).toEqual([check('ci', { description: 'builds', enabled: true, regex: '^https://ci/.*$' })]);
  });

  it('matches the document exactly after a mirror, within its paths', async () => {
    await apply(server, [check('old', { regex: 'a' })]);

    const reply = await apply(server, [check('ci', { regex: 'b' })], '?mode=mirror&path=/urlchecks');

    expect(reply.json()).toMatchObject({ summary: { update: 1, delete: 1 } });
    expect((await exported(server, '?path=/urlchecks')).resources).toEqual([
      check('ci', { description: null, enabled: false, regex: 'b' }),
    ]);
    expect((await server.get('/workspaces/harbour')).status).toBe(200);
  });

  it('changes nothing with dryRun', async () => {
    const before = await exported(server);

    const good = await apply(server, [workspace('dry')], '?dryRun=true');
    const bad = await apply(server, [workspace('dry'), check('dry', { regex: '(' })], '?dryRun=true');

    expect(good.json()).toMatchObject({ change: null, steps: [{ action: 'create', path: '/workspaces/dry' }] });
    expect(good.headers['graticule-dry-run']).toBe('true');
    expect(bad.status).toBe(422);
    expect(await exported(server)).toEqual(before);
  });

  it('requires the configuration that If-Match names', async () => {
    const { hash } = await exported(server, '?path=/urlchecks');
    const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });

    const moved = await apply(server, [check('x', { regex: 'a' })], '?path=/urlchecks', ifMatch('"sha256:0"'));
    const same = await apply(server, [check('x', { regex: 'a' })], '?path=/urlchecks', ifMatch(`"${hash}"`));
    const again = await apply(server, [check('y', { regex: 'a' })], '?path=/urlchecks', ifMatch(`"${hash}"`));

    expect(moved.status).toBe(412);
    expect(moved.json()).toMatchObject({ code: 'configuration-moved', hash });
    expect(same.status, same.text).toBe(200);
    expect(again.status).toBe(412);
    expect((await server.get('/urlchecks/y')).status).toBe(404);
  });

  it('is rejected as a whole with all problems', async () => {
    const before = await exported(server);

    const reply = await apply(server, [
      workspace('fine'),
      workspace('bad:name'.replace(':', '%3A')),
      check('bad', { regex: '(', enabled: 'perhaps' }),
      {
        kind: 'dataStore',
        path: '/workspaces/nowhere/datastores/a',
        fields: { connectionParameters: { dbtype: 'x' } },
      },
      { kind: 'user', path: '/security/usergroup/user/new', fields: { password: { $secret: 'kept' } } },
      { ...workspace('odd'), fields: { frob: 1 } },
    ]);

    expect(reply.status, reply.text).toBe(422);
    const { code, errors } = reply.json() as { code: string; errors: readonly { path: string; code: string }[] };
    expect(code).toBe('configuration-invalid');
    expect(errors.map((error) => error.path).toSorted()).toEqual([
      '/security/usergroup/user/new',
      '/urlchecks/bad',
      '/workspaces/bad%3Aname',
      '/workspaces/nowhere/datastores/a',
      '/workspaces/odd',
    ]);
    expect(errors).toContainEqual(expect.objectContaining({ field: '/password', code: 'secret-needed' }));
    expect(errors).toContainEqual(expect.objectContaining({ field: '/frob', code: 'names-unknown' }));
    const others = await apply(server, [
      workspace('fine'),
      workspace('bad%3Aname'),
      check('bad', { regex: 'a', enabled: 'perhaps' }),
      {
        kind: 'dataStore',
        path: '/workspaces/nowhere/datastores/a',
        fields: { connectionParameters: { dbtype: 'x' } },
      },
      { kind: 'featureType', path: '/workspaces/nowhere/datastores/a/featuretypes/b', fields: {} },
    ]);
    expect(others.status).toBe(422);
    expect(others.json()).toMatchObject({
      errors: [
        { path: '/workspaces/bad%3Aname', code: 'name-illegal' },
        { path: '/urlchecks/bad', field: '/enabled', code: 'document-invalid' },
        { path: '/workspaces/nowhere/datastores/a', code: expect.any(String), message: expect.any(String) },
      ],
    });
    expect(await exported(server)).toEqual(before);
  });

  it('accepts new secrets, keeps existing ones, and returns none', async () => {
    const login = (password: string) => server.get('/security/self/password', { as: `ann:${password}` });
    const path = '/security/usergroup/user/ann';

    const kept = await apply(server, [
      { kind: 'user', path, fields: { password: { $secret: 'kept' }, enabled: true } },
    ]);
    const changed = await apply(server, [{ kind: 'user', path, fields: { password: 'another password' } }]);

    expect(kept.json()).toMatchObject({ steps: [] });
    expect(changed.json()).toMatchObject({
      steps: [{ changes: [{ field: '/password', before: '(secret)', after: '(secret)' }] }],
    });
    expect((await login('another password')).status).not.toBe(401);
    expect((await login(USER_PASSWORD)).status).toBe(401);
  });

  it('rejects a kept secret where none exists, on creation and on change', async () => {
    const kept = { $secret: 'kept' };
    const connectionParameters = { dbtype: 'postgis', host: 'db.example', database: 'd', user: 'u', passwd: 'hidden' };
    const path = '/workspaces/keeping/datastores/db';
    const store = (parameters: object) => ({
      kind: 'dataStore',
      path,
      fields: { enabled: false, connectionParameters: parameters },
    });
    expect((await apply(server, [workspace('keeping'), store(connectionParameters)])).status).toBe(200);
    const before = await exported(server);

    const misplaced = await apply(server, [
      { kind: 'workspace', path: '/workspaces/keeping', fields: { namespaceUri: kept } },
      check('new', { regex: kept }),
    ]);
    const inMap = await apply(server, [store({ ...connectionParameters, host: kept, passwd: kept })]);
    const right = await apply(server, [store({ ...connectionParameters, passwd: kept })]);

    expect(misplaced.status, misplaced.text).toBe(422);
    expect(misplaced.json()).toMatchObject({
      errors: [
        { path: '/workspaces/keeping', field: '/namespaceUri', code: 'document-invalid' },
        { path: '/urlchecks/new', field: '/regex', code: 'document-invalid' },
      ],
    });
    expect(inMap.status, inMap.text).toBe(422);
    expect(inMap.json()).toMatchObject({
      errors: [{ path, field: '/connectionParameters/host', code: 'document-invalid' }],
    });
    expect(right.json()).toMatchObject({ change: null, steps: [] });
    expect(await exported(server)).toEqual(before);
  });

  it('includes webhooks without their signing secrets', async () => {
    const opened = check('hooks', { regex: '^https://ci\\.example/.*$', enabled: true });
    const path = '/webhooks/ci';
    const hook = {
      kind: 'webhook',
      path,
      fields: { url: 'https://ci.example/hook', secret: 'sign with this', enabled: false },
    };

    const reply = await apply(server, [hook, opened]);

    expect(reply.status, reply.text).toBe(200);
    expect((await exported(server, '?kind=webhook')).resources).toEqual([
      {
        kind: 'webhook',
        path,
        fields: {
          enabled: false,
          expand: false,
          kinds: [],
          paths: [],
          secret: { $secret: 'kept' },
          url: 'https://ci.example/hook',
        },
      },
    ]);
  });

  it('can be undone like any other change', async () => {
    const before = await exported(server);
    const reply = await apply(server, [workspace('undone'), check('undone', { regex: 'a' })]);

    const undone = await server.request('POST', `/history/${reply.headers['graticule-change']}/undo`);

    expect(undone.status, undone.text).toBe(200);
    expect((await exported(server)).hash).toBe(before.hash);
  });

  it('rejects removing the administrator rights of the caller and deleting undeletable resources', async () => {
    const boss = await addUser(server, 'boss', 'ADMIN');
    const { resources } = await exported(server);
    const without = (path: string) => resources.filter((resource) => resource.path !== path);

    const self = await post(
      server,
      JSON.stringify({ format, resources: without('/security/usergroup/user/boss') }),
      '?mode=mirror',
      { as: boss },
    );
    const roles = await post(
      server,
      JSON.stringify({ format, resources: without('/security/roles/role/ADMIN') }),
      '?mode=mirror',
      { as: boss },
    );

    expect(self.status, self.text).toBe(422);
    expect(roles.status, roles.text).toBe(422);
    expect(roles.json()).toMatchObject({ errors: [{ path: '/security/usergroup/user/boss' }] });
    expect((await server.get('/security/roles', { as: boss })).status).toBe(200);
  });

  it('rejects resources whose data is unreachable', async () => {
    const before = await exported(server);
    const store = '/workspaces/cascading/wmsstores/gone';

    const reply = await apply(server, [
      workspace('cascading'),
      check('here', { regex: '^http://127\\.0\\.0\\.1:.*$', enabled: true }),
      { kind: 'wmsStore', path: store, fields: { capabilitiesURL: 'http://127.0.0.1:1/wms' } },
      { kind: 'wmsLayer', path: `${store}/wmslayers/states`, fields: {} },
    ]);

    expect([reply.status, reply.json()]).toMatchObject([
      422,
      { errors: [{ path: `${store}/wmslayers/states`, code: 'store-unreachable' }] },
    ]);
    expect(await exported(server)).toEqual(before);
  });

  it('requires full administrator rights', async () => {
    const as = await addUser(server, 'reader', 'READER');

    expect((await apply(server, [], '', { as })).status).toBe(403);
    expect((await apply(server, [], '', { as: null })).status).toBe(401);
  });
});

describe('uploaded data', () => {
  it('is transferred to another server with an archive, and on the same server by hash', async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    try {
      await one.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
      const upload = { type: 'application/zip', body: zipOf({ wells: pointShapefile(3) }) };
      await one.request('PUT', '/workspaces/acme/datastores/wells/file.shp', upload);
      await one.post('/styles?name=thick', lineSld('thick'), { type: SLD_TYPE });
      await one.put('/layers/acme:wells', '{"layer":{"defaultStyle":{"name":"thick"}}}', { type: 'json' });
      const { text, headers } = await one.get('/configuration');
      const archive = await one.get('/configuration', { accept: 'application/zip' });

      const bare = await post(other, text, '?mode=mirror');
      const before = await readdir(other.dataDir, { recursive: true });
      const tried = await post(other, archive.bytes, '?mode=mirror&dryRun=true', {
        type: 'application/zip',
        accept: 'application/vnd.graticule.change+json',
      });
      expect(tried.status, tried.text).toBe(200);
      const { items } = tried.json() as { items: readonly { kind: string; path: string | null; action: string }[] };
      expect(items).toContainEqual(
        expect.objectContaining({ path: '/workspaces/acme/layers/wells', action: 'create' }),
      );
      expect(filesOf(await readdir(other.dataDir, { recursive: true }))).toEqual(filesOf(before));
      const whole = await post(other, archive.bytes, '?mode=mirror', { type: 'application/zip' });

      expect(archive.headers).toMatchObject({ 'content-type': 'application/zip', etag: headers['etag'] });
      expect(bare.status).toBe(422);
      expect(bare.json()).toMatchObject({
        errors: [{ path: '/workspaces/acme/datastores/wells', field: '/files', code: 'files-missing' }],
      });
      expect(whole.status, whole.text).toBe(200);
      expect((await exported(other)).hash).toBe((await exported(one)).hash);
      const featuresOf = async (server: TestServer) => {
        const reply = await server.get('//geoserver/ogc/features/v1/collections/acme:wells/items?f=json');
        return (reply.json() as { readonly features: readonly unknown[] }).features;
      };
      expect(await featuresOf(other)).toHaveLength(3);
      expect(await featuresOf(other)).toEqual(await featuresOf(one));

      const copy = JSON.parse(text.replaceAll('/workspaces/acme', '/workspaces/copy')) as Configuration;
      const mine = copy.resources.filter(({ path }) => path.startsWith('/workspaces/copy'));
      const again = await apply(
        one,
        mine.map((each) => (each.kind === 'workspace' ? { ...each, fields: { isolated: false } } : each)),
      );
      expect(again.status, again.text).toBe(200);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('may be a raster or the granules of a mosaic, which are harvested', async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    try {
      const stores = '/workspaces/acme/coveragestores';
      const moved = async () => {
        const { bytes } = await one.get('/configuration', { accept: 'application/zip' });
        return post(other, bytes, '?mode=mirror', { type: 'application/zip' });
      };
      await one.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
      await one.request('PUT', `${stores}/dem/file.geotiff`, { type: 'image/tiff', body: geotiffBytes(30, 20) });

      const raster = await moved();

      expect(raster.status, raster.text).toBe(200);
      expect((await exported(other)).hash).toBe((await exported(one)).hash);
      const granule = granuleBytes({ left: 10, top: 45, pixel: 0.25, epsg: 4326 });
      const body = zipOfFiles({ 'west.tif': granule });
      await one.request('PUT', `${stores}/many/file.imagemosaic`, { type: 'application/zip', body });
      const { bytes } = await one.get('/configuration', { accept: 'application/zip' });
      const tried = await post(other, bytes, '?mode=mirror&dryRun=true', { type: 'application/zip' });
      const mosaic = await moved();

      expect([tried.status, mosaic.status], mosaic.text).toEqual([200, 200]);
      expect(exceptChange(tried)).toEqual(exceptChange(mosaic));
      expect((await exported(other)).hash).toBe((await exported(one)).hash);
      const granules = `${stores}/many/coverages/many/index/granules.json`;
      expect((await other.get(granules)).text).toBe((await one.get(granules)).text);

      const more = zipOfFiles({ 'east.tif': granuleBytes({ left: 20, top: 45, pixel: 0.25, epsg: 4326 }) });
      await one.request('POST', `${stores}/many/file.imagemosaic`, { type: 'application/zip', body: more });
      const changed = await moved();

      expect(changed.status, changed.text).toBe(200);
      expect(changed.json()).toMatchObject({ summary: { create: 0, update: 1, delete: 0 } });
      expect((await exported(other)).hash).toBe((await exported(one)).hash);
      const locations = async (server: TestServer) =>
        [...(await server.get(granules)).text.matchAll(/"location":"([^"]*)"/g)].map(([, name]) => name).toSorted();
      expect(await locations(other)).toEqual(await locations(one));
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it.each([
    ['no document', 'files/x'],
    ['a file that is not named by its hash', `files/${'0'.repeat(64)}`],
  ])('is rejected in an archive with %s', async (_what, name) => {
    const server = await startTestServer();
    try {
      const { writePackage } = await import('../../styling/package/write-package.ts');
      const document = Buffer.from(JSON.stringify({ format, resources: [] }));
      const body = await writePackage(
        { name: name === 'files/x' ? 'other.json' : 'configuration.json', bytes: document },
        [{ name, bytes: Buffer.from('other bytes') }],
      );

      expect((await post(server, body, '', { type: 'application/zip' })).status).toBe(400);
    } finally {
      await server.close();
    }
  });
});

describe('configuration templates', () => {
  const server = useTestServer();
  const header = '/resource/templates/header.ftl';
  const template = (fields: object) => [{ kind: 'template', path: header, fields }];

  it('are exported, created, changed and deleted like other resources, with any content', async () => {
    const made = await apply(server, template({ content: 'one\n' }));
    const known = await exported(server, `?path=${header}`);
    const changed = await apply(server, template({ contentBase64: '//4A' }));
    const again = await apply(server, template({ contentBase64: '//4A' }));

    expect([made.status, changed.status], changed.text).toEqual([200, 200]);
    expect(known.resources).toEqual(template({ content: 'one\n' }));
    expect((await server.get(header)).bytes).toEqual(Buffer.from([0xff, 0xfe, 0]));
    expect((await exported(server, '?kind=template')).resources).toEqual(template({ contentBase64: '//4A' }));
    expect(again.json()).toMatchObject({ change: null, steps: [] });
    expect((await apply(server, template({ content: 'text again' }))).status).toBe(200);
    expect((await server.get(header)).text).toBe('text again');
    expect((await apply(server, [], `?mode=mirror&path=${header}`)).json()).toMatchObject({
      steps: [{ action: 'delete', kind: 'template', path: header }],
    });
    expect((await server.get(header)).status).toBe(404);
  });

  it('are rejected for an unknown resource', async () => {
    const path = '/resource/workspaces/missing/header.ftl';

    const reply = await apply(server, [{ kind: 'template', path, fields: { content: '' } }]);

    expect(reply.json()).toMatchObject({ errors: [{ path, code: 'resource-unknown' }] });
  });
});

describe('export of a server with one resource of each kind', () => {
  it.each(['graticule', 'geoserver'] as const)(
    'reproduces an empty server with the same hash as %s',
    async (compat) => {
      await withMapServer(async (maps) => {
        const [one, other] = await Promise.all([startTestServer({ compat }), startTestServer({ compat })]);
        try {
          await furnish(one, maps);
          const reported = await exported(one);
          const { cp } = await import('node:fs/promises');
          const { join } = await import('node:path');
          await cp(join(one.dataDir, 'data'), join(other.dataDir, 'data'), { recursive: true });
          const secrets = reported.resources.map((resource) =>
            resource.kind === 'user'
              ? { ...resource, fields: { ...resource.fields, password: USER_PASSWORD } }
              : resource,
          );

          const reply = await apply(other, secrets, '?mode=mirror');

          expect(reply.status, reply.text).toBe(200);
          expect((await exported(other)).resources).toEqual(reported.resources);
          expect((await exported(other)).hash).toBe(reported.hash);
        } finally {
          await Promise.all([one.close(), other.close()]);
        }
      });
    },
  );
});

describe('mirror of one kind', () => {
  const added = [
    { kind: 'workspace', path: '/workspaces/zz', fields: { namespaceUri: 'http://zz' } },
    { kind: 'style', path: '/styles/zz', fields: { content: lineSld('zz'), filename: 'zz.sld' } },
    { kind: 'user', path: '/security/usergroup/user/zz', fields: { enabled: true, password: USER_PASSWORD } },
    { kind: 'group', path: '/security/usergroup/group/zz', fields: { users: [] } },
  ];

  it('leaves all other kinds unchanged', async () => {
    await withMapServer(async (maps) => {
      const server = await startTestServer({});
      try {
        await furnish(server, maps);
        for (const resource of added) {
          const before = await exported(server);
          const narrowed = await exported(server, `?kind=${resource.kind}`);
          const document = { ...narrowed, resources: [...narrowed.resources, resource] };

          const reply = await post(server, JSON.stringify(document), '?mode=mirror');

          expect(reply.json(), reply.text).toMatchObject({ summary: { create: 1, update: 0, delete: 0 } });
          const { resources } = await exported(server);
          expect(resources.filter(({ path }) => path !== resource.path)).toEqual(before.resources);
        }
      } finally {
        await server.close();
      }
    });
  });
});
