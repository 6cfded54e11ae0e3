import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest/security/usergroup';
const root = '/security/usergroup';

describe('users', () => {
  const server = useTestServer();

  it('consist of the built-in administrator without a password on a new server', async () => {
    expect((await server.get(`${root}/users.json`)).json()).toEqual({ users: [{ userName: 'admin', enabled: true }] });
    expect((await server.get(`${root}/users`)).text).toBe(
      '<users>\n  <user>\n    <enabled>true</enabled>\n    <userName>admin</userName>\n  </user>\n</users>\n',
    );
  });

  it.each([
    ['XML', '<user><userName>ann-x</userName><password>secret-1</password><enabled>true</enabled></user>', 'ann-x'],
    ['JSON in its envelope', '{"user":{"userName":"ann-e","password":"secret-1","enabled":true}}', 'ann-e'],
    ['bare JSON', '{"userName":"ann-b","password":"secret-1"}', 'ann-b'],
    [
      'JSON under the class of the reference server',
      '{"org.geoserver.rest.security.xml.JaxbUser":{"userName":"ann-c","password":"secret-1"}}',
      'ann-c',
    ],
  ])('are created with %s and can sign in immediately', async (_how, body, name) => {
    const reply = await server.post(`${root}/users`, body);

    expect(reply).toMatchObject({ status: 201, text: name });
    expect(reply.headers['location']).toBe(`${base}/user/${name}`);
    expect((await server.get(`${root}/user/${name}.json`)).json()).toEqual({ user: { enabled: true, userName: name } });
    expect((await server.get('/workspaces', { as: `${name}:secret-1` })).status).not.toBe(401);
    expect((await server.get('/workspaces', { as: `${name}:secret-2` })).status).toBe(401);
  });

  it('accept an extension on writes, and XML or JSON independent of Accept', async () => {
    const reply = await server.post(`${root}/users.json`, '{"userName":"ext","password":"p"}', {
      accept: 'text/plain',
    });

    expect(reply.status).toBe(201);
  });

  it('have unique names', async () => {
    await server.post(`${root}/users`, '{"userName":"one","password":"p"}');

    expect((await server.post(`${root}/users`, '{"userName":"one","password":"q"}')).status).toBe(409);
    expect((await server.post(`${root}/users`, '{"userName":"admin","password":"q"}')).status).toBe(409);
  });

  it.each([
    ['no name', '{"password":"p"}', 400],
    ['an empty name', '{"userName":"","password":"p"}', 400],
    ['a colon in the name', '{"userName":"a:b","password":"p"}', 400],
    ['an empty password', '{"userName":"e","password":""}', 422],
    ['a control character in the password', '<user><userName>e</userName><password>a&#9;b</password></user>', 422],
    ['a password over the length limit', `{"userName":"e","password":"${'x'.repeat(1025)}"}`, 422],
    ['another document type', '<role><name>x</name></role>', 400],
    ['no body', '', 400],
  ])('are rejected with %s', async (_what, body, status) => {
    expect((await server.post(`${root}/users`, body)).status).toBe(status);
  });

  it('can be changed, and keep omitted fields', async () => {
    await server.post(`${root}/users`, '{"userName":"change","password":"first"}');

    expect((await server.post(`${root}/user/change`, '<user><enabled>false</enabled></user>')).status).toBe(200);
    expect((await server.get(`${root}/user/change.json`)).json()).toEqual({
      user: { enabled: false, userName: 'change' },
    });
    expect((await server.post(`${root}/user/change`, '{"user":{"enabled":true,"password":null}}')).status).toBe(200);
    expect((await server.get('/workspaces', { as: 'change:first' })).status).not.toBe(401);

    expect((await server.post(`${root}/user/change`, '{"password":"second"}')).status).toBe(200);
    expect((await server.get('/workspaces', { as: 'change:first' })).status).toBe(401);
    expect((await server.get('/workspaces', { as: 'change:second' })).status).not.toBe(401);
  });

  it('cannot be renamed', async () => {
    await server.post(`${root}/users`, '{"userName":"named","password":"p"}');

    expect((await server.post(`${root}/user/named`, '{"userName":"other"}')).status).toBe(400);
    expect((await server.post(`${root}/user/named`, '{"userName":"named","enabled":false}')).status).toBe(200);
  });

  it('cannot sign in while disabled, nor without a password', async () => {
    await server.post(`${root}/users`, '{"userName":"off","password":"p","enabled":false}');
    await server.post(`${root}/users`, '{"userName":"bare"}');

    expect((await server.get('/workspaces', { as: 'off:p' })).status).toBe(401);
    for (const as of ['bare:', 'bare:null', 'bare:undefined']) {
      expect((await server.get('/workspaces', { as })).status).toBe(401);
    }
  });

  it('can be deleted, and a new user of the same name has none of their roles', async () => {
    await server.post(`${root}/users`, '{"userName":"again","password":"p"}');
    await server.request('POST', '/security/roles/role/ADMIN/user/again');
    expect((await server.get(`${root}/users`, { as: 'again:p' })).status).toBe(200);

    expect((await server.delete(`${root}/user/again`)).status).toBe(200);
    expect((await server.get(`${root}/users`, { as: 'again:p' })).status).toBe(401);
    expect((await server.delete(`${root}/user/again`)).status).toBe(404);

    await server.post(`${root}/users`, '{"userName":"again","password":"p"}');
    expect((await server.get(`${root}/users`, { as: 'again:p' })).status).toBe(403);
  });

  it('return 404 if they are unknown', async () => {
    expect((await server.get(`${root}/user/stranger`)).status).toBe(404);
    expect((await server.post(`${root}/user/stranger`, '{"enabled":true}')).status).toBe(404);
    expect((await server.delete(`${root}/user/stranger`)).status).toBe(404);
    expect((await server.get(`${root}/user/stranger/groups`)).status).toBe(404);
  });

  it('include an administrator who cannot be deleted, disabled or added to a group', async () => {
    await server.request('POST', `${root}/group/admins`);

    expect((await server.delete(`${root}/user/admin`)).status).toBe(403);
    expect((await server.post(`${root}/user/admin`, '{"enabled":false}')).status).toBe(403);
    expect((await server.request('POST', `${root}/user/admin/group/admins`)).status).toBe(403);
    expect((await server.get(`${root}/user/admin/groups.json`)).json()).toEqual({ groups: [] });
  });
});

