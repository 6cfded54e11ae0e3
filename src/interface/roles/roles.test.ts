import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const root = '/security/roles';
const systemRoles = [
  'ADMIN',
  'GROUP_ADMIN',
  'ROLE_ADMINISTRATOR',
  'ROLE_ANONYMOUS',
  'ROLE_AUTHENTICATED',
  'ROLE_GROUP_ADMIN',
];

describe('roles', () => {
  const server = useTestServer();

  it('initially contain the system roles', async () => {
    expect((await server.get(`${root}.json`)).json()).toEqual({ roles: systemRoles });
    expect((await server.get(root)).text).toBe(
      `<roles>\n${systemRoles.map((role) => `  <role>${role}</role>\n`).join('')}</roles>\n`,
    );
    expect((await server.get(`${root}/service/default.json`)).json()).toEqual({ roles: systemRoles });
    expect((await server.get(`${root}/service/other.json`)).status).toBe(404);
  });

  it('are created by name, once, and deleted', async () => {
    expect(await server.request('POST', `${root}/role/ROLE_EDIT`)).toMatchObject({ status: 201, text: 'ROLE_EDIT' });
    expect((await server.request('POST', `${root}/role/ROLE_EDIT`)).status).toBe(409);
    expect((await server.get(`${root}.json`)).json()).toEqual({ roles: [...systemRoles, 'ROLE_EDIT'].sort() });

    expect((await server.delete(`${root}/role/ROLE_EDIT`)).status).toBe(200);
    expect((await server.delete(`${root}/role/ROLE_EDIT`)).status).toBe(404);
  });

  it.each(['a,b', '*', 'a%2Fb', '%20'])('cannot be named %s', async (name) => {
    expect((await server.request('POST', `${root}/role/${name}`)).status).toBe(400);
  });

  it.each(['ADMIN', 'ROLE_ADMINISTRATOR', 'ROLE_AUTHENTICATED'])(
    'of the system, such as %s, cannot be deleted',
    async (name) => {
      expect((await server.delete(`${root}/role/${name}`)).status).toBe(403);
      expect((await server.request('POST', `${root}/role/${name}`)).status).toBe(409);
    },
  );

  it('are granted to users and groups once each, and revoked', async () => {
    await server.request('POST', `${root}/role/ROLE_A`);

    for (const holder of ['user/ann', 'group/editors', 'user/ann']) {
      expect((await server.request('POST', `${root}/role/ROLE_A/${holder}`)).status).toBe(200);
    }
    expect((await server.get(`${root}/user/ann.json`)).json()).toEqual({ roles: ['ROLE_A'] });
    expect((await server.get(`${root}/group/editors.xml`)).text).toBe('<roles>\n  <role>ROLE_A</role>\n</roles>\n');
    expect((await server.get(`${root}/service/default/user/ann.json`)).json()).toEqual({ roles: ['ROLE_A'] });

    expect((await server.delete(`${root}/role/ROLE_A/user/ann`)).status).toBe(200);
    expect((await server.delete(`${root}/role/ROLE_A/user/ann`)).status).toBe(200);
    expect((await server.get(`${root}/user/ann.json`)).json()).toEqual({ roles: [] });
    expect((await server.get(`${root}/user/ann.xml`)).text).toBe('<roles/>\n');
  });

  it('are revoked everywhere when they are deleted', async () => {
    await server.request('POST', `${root}/role/ROLE_B`);
    await server.request('POST', `${root}/role/ROLE_B/user/bob`);
    await server.delete(`${root}/role/ROLE_B`);
    await server.request('POST', `${root}/role/ROLE_B`);

    expect((await server.get(`${root}/user/bob.json`)).json()).toEqual({ roles: [] });
  });

  it('return 404 if they are unknown', async () => {
    expect((await server.request('POST', `${root}/role/NONE/user/ann`)).status).toBe(404);
    expect((await server.delete(`${root}/role/NONE/user/ann`)).status).toBe(404);
    expect((await server.request('POST', `${root}/service/other/role/X`)).status).toBe(404);
  });

  it('cannot be granted if the server assigns them itself', async () => {
    for (const role of ['ROLE_ANONYMOUS', 'ROLE_AUTHENTICATED']) {
      expect((await server.request('POST', `${root}/role/${role}/user/ann`)).status).toBe(403);
    }
  });

  it('of the built-in administrator include ADMIN', async () => {
    expect((await server.get(`${root}/user/admin.json`)).json()).toEqual({ roles: ['ADMIN'] });
  });

  it.each(['ADMIN', 'ROLE_ADMINISTRATOR'])(
    'include %s, which makes an administrator directly or through a group',
    async (role) => {
      const name = `by-${role.toLowerCase()}`;
      await server.post('/security/usergroup/users', JSON.stringify({ userName: name, password: 'p' }));
      const status = async () => (await server.get('/security/roles', { as: `${name}:p` })).status;
      expect(await status()).toBe(403);

      await server.request('POST', `${root}/role/${role}/user/${name}`);
      expect(await status()).toBe(200);
      await server.delete(`${root}/role/${role}/user/${name}`);
      expect(await status()).toBe(403);

      await server.request('POST', `/security/usergroup/group/g-${role}`);
      await server.request('POST', `${root}/role/${role}/group/g-${role}`);
      expect(await status()).toBe(403);
      await server.request('POST', `/security/usergroup/user/${name}/group/g-${role}`);
      expect(await status()).toBe(200);
      await server.delete(`/security/usergroup/user/${name}/group/g-${role}`);
      expect(await status()).toBe(403);
    },
  );
});

describe('roles with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('list only the names of the role service, in XML by default', async () => {
    expect((await server.get(root)).text).toBe('<roles>\n  <role>ADMIN</role>\n  <role>GROUP_ADMIN</role>\n</roles>\n');
    expect((await server.get(`${root}.json`)).json()).toEqual({ roles: ['ADMIN', 'GROUP_ADMIN'] });
  });
});
