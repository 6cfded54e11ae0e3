import { describe, expect, it } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish } from '../../../test/support/furnished-server.ts';
import {
  type RequestOptions,
  startTestServer,
  type TestServer,
  useTestServer,
} from '../../../test/support/test-server.ts';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const format = 'graticule-configuration/1';

function diff(server: TestServer, resources: readonly unknown[], query = '', more: object = {}) {
  return post(server, JSON.stringify({ format, resources, ...more }), query);
}

function post(server: TestServer, body: string | Buffer, query = '', options: RequestOptions = {}) {
  const sent = { type: 'application/json', accept: 'application/problem+json, application/json', body, ...options };
  return server.request('POST', `/configuration/diff${query}`, sent);
}

const check = (name: string, fields: object): Resource => ({
  kind: 'urlCheck',
  path: `/urlchecks/${name}`,
  fields: { ...fields },
});

describe('configuration diff', () => {
  const server = useTestServer();

  it('reports created and changed resources field by field', async () => {
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"ci","description":"old","regex":"a"}}', {
      type: 'json',
    });
    const reported = (await server.get('/configuration')).json() as { position: number; hash: string };

    const reply = await diff(server, [
      check('ci', { description: 'new' }),
      { kind: 'workspace', path: '/workspaces/harbour', fields: {} },
      { kind: 'catalogMode', path: '/security/acl/catalog', fields: { mode: 'HIDE' } },
    ]);

    expect(reply.status, reply.text).toBe(200);
    expect(reply.json()).toEqual({
      mode: 'merge',
      position: reported.position,
      hash: reported.hash,
      change: null,
      unverified: [],
      summary: { create: 1, update: 1, delete: 0, unchanged: 1 },
      steps: [
        { action: 'create', kind: 'workspace', path: '/workspaces/harbour' },
        {
          action: 'update',
          kind: 'urlCheck',
          path: '/urlchecks/ci',
          changes: [{ field: '/description', before: 'old', after: 'new' }],
        },
      ],
    });
    expect(reply.headers['graticule-change']).toBeUndefined();
    expect((await server.get('/configuration')).json()).toMatchObject(reported);
  });

  it('deletes nothing in merge mode and all unlisted resources in mirror mode', async () => {
    const reported = (await server.get('/configuration')).json() as { resources: readonly Resource[] };
    const left = reported.resources.filter(({ kind }) => kind !== 'urlCheck');

    expect((await diff(server, left)).json()).toMatchObject({ steps: [] });
    expect((await diff(server, left, '?mode=mirror')).json()).toMatchObject({
      mode: 'mirror',
      summary: { create: 0, update: 0, delete: 1, unchanged: left.length },
      steps: [{ action: 'delete', kind: 'urlCheck', path: '/urlchecks/ci' }],
    });
  });

  it('resets omitted fields to their default in mirror mode', async () => {
    const reply = await diff(server, [check('ci', { regex: 'a' })], '?mode=mirror&path=/urlchecks');

    expect(reply.json()).toMatchObject({
      steps: [{ changes: [{ field: '/description', before: 'old', after: null }] }],
    });
  });

  it('compares only the requested paths', async () => {
    const inside = await diff(server, [check('ci', { regex: 'b' })], '?path=/urlchecks&mode=mirror');
    const outside = await diff(server, [{ kind: 'workspace', path: '/workspaces/x', fields: {} }], '?path=/urlchecks');

    expect(inside.json()).toMatchObject({ summary: { update: 1, delete: 0 } });
    expect(outside.status).toBe(400);
    expect(outside.json()).toMatchObject({ code: 'outside-scope' });
  });

  it('never returns secrets, old or new', async () => {
    await server.post('/security/usergroup/users', '{"user":{"userName":"eve","password":"first secret"}}', {
      type: 'json',
    });
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
    const parameters = { dbtype: 'postgis', host: 'db.example', database: 'd', user: 'u', passwd: 'first secret' };
    const dataStore = { name: 'base', enabled: false, connectionParameters: parameters };
    await server.post('/workspaces/acme/datastores', JSON.stringify({ dataStore }), { type: 'json' });

    const reply = await diff(server, [
      { kind: 'user', path: '/security/usergroup/user/eve', fields: { password: 'second secret' } },
      {
        kind: 'dataStore',
        path: '/workspaces/acme/datastores/base',
        fields: { connectionParameters: { ...parameters, passwd: 'second secret', token: 'third secret' } },
      },
    ]);

    expect(reply.text).not.toMatch(/(first|second|third) secret/);
    expect(reply.json()).toMatchObject({
      steps: [
        {
          kind: 'dataStore',
          changes: [
            { field: '/connectionParameters/passwd', before: '(secret)', after: '(secret)' },
            { field: '/connectionParameters/token', before: null, after: '(secret)' },
          ],
        },
        { kind: 'user', changes: [{ field: '/password', before: '(secret)', after: '(secret)' }] },
      ],
    });
  });

  it('contains no steps for secrets that the server already has', async () => {
    const secret = { old: 'as it was', new: 'as it was not' };
    const parameters = { dbtype: 'postgis', host: 'db.example', database: 'd', user: 'u' };
    const ldap = {
      className: 'org.geoserver.security.ldap.LDAPAuthenticationProvider',
      serverURL: 'ldaps://ldap.example/dc=acme',
      userDnPattern: 'uid={0}',
      bindBeforeGroupSearch: true,
      user: 'cn=reader',
    };
    const listSecretResources = (value: string) => [
      { kind: 'workspace', path: '/workspaces/sealed', fields: {} },
      check('secrets', { regex: '^https://[a-z]+\\.example/.*$', enabled: true }),
      {
        kind: 'dataStore',
        path: '/workspaces/sealed/datastores/base',
        fields: { enabled: false, connectionParameters: { ...parameters, passwd: value } },
      },
      {
        kind: 'wmsStore',
        path: '/workspaces/sealed/wmsstores/remote',
        fields: { enabled: false, capabilitiesURL: 'https://maps.example/wms', user: 'u', password: value },
      },
      {
        kind: 'webhook',
        path: '/webhooks/sealed',
        fields: { url: 'https://ci.example/', enabled: false, secret: value },
      },
      { kind: 'user', path: '/security/usergroup/user/sealed', fields: { password: value } },
      { kind: 'authProvider', path: '/security/authproviders/sealed', fields: { ...ldap, password: value } },
    ];
    const body = JSON.stringify({ format, resources: listSecretResources(secret.old) });
    const applied = await server.request('POST', '/configuration/apply', { type: 'json', body });
    expect(applied.status, applied.text).toBe(200);

    const same = await diff(server, listSecretResources(secret.old));
    const changed = await diff(server, listSecretResources(secret.new));

    expect(same.json()).toMatchObject({ steps: [], summary: { unchanged: 7 } });
    expect(changed.json()).toMatchObject({ summary: { update: 5, unchanged: 2 } });
    expect(`${same.text}${changed.text}`).not.toMatch(/as it was/);
  });

  it('contains no step for a webhook with a text instead of a list of one kind', async () => {
    const hook = (kinds: unknown) => ({ kind: 'webhook', path: '/webhooks/sealed', fields: { kinds } });
    await server.put('/webhooks/sealed', '{"webhook":{"kinds":["layer"]}}', { type: 'json' });

    expect((await diff(server, [hook('layer')])).json()).toMatchObject({ steps: [] });
    expect((await diff(server, [hook('style')])).json()).toMatchObject({
      steps: [{ changes: [{ field: '/kinds', before: ['layer'], after: ['style'] }] }],
    });
  });

  it('changes only other fields of a resource whose given secret is the stored one', async () => {
    const resource = {
      kind: 'dataStore',
      path: '/workspaces/sealed/datastores/base',
      fields: {
        connectionParameters: {
          entry: [
            { '@key': 'dbtype', $: 'postgis' },
            { '@key': 'host', $: 'other.example' },
            { '@key': 'database', $: 'd' },
            { '@key': 'user', $: 'u' },
            { '@key': 'passwd', $: 'as it was' },
          ],
        },
      },
    };

    expect((await diff(server, [resource])).json()).toMatchObject({
      steps: [{ changes: [{ field: '/connectionParameters/host', before: 'db.example', after: 'other.example' }] }],
    });
  });

  it('creates parents before children and deletes children before parents', async () => {
    const mirror = await diff(server, [], '?mode=mirror&path=/workspaces/acme');
    const merge = await diff(server, [
      { kind: 'dataStore', path: '/workspaces/new/datastores/a', fields: {} },
      { kind: 'workspace', path: '/workspaces/new', fields: {} },
    ]);

    expect(mirror.json()).toMatchObject({ steps: [{ kind: 'dataStore' }, { kind: 'workspace' }] });
    expect(merge.json()).toMatchObject({ steps: [{ kind: 'workspace' }, { kind: 'dataStore' }] });
  });

  it.each([
    ['"description":"a","description":"b"', "the member 'description' is given twice"],
    ['"more":{"a":1,"a":2}', "the member 'a' is given twice"],
  ])('rejects fields with %s like a single document', async (field, reason) => {
    const resource = `{"kind":"urlCheck","path":"/urlchecks/a","fields":{"enabled":true,"regex":"^a$",${field}}}`;

    const reply = await post(server, `{"format":"${format}",\n"resources":[${resource}]}`);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
    expect(reply.text).toContain('line 2');
  });

  it.each([
    ['nothing', ''],
    ['invalid JSON', '{"format":'],
    ['a value that is not an object', '[]'],
    ['text after its end', `{"format":"${format}","resources":[]} x`],
    ['another format', '{"format":"other/1","resources":[]}'],
    ['no resources', `{"format":"${format}"}`],
    ['resources that are not a list', `{"format":"${format}","resources":{}}`],
    ['an unknown member', `{"format":"${format}","resources":[],"sope":[]}`],
    ['another unknown member', `{"format":"${format}","resources":[],"__proto__":[]}`],
    ['an invalid resource', `{"format":"${format}","resources":[1]}`],
    ['a resource without fields', `{"format":"${format}","resources":[{"kind":"workspace","path":"/workspaces/a"}]}`],
    ['a long message', `{"format":"${format}","resources":[],"message":"${'x'.repeat(501)}"}`],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['deep nesting', `{"format":"${format}","resources":[${'['.repeat(200)}${']'.repeat(200)}]}`],
  ])('rejects a body with %s', async (_what, body) => {
    const reply = await post(server, body);

    expect(reply.status, reply.text).toBe(400);
  });

  it.each([
    ['an unknown kind', [{ kind: 'wrkspace', path: '/workspaces/a', fields: {} }], 'wrkspace'],
    [
      'a kind that does not match its path',
      [check('a', {}), { ...check('a', {}), path: '/workspaces/a' }],
      'does not match its kind',
    ],
    [
      'another kind at a fixed path',
      [{ kind: 'workspace', path: '/workspaces/default', fields: {} }],
      'does not match its kind',
    ],
    ['a path twice', [check('a', {}), check('a', {})], 'twice'],
    ['a path that is not encoded', [check('a b', {})], 'normal form'],
    ['a path with another encoding', [check('%61', {})], 'normal form'],
    ['a path with dots', [{ kind: 'workspace', path: '/workspaces/../workspaces/a', fields: {} }], 'normal form'],
    ['a path with an empty name', [check('', {})], 'normal form'],
    ['a path with a query', [check('a?b=c', {})], 'normal form'],
    ['an unknown member of a resource', [{ ...check('a', {}), field: {} }], 'field'],
  ])('rejects %s with 400', async (_what, resources, message) => {
    const reply = await diff(server, resources);

    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(message);
  });

  it('reports every unknown field', async () => {
    const reply = await diff(server, [check('a', { regx: 'x' }), check('b', { __proto__: 1, name: 'b' })]);

    expect(reply.status).toBe(422);
    expect(reply.json()).toMatchObject({
      code: 'configuration-invalid',
      errors: [
        { path: '/urlchecks/a', field: '/regx', code: 'names-unknown', message: expect.any(String) },
        { path: '/urlchecks/b', field: '/name', code: 'names-unknown', message: expect.any(String) },
      ],
    });
  });

  it.each(['?mode=both', '?moed=mirror', '?path=x', '?dryRun=perhaps'])('rejects %s', async (query) => {
    expect((await diff(server, [], query)).status).toBe(400);
  });

  it('rejects an unsupported media type and a body over the size limit', async () => {
    const other = await post(server, '<configuration/>', '', { type: 'application/xml' });
    const large = await post(server, '{}', '', { headers: { 'content-length': '300000000' } });

    expect(other.status).toBe(415);
    expect(large.status).toBe(413);
  });

  it('rejects GET', async () => {
    expect((await server.get('/configuration/diff')).status).toBe(405);
  });
});

describe('diff of an export against its own server', () => {
  it('has no steps in either mode', async () => {
    await withMapServer(async (maps) => {
      const server = await startTestServer();
      try {
        await furnish(server, maps);
        const { text } = await server.get('/configuration');

        for (const mode of ['merge', 'mirror']) {
          const reply = await post(server, text, `?mode=${mode}`);

          expect(reply.json(), mode).toMatchObject({ steps: [], summary: { create: 0, update: 0, delete: 0 } });
        }
      } finally {
        await server.close();
      }
    });
  });
});