describe('groups', () => {
  const server = useTestServer();

  it('are created by name, once, and listed', async () => {
    expect((await server.get(`${root}/groups`)).text).toBe('<groups/>\n');
    expect((await server.get(`${root}/groups.json`)).json()).toEqual({ groups: [] });

    const reply = await server.request('POST', `${root}/group/editors`);

    expect(reply).toMatchObject({ status: 201, text: 'editors' });
    expect((await server.request('POST', `${root}/group/editors`)).status).toBe(409);
    expect((await server.request('POST', `${root}/group/${encodeURIComponent('a/b')}`)).status).toBe(400);
    expect((await server.get(`${root}/groups.xml`)).text).toBe('<groups>\n  <group>editors</group>\n</groups>\n');
    expect((await server.get(`${root}/groups.json`)).json()).toEqual({ groups: ['editors'] });
  });

  it('contain users, once each, and report a repeated user', async () => {
    await server.post(`${root}/users`, '{"userName":"ann","password":"p"}');
    await server.request('POST', `${root}/group/writers`);

    const replies = [
      await server.request('POST', `${root}/user/ann/group/writers`),
      await server.request('POST', `${root}/user/ann/group/writers`),
    ];

    expect(replies.map(({ status, headers }) => [status, headers['warning']])).toEqual([
      [200, undefined],
      [200, expect.stringContaining("The user 'ann' is already in the group 'writers'.")],
    ]);
    expect((await server.get(`${root}/user/ann/groups.json`)).json()).toEqual({ groups: ['writers'] });
    expect((await server.get(`${root}/group/writers/users.json`)).json()).toEqual({
      users: [{ enabled: true, userName: 'ann' }],
    });

    expect((await server.delete(`${root}/user/ann/group/writers`)).status).toBe(200);
    expect((await server.delete(`${root}/user/ann/group/writers`)).status).toBe(200);
    expect((await server.get(`${root}/user/ann/groups.xml`)).text).toBe('<groups/>\n');
  });

  it('leave no membership and no role behind when they are deleted', async () => {
    await server.post(`${root}/users`, '{"userName":"bob","password":"p"}');
    await server.request('POST', `${root}/group/chiefs`);
    await server.request('POST', `${root}/user/bob/group/chiefs`);
    await server.request('POST', '/security/roles/role/ADMIN/group/chiefs');
    expect((await server.get(`${root}/groups`, { as: 'bob:p' })).status).toBe(200);

    expect((await server.delete(`${root}/group/chiefs`)).status).toBe(200);
    expect((await server.get(`${root}/groups`, { as: 'bob:p' })).status).toBe(403);
    await server.request('POST', `${root}/group/chiefs`);
    await server.request('POST', `${root}/user/bob/group/chiefs`);
    expect((await server.get(`${root}/groups`, { as: 'bob:p' })).status).toBe(403);
  });

  it('return 404 if they are unknown', async () => {
    await server.post(`${root}/users`, '{"userName":"cy","password":"p"}');

    expect((await server.delete(`${root}/group/none`)).status).toBe(404);
    expect((await server.get(`${root}/group/none/users`)).status).toBe(404);
    expect((await server.request('POST', `${root}/user/cy/group/none`)).status).toBe(404);
    expect((await server.request('POST', `${root}/user/stranger/group/editors`)).status).toBe(404);
    expect((await server.delete(`${root}/user/cy/group/none`)).status).toBe(404);
  });
});

