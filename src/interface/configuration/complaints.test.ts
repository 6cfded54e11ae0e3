/** Complaints about a configuration document must use the field names of that document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish, send } from '../../../test/support/furnished-server.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { dialects } from '../common/dialects.ts';
import { listConfigurationKinds } from './kinds/kinds.ts';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Complaint {
  readonly path: string;
  readonly field?: string;
  readonly code: string;
}

const kinds = listConfigurationKinds(dialects.graticule);
let server: TestServer;
let resources: readonly Resource[] = [];

async function complaintsAbout(resource: Resource): Promise<readonly Complaint[]> {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources: [resource] });
  const accept = 'application/problem+json, application/json';
  const reply = await server.request('POST', '/configuration/apply?dryRun=true', { type: 'json', accept, body });
  expect([200, 422], reply.text).toContain(reply.status);
  return (reply.json() as { readonly errors?: readonly Complaint[] }).errors ?? [];
}

let stop = () => {};
let stopped: Promise<void>;

/** Includes a map server as the target of the stores. */
beforeAll(async () => {
  server = await startTestServer();
  await new Promise<void>((ready) => {
    stopped = withMapServer(async (maps) => {
      await furnish(server, maps);
      ready();
      await new Promise<void>((done) => {
        stop = done;
      });
    });
  });
  const webhook = { name: 'ci', url: 'http://127.0.0.1:1/hook', enabled: false };
  await send(server, 'POST', '/webhooks', JSON.stringify({ webhook }));
  ({ resources } = (await server.get('/configuration')).json() as { readonly resources: readonly Resource[] });
});
afterAll(async () => {
  stop();
  await stopped;
  await server.close();
});

describe('a complaint about a field', () => {
  /** Values that almost every field rejects. */
  const misfits = [{ 'no such': [{ member: [[1]] }] }, 'no such: \u0001 %'];

  it.each(kinds)('names the field of a $kind on change and on creation', async (row) => {
    const found = resources.find(({ kind }) => kind === row.kind);
    expect(found).toBeDefined();
    const { kind, path, fields } = found as Resource;
    const hasMany = row.patterns.some((pattern) => /\/:[^/]+$/.test(pattern));
    for (const name of row.fieldNames) {
      for (const misfit of misfits) {
        const changed = await complaintsAbout({ kind, path, fields: { [name]: misfit } });
        const another = { kind, path: `${path}-new`, fields: { ...fields, [name]: misfit } };
        const made = hasMany ? await complaintsAbout(another) : [];

        const complaints = [...changed, ...made].filter(({ code }) => code !== 'secret-needed');
        for (const { field } of complaints) expect([undefined, `/${name}`], name).toContain(field);
      }
    }
  });

  it('names fields that REST spells differently or without a root', async () => {
    const [workspace, order, store] = await Promise.all(
      [
        { kind: 'workspace', path: '/workspaces/acme', fields: { namespaceUri: 'no such: \u0001 %' } },
        { kind: 'authProviderOrder', path: '/security/authproviders/order', fields: { order: ['missing'] } },
        { kind: 'wmsStore', path: '/workspaces/acme/wmsstores/new', fields: {} },
      ].map(complaintsAbout),
    );

    expect(workspace).toMatchObject([{ field: '/namespaceUri', code: 'document-invalid' }]);
    expect(order).toMatchObject([{ field: '/order', code: 'auth-provider-order' }]);
    expect(store).toMatchObject([{ field: '/capabilitiesURL', code: 'cascaded-store-without-url' }]);
  });

  it('names no field when the path is invalid', async () => {
    const named = { isolated: false, namespaceUri: 'http://named' };
    for (const [kind, path, fields] of [
      ['workspace', '/workspaces/bad%3Aname', {}],
      ['workspace', '/workspaces/bad%3Aname', named],
      ['user', '/security/usergroup/user/bad%3Aname', { password: 'a long password' }],
      ['urlCheck', '/urlchecks/bad%00name', { regex: '^a$' }],
    ] as const) {
      const [complaint, ...others] = await complaintsAbout({ kind, path, fields });

      expect([complaint, others]).toEqual([{ path, code: expect.any(String), message: expect.any(String) }, []]);
    }
  });
});

describe('several faulty resources', () => {
  const check = (name: string, fields: object) => ({ kind: 'urlCheck', path: `/urlchecks/${name}`, fields });

  async function send(what: 'diff' | 'apply', ...sent: readonly object[]) {
    const body = JSON.stringify({ format: 'graticule-configuration/1', resources: sent });
    const reply = await server.request('POST', `/configuration/${what}`, {
      type: 'json',
      accept: 'application/problem+json',
      body,
    });
    return { status: reply.status, ...(reply.json() as { readonly errors: readonly Complaint[] }) };
  }

  it.each(['diff', 'apply'] as const)('with errors of the form are reported together by %s', async (what) => {
    const boat = { kind: 'boat', path: '/boats/a', fields: {} };
    const surplus = { ...check('a', {}), extra: 1 };
    const misspelt = check('b', { regx: 'a' });

    expect(await send(what, boat, surplus, misspelt)).toMatchObject({
      status: 400,
      errors: [{ field: 'resources[0].kind' }, { field: 'resources[1].extra' }, { field: 'resources[2].fields.regx' }],
    });
    expect(await send(what, surplus, misspelt)).toMatchObject({
      status: 400,
      errors: [{ field: 'resources[0].extra' }, { field: 'resources[1].fields.regx' }],
    });
  });

  it('of all kinds are reported together by apply', async () => {
    const faults = [
      check('a', { regex: '(' }),
      check('b', { regex: '(' }),
      { kind: 'webhook', path: '/webhooks/a', fields: { url: 'https://nowhere.example/', kinds: 'x' } },
      { kind: 'group', path: '/security/usergroup/group/faulty', fields: { users: ['missing'] } },
      { kind: 'layerGroup', path: '/layergroups/faulty', fields: { publishables: { published: [{ name: 'no' }] } } },
    ];

    const { status, errors } = await send('apply', ...faults);

    expect(status).toBe(422);
    expect(errors.map(({ path }) => path).toSorted()).toEqual(faults.map(({ path }) => path).toSorted());
  });

  it('are reported even if a store is unreachable', async () => {
    const store = '/workspaces/acme/datastores/unreachable';
    const parameters = { dbtype: 'postgis', host: '127.0.0.1', port: '1', database: 'd', user: 'u', passwd: 'p' };
    const unreachable = [
      { kind: 'dataStore', path: store, fields: { connectionParameters: parameters } },
      { kind: 'featureType', path: `${store}/featuretypes/roads`, fields: {} },
    ];

    expect(await send('apply', ...unreachable)).toMatchObject({
      status: 422,
      errors: [{ code: 'store-unreachable' }],
    });
    expect(await send('apply', ...unreachable, check('a', { regex: '(' }))).toMatchObject({
      status: 422,
      errors: [{ path: '/urlchecks/a', code: 'regex-invalid' }, { code: 'store-unreachable' }],
    });
  });
});
