import { describe, expect, it } from 'vitest';
import { startTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** Starts a server with a user `ann` of role ROLE_ANN and these REST rules. */
async function serverWith(rules: Readonly<Record<string, string>>) {
  const server = await startTestServer();
  const ann = await addUser(server, 'ann', 'ROLE_ANN');
  expect((await server.post('/security/acl/rest', JSON.stringify(rules))).status).toBe(201);
  const status = async (method: string, path: string, as: string | null = ann) =>
    (await server.request(method, path, { as })).status;
  return { server, ann, status };
}

describe('REST rules', () => {
  it('REST rules grant access to addresses in every spelling', async () => {
    const { server, status } = await serverWith({ '/rest/about/**:GET': 'ROLE_ANN' });

    for (const path of [
      '/about/version',
      '/about/version.xml',
      '/about/version.json',
      '//geoserver/rest//about/version/',
    ]) {
      expect(await status('GET', path), path).toBe(200);
      expect(await status('HEAD', path), path).toBe(200);
      expect(await status('GET', path, null), path).toBe(401);
    }
    expect(await status('GET', '/urlchecks')).toBe(403);
    await server.close();
  });

  it('REST rules never grant access to the history or to backups, not even to users who administer every workspace', async () => {
    const { server, status } = await serverWith({ '/rest/**:GET,POST': '*' });
    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_ANN"}');

    expect(await status('GET', '/workspaces')).toBe(200);
    expect(await status('GET', '/history')).toBe(403);
    expect(await status('GET', '/backup')).toBe(403);
    // The id of a lock permits changes of its features.
    expect(await status('GET', '/locks')).toBe(403);
    expect(await status('GET', '/history/1')).toBe(403);
    expect(await status('GET', '/events?after=0')).toBe(403);
    expect(await status('POST', '/history/5/undo')).toBe(403);
    expect(await status('POST', '/history/0/restore')).toBe(403);
    await server.close();
  });

  it('REST rules are updated in place when a workspace is renamed', async () => {
    const { server } = await serverWith({
      '/rest/workspaces/acme/styles/**:GET': 'ROLE_OTHER',
      '/rest/workspaces/acme/**:GET': 'ROLE_ANN',
      '/rest/workspaces/acme*:GET': 'ROLE_ANN',
      '/rest/workspaces/other/acme:GET': 'ROLE_ANN',
    });
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');

    await server.put('/workspaces/acme', '{"workspace":{"name":"Harbour"}}');

    const rules = Object.keys((await server.get('/security/acl/rest.json')).json() as object);
    expect(rules.slice(0, 4)).toEqual([
      '/rest/workspaces/harbour/styles/**:GET',
      '/rest/workspaces/harbour/**:GET',
      '/rest/workspaces/acme*:GET',
      '/rest/workspaces/other/acme:GET',
    ]);
    await server.close();
  });

  it('REST rules are evaluated in order, and the first match decides', async () => {
    const { server, status } = await serverWith({
      '/rest/about/version:GET': 'ROLE_OTHER',
      '/rest/about/**:GET': '*',
    });

    expect(await status('GET', '/about/version')).toBe(403);
    expect(await status('GET', '/about/manifest')).toBe(200);
    await server.put('/security/acl/rest', '{"/rest/about/version:GET":"ROLE_ANN"}');
    expect(await status('GET', '/about/version')).toBe(200);
    await server.close();
  });

  it('REST rules apply to the methods they name, and leave other methods to administrators', async () => {
    const { server, status } = await serverWith({ '/rest/urlchecks/**:GET': 'ROLE_ANN' });

    expect(await status('GET', '/urlchecks')).toBe(200);
    expect(await status('POST', '/urlchecks')).toBe(403);
    expect(await status('DELETE', '/urlchecks/x')).toBe(403);
    await server.close();
  });

  it('REST rules admit authenticated users by a star or a role, and anonymous users only by name', async () => {
    const { server, status } = await serverWith({
      '/rest/about/version:GET': 'ROLE_AUTHENTICATED',
      '/rest/about/manifest:GET': 'ROLE_ANONYMOUS',
    });

    expect(await status('GET', '/about/version')).toBe(200);
    expect(await status('GET', '/about/version', null)).toBe(401);
    expect(await status('GET', '/about/manifest', null)).toBe(200);
    expect(await status('GET', '/about/manifest')).toBe(403);
    expect(await status('GET', '/about/manifest', 'ann:wrong')).toBe(401);
    await server.close();
  });

  it('REST rules never grant access to security resources', async () => {
    const { server, status } = await serverWith({ '/**:GET,PUT,POST,DELETE,HEAD,OPTIONS': '*' });

    for (const path of ['masterpw', 'acl/layers', 'acl/catalog', 'authproviders', 'roles', 'usergroup/users']) {
      expect(await status('GET', `/security/${path}`), path).toBe(403);
      expect(await status('GET', `/security/${path}.xml`, null), path).toBe(401);
    }
    await server.close();
  });

  it('REST rules never lock out the administrator or users with the administrator role', async () => {
    const { server, status } = await serverWith({ '/**:GET,PUT,POST,DELETE,HEAD,OPTIONS': 'ROLE_UNKNOWN' });
    const root = await addUser(server, 'root2', 'ROLE_ADMINISTRATOR');

    for (const as of [root, undefined]) {
      const options = as === undefined ? {} : { as };
      expect((await server.get('/workspaces', options)).status).toBe(200);
      expect((await server.get('/security/acl/rest', options)).status).toBe(200);
      const name = as === undefined ? 'by-admin' : 'by-root';
      expect((await server.post('/workspaces', `{"workspace":{"name":"${name}"}}`, options)).status).toBe(201);
    }
    expect(await status('GET', '/workspaces')).toBe(403);
    expect((await server.delete('/security/acl/rest?rule=/**:GET,PUT,POST,DELETE,HEAD,OPTIONS')).status).toBe(200);
    await server.close();
  });

  it('REST rules can restrict workspace administrators inside their workspace', async () => {
    const { server, status } = await serverWith({ '/rest/workspaces/**:DELETE': 'ROLE_ADMINISTRATOR' });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ANN"}');

    expect(await status('GET', '/workspaces/acme')).toBe(200);
    expect(await status('DELETE', '/workspaces/acme')).toBe(403);
    await server.close();
  });

  it('REST rules do not make workspaces of others visible', async () => {
    const { server, ann, status } = await serverWith({ '/rest/workspaces/**:GET,PUT': 'ROLE_ANN' });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');

    expect((await server.get('/workspaces.xml', { as: ann })).text).toBe('<workspaces/>\n');
    expect(await status('GET', '/workspaces/acme')).toBe(404);
    await server.close();
  });

  it('REST rules cannot be bypassed by the name of a resource', async () => {
    const { server, status } = await serverWith({
      '/rest/workspaces/open:GET': 'ROLE_ANN',
      '/rest/workspaces/*:GET': 'ROLE_ADMINISTRATOR',
    });
    for (const name of ['open', 'open.xml', 'closed']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
    }
    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_ANN"}');

    expect(await status('GET', '/workspaces/open')).toBe(200);
    expect(await status('GET', '/workspaces/OPEN')).toBe(404);
    expect(await status('GET', '/workspaces/open.json')).toBe(200);
    expect(await status('GET', '/workspaces/open.xml')).toBe(403);
    expect(await status('GET', '/workspaces/closed')).toBe(403);
    expect(await status('GET', '/workspaces/open%2F..%2Fclosed')).toBe(403);
    await server.close();
  });
});

describe('a server without REST rules', () => {
  it('denies access to a user with a custom role, and returns 404 for an unknown path', async () => {
    const { server, status } = await serverWith({});

    expect(await status('GET', '/urlchecks')).toBe(403);
    expect(await status('GET', '/nowhere')).toBe(404);
    expect(await status('GET', '/nowhere', null)).toBe(401);
    await server.close();
  });
});

describe('a server with --compat geoserver', () => {
  it('admits administrators by its default rules, and others by a rule before them', async () => {
    const server = await startTestServer({ compat: 'geoserver' });
    const ann = await addUser(server, 'ann', 'ROLE_ANN');

    expect((await server.get('/about/version', { as: ann })).status).toBe(403);
    expect((await server.get('/about/version')).status).toBe(200);
    await server.delete('/security/acl/rest//**:GET,HEAD,OPTIONS');
    expect((await server.get('/about/version', { as: ann })).status).toBe(403);
    await server.post('/security/acl/rest', '{"/rest/about/**:GET":"ROLE_ANN"}');
    expect((await server.get('/about/version', { as: ann })).status).toBe(200);
    await server.close();
  });
});
