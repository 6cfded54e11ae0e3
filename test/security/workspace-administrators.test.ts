import { beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

async function names(server: TestServer, path: string, as: string): Promise<readonly string[]> {
  const reply = await server.get(path, { as });
  return [...reply.text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name ?? '');
}

describe('a workspace administrator', () => {
  const server = useTestServer();
  let ann = '';
  let bob = '';

  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    bob = await addUser(server, 'bob', 'ROLE_OTHER');
    for (const name of ['other', 'acme', 'acme.two', 'secret']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
    }
    await server.post(
      '/security/acl/layers',
      '{"acme.*.a":"ROLE_ACME","acme\\\\.two.*.a":"ROLE_ACME","other.*.a":"ROLE_OTHER","secret.*.r":"ROLE_ACME"}',
    );
  });

  it('sees only their own workspaces and namespaces', async () => {
    expect(await names(server, '/workspaces.xml', ann)).toEqual(['acme', 'acme.two']);
    expect(await names(server, '/namespaces.xml', ann)).toEqual(['acme', 'acme.two']);
    expect(await names(server, '/workspaces.xml', bob)).toEqual(['other']);
    expect((await server.get('/workspaces.json', { as: ann })).text).not.toContain('secret');
    expect((await server.get('/workspaces.html', { as: ann })).text).not.toContain('secret');
  });

  it.each(['/workspaces/acme', '/workspaces/acme.xml', '/namespaces/acme.json', '//geoserver/rest//workspaces/acme/'])(
    'reads their own workspace at %s',
    async (path) => {
      expect((await server.get(path, { as: ann })).status).toBe(200);
      expect((await server.request('HEAD', path, { as: ann })).status).toBe(200);
      expect((await server.request('OPTIONS', path, { as: ann })).status).toBe(200);
    },
  );

  it.each([
    ['a workspace of others', '/workspaces/secret', '/workspaces/nowhere'],
    ['a namespace of others', '/namespaces/secret', '/namespaces/nowhere'],
    ['a workspace of others with a format extension', '/workspaces/secret.json', '/workspaces/nowhere.json'],
    ['a workspace of others in percent-encoding', '/workspaces/%73ecret', '/workspaces/%6eowhere'],
    ['a workspace of others with extra slashes', '/workspaces//secret/', '/workspaces//nowhere/'],
  ])('gets the same response for %s as for a missing one', async (_what, hidden, absent) => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', '{"workspace":{"isolated":true},"namespace":{"isolated":true}}'],
      ['DELETE', undefined],
    ] as const) {
      const options = { as: ann, ...(body === undefined ? {} : { body, type: 'json' }) };
      const one = await server.request(method, hidden, options);
      const other = await server.request(method, absent, options);
      expect(one.status).toBe(404);
      expect(one.text).toBe(other.text.replaceAll('nowhere', 'secret'));
    }
    expect((await server.get('/workspaces/secret.json')).json()).toMatchObject({ workspace: { isolated: false } });
  });

  it('changes and deletes their own workspace, and cannot create one', async () => {
    await server.post('/workspaces', '<workspace><name>mine</name></workspace>');
    await server.post('/security/acl/layers', '{"mine.*.a":"ROLE_ACME"}');

    const change = '<workspace><isolated>true</isolated></workspace>';
    expect((await server.put('/workspaces/mine', change, { as: ann })).status).toBe(200);
    expect((await server.put('/workspaces/mine', change, { as: bob })).status).toBe(404);
    expect((await server.delete('/workspaces/mine', { as: bob })).status).toBe(404);
    expect((await server.delete('/workspaces/mine', { as: ann })).status).toBe(200);
    const create = '<workspace><name>mine</name></workspace>';
    expect((await server.post('/workspaces', create, { as: ann })).status).toBe(403);
    const createNamespace = '{"namespace":{"prefix":"mine","uri":"http://mine"}}';
    expect((await server.post('/namespaces', createNamespace, { as: ann })).status).toBe(403);
    expect((await server.get('/workspaces/mine')).status).toBe(404);
  });

  it('keeps a workspace after renaming it, and cannot rename it to the wildcard for all workspaces', async () => {
    await server.post('/workspaces', '<workspace><name>before</name></workspace>');
    await server.post('/security/acl/layers', '{"before.*.a":"ROLE_ACME"}');

    const rename = (name: string) => `<workspace><name>${name}</name></workspace>`;
    expect((await server.put('/workspaces/before', rename('*'), { as: ann })).status).toBe(400);
    expect((await server.put('/workspaces/before', rename('after'), { as: ann })).status).toBe(200);
    expect((await server.get('/workspaces/after', { as: ann })).status).toBe(200);
    expect((await server.get('/workspaces/secret', { as: ann })).status).toBe(404);
  });

  it('reads the default workspace if they administer it, and cannot choose it', async () => {
    await server.put('/workspaces/default', '<workspace><name>acme</name></workspace>');
    expect((await server.get('/workspaces/default', { as: ann })).status).toBe(200);
    expect((await server.get('/namespaces/default', { as: ann })).status).toBe(200);

    await server.put('/workspaces/default', '<workspace><name>secret</name></workspace>');
    for (const path of ['/workspaces/default', '/namespaces/default', '/workspaces/default.json']) {
      const reply = await server.get(path, { as: ann });
      expect(reply.status).toBe(404);
      expect(reply.text).not.toContain('secret');
    }
    const choice = '<workspace><name>acme</name></workspace>';
    expect((await server.put('/workspaces/default', choice, { as: ann })).status).toBe(403);
  });

  it('has no access to global resources', async () => {
    for (const path of [
      '/security/acl/layers',
      '/security/roles',
      '/security/masterpw',
      '/urlchecks',
      '/about/version',
    ]) {
      expect((await server.get(path, { as: ann })).status, path).toBe(403);
    }
  });

  it('loses all access on the next request after the rule is deleted', async () => {
    await server.post('/workspaces', '<workspace><name>brief</name></workspace>');
    await server.post('/security/acl/layers', '{"brief.*.a":"ROLE_OTHER"}');
    expect((await server.get('/workspaces/brief', { as: bob })).status).toBe(200);

    await server.put('/security/acl/layers', '{"brief.*.a":"ROLE_ACME"}');
    expect((await server.get('/workspaces/brief', { as: bob })).status).toBe(404);

    await server.delete('/security/acl/layers/brief.*.a');
    expect((await server.get('/workspaces/brief', { as: ann })).status).toBe(404);
  });

  it.each([
    ['HIDE', 404],
    ['MIXED', 403],
    ['CHALLENGE', 403],
  ])('gets the status of mode %s for workspaces of others: %i', async (mode, status) => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode }));

    expect((await server.get('/workspaces/secret', { as: ann })).status).toBe(status);
    expect(await names(server, '/workspaces.xml', ann)).not.toContain('secret');
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
  });
});

