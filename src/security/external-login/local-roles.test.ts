/** Roles of local accounts for users of other systems. */
import { expect, test } from 'vitest';
import { startTestServer } from '../../../test/support/test-server.ts';

test('useLocalRoles adds the roles of the local namesake, but never those of administrators', async () => {
  const server = await startTestServer({ flags: ['--trust-proxy', '127.0.0.1'] });
  const provider = {
    name: 'gate',
    className: 'org.geoserver.security.auth.RequestHeaderAuthenticationProvider',
    useLocalRoles: true,
  };
  expect((await server.post('/security/authproviders', JSON.stringify({ authprovider: provider }))).status).toBe(201);
  await server.request('POST', '/security/roles/role/LOCAL');
  for (const role of ['LOCAL', 'ADMIN', 'GROUP_ADMIN']) {
    const reply = await server.request('POST', `/security/roles/role/${role}/user/eve`);
    expect(reply.status, reply.text).toBe(200);
  }
  const ask = (path: string) => server.get(path, { as: null, headers: { 'x-forwarded-user': 'eve' } });

  expect((await ask('/security/self')).json()).toMatchObject({
    self: { name: 'eve', roles: ['LOCAL', 'ROLE_AUTHENTICATED'], administrator: false, workspaces: [] },
  });
  expect((await ask('/security/acl/data')).status).toBe(403);
  await server.close();
});
