/** Lesson 26: no provider, rule or other user can lock out the built-in administrator. */
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

describe('lesson 26: the built-in administrator', () => {
  it('logs in without any provider and regardless of the rules', async () => {
    const server = await startTestServer();
    const { authproviders } = (await server.get('/security/authproviders.json')).json() as {
      authproviders: readonly { readonly name: string }[];
    };
    for (const { name } of authproviders) {
      expect((await server.delete(`/security/authproviders/${encodeURIComponent(name)}`)).status).toBe(200);
    }
    const rules = await server.post('/security/acl/rest.json', '{"/**:GET,POST,PUT,DELETE":"ROLE_UNKNOWN"}');
    const mode = await server.put('/security/acl/catalog.json', '{"mode":"HIDE"}');
    expect([rules.status, mode.status]).toEqual([201, 200]);

    expect((await server.get('/workspaces')).status).toBe(200);
    expect((await server.post('/workspaces', '<workspace><name>still</name></workspace>')).status).toBe(201);
    expect((await server.delete('/workspaces/still')).status).toBe(200);
    await server.close();
  });

  it('logs in while clients at many addresses guess the password', async () => {
    const server = await startTestServer({ flags: ['--trust-proxy', 'loopback'] });
    const guesses = Array.from({ length: 210 }, (_, guess) =>
      server.get('/workspaces', {
        as: `admin:guess ${guess}`,
        headers: { 'x-forwarded-for': `203.0.113.${guess}` },
      }),
    );
    const statuses = (await Promise.all(guesses)).map((reply) => reply.status);

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await server.get('/workspaces', { headers: { 'x-forwarded-for': '198.51.100.1' } })).status).toBe(200);
    await server.close();
  });

  it('logs in after a restart, unlike another user with the same name', async () => {
    const first = await startTestServer();
    await expect(addUser(first, 'admin')).rejects.toThrow(/cannot be made: 4/);
    await first.server.close();

    const again = await startTestServer({ dataDir: first.dataDir });

    expect((await again.get('/workspaces')).status).toBe(200);
    expect((await again.get('/workspaces', { as: 'admin:the password of admin' })).status).toBe(401);
    await again.close();
    await first.close();
  });
});