describe('a deleted workspace', () => {
  const server = useTestServer();

  it('passes no administrators on to a new workspace with its name, but keeps its read restrictions', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME","acme.*.r":"ROLE_ACME"}');
    expect((await server.get('/workspaces/acme', { as: ann })).status).toBe(200);

    await server.delete('/workspaces/acme');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');

    expect((await server.get('/workspaces/acme', { as: ann })).status).toBe(403);
    expect((await server.get('/security/acl/layers.json')).json()).toEqual({ 'acme.*.r': 'ROLE_ACME' });
  });
});

describe('a user without administered workspaces', () => {
  const server = useTestServer();

  it('denies access instead of returning an empty list', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_OTHER","acme.*.r":"ROLE_ANN","acme.*.w":"ROLE_ANN"}');

    for (const path of [
      '/workspaces',
      '/namespaces',
      '/workspaces/acme',
      '/workspaces/default',
      '/workspaces/nowhere',
    ]) {
      expect((await server.get(path, { as: ann })).status, path).toBe(403);
      expect((await server.get(path, { as: null })).status, path).toBe(401);
    }
  });

  it('asks anonymous users for credentials, even if a rule lets everyone administer', async () => {
    await server.post('/security/acl/layers', '{"*.*.a":"*"}');
    await server.post('/security/acl/rest', '{"/rest/workspaces/**:GET,PUT,DELETE":"*"}');

    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await server.request(method, '/workspaces/acme', { as: null })).status).toBe(401);
    }
    expect((await server.get('/workspaces/acme')).status).toBe(200);
  });
});