describe('a user/group service with another name', () => {
  const server = useTestServer();
  const other = `${root}/service/other`;

  it('has its own users and groups, for use by a provider', async () => {
    expect((await server.get(`${other}/users`)).status).toBe(404);
    expect((await server.post(`${other}/users`, '{"userName":"ann","password":"p"}')).status).toBe(404);
    expect((await server.request('POST', `${other}/group/g`)).status).toBe(404);
    await server.post(
      '/security/usergroupservices',
      '{"name":"other","className":"org.geoserver.security.xml.XMLUserGroupService"}',
    );

    expect((await server.get(`${other}/users.json`)).json()).toEqual({ users: [] });
    const reply = await server.post(`${other}/users`, '{"userName":"ann","password":"there"}');
    expect(reply.headers['location']).toBe(`${base}/service/other/user/ann`);
    await server.request('POST', `${other}/group/g`);
    await server.request('POST', `${other}/user/ann/group/g`);
    expect((await server.get(`${other}/group/g/users.json`)).json()).toEqual({
      users: [{ enabled: true, userName: 'ann' }],
    });
    expect((await server.get(`${root}/user/ann`)).status).toBe(404);
    expect((await server.get(`${root}/service/default/users.json`)).json()).toEqual({
      users: [{ enabled: true, userName: 'admin' }],
    });

    expect((await server.get('/workspaces', { as: 'ann:there' })).status).toBe(401);
    const provider = { className: 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider' };
    await server.post(
      '/security/authproviders',
      JSON.stringify({ name: 'o', ...provider, userGroupServiceName: 'other' }),
    );
    expect((await server.get('/workspaces', { as: 'ann:there' })).status).not.toBe(401);
    await server.put('/security/authproviders/order', '["default"]');
    expect((await server.get('/workspaces', { as: 'ann:there' })).status).toBe(401);
  });
});

describe('users and groups with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are XML by default', async () => {
    expect((await server.get(`${root}/users`)).headers['content-type']).toBe('application/xml');
    expect((await server.get(`${root}/groups`, { accept: '*/*' })).headers['content-type']).toBe('application/xml');
    expect((await server.get(`${root}/groups.json`)).json()).toEqual({ groups: [] });
  });
});

describe('a user who is not an administrator', () => {
  const server = useTestServer();

  it('can neither see nor change accounts', async () => {
    await server.post(`${root}/users`, '{"userName":"ann","password":"p"}');
    const as = 'ann:p';

    expect((await server.get(`${root}/users`, { as })).status).toBe(403);
    expect((await server.post(`${root}/users`, '{"userName":"x"}', { as })).status).toBe(403);
    expect((await server.post(`${root}/user/ann`, '{"password":"x"}', { as })).status).toBe(403);
    expect((await server.delete(`${root}/user/ann`, { as })).status).toBe(403);
    expect((await server.request('POST', '/security/roles/role/ADMIN/user/ann', { as })).status).toBe(403);
    expect((await server.get('/security/roles', { as })).status).toBe(403);
    expect((await server.get('/security/usergroupservices', { as })).status).toBe(403);
  });
});
