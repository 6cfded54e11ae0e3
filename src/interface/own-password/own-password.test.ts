import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADMIN_PASSWORD, startTestServer, useTestServer } from '../../../test/support/test-server.ts';

const path = '/security/self/password';

describe('own password', () => {
  const server = useTestServer();

  it.each([
    ['XML', '<userPassword><newPassword>next</newPassword></userPassword>', path],
    ['XML with an extension', '<userPassword><newPassword>next</newPassword></userPassword>', `${path}.xml`],
    ['JSON', '{"newPassword":"next"}', path],
    ['JSON with its root', '{"userPassword":{"newPassword":"next"}}', `${path}.json`],
  ])('can be changed by any user with %s, effective from the next request on', async (how, body, address) => {
    const name = how.replaceAll(' ', '-');
    await server.post('/security/usergroup/users', JSON.stringify({ userName: name, password: 'first' }));

    expect(await server.put(address, body, { as: `${name}:first` })).toMatchObject({ status: 200, text: '' });

    expect((await server.get('/workspaces', { as: `${name}:first` })).status).toBe(401);
    expect((await server.get('/workspaces', { as: `${name}:next` })).status).not.toBe(401);
  });

  it('can be changed by the built-in administrator', async () => {
    const fresh = await startTestServer();

    expect((await fresh.put(path, '{"newPassword":"brand new"}')).status).toBe(200);
    expect((await fresh.get('/workspaces')).status).toBe(401);
    expect((await fresh.get('/workspaces', { as: 'admin:brand new' })).status).toBe(200);
    await fresh.close();
  });

  it('of the built-in administrator survives a restart with the initial password option', async () => {
    const first = await startTestServer();
    onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
    await first.put(path, '{"newPassword":"brand new"}');
    await first.server.close();

    const again = await startTestServer({ dataDir: first.dataDir });
    onTestFinished(() => again.close());

    expect((await again.get('/workspaces', { as: 'admin:brand new' })).status).toBe(200);
    expect((await again.get('/workspaces', { as: `admin:${ADMIN_PASSWORD}` })).status).toBe(401);
    expect(again.log.join('')).toContain('the configured password of the built-in admin was ignored');
    expect(again.log.join('')).not.toContain(ADMIN_PASSWORD);
  });

  it.each([
    ['is missing', '<userPassword/>'],
    ['is missing in JSON', '{}'],
    ['is blank', '{"newPassword":"  "}'],
    ['is null', '{"newPassword":null}'],
    ['is an object', '{"newPassword":{"a":1}}'],
    ['is in another document type', '<user><password>x</password></user>'],
  ])('is not changed when it %s', async (_what, body) => {
    expect((await server.put(path, body)).status).toBe(400);
    expect((await server.get('/workspaces', { as: `admin:${ADMIN_PASSWORD}` })).status).toBe(200);
  });

  it('is not changed to one that cannot be sent', async () => {
    expect((await server.put(path, JSON.stringify({ newPassword: 'a\u0007b' }))).status).toBe(422);
    expect((await server.put(path, JSON.stringify({ newPassword: 'x'.repeat(2000) }))).status).toBe(422);
  });

  it('is rejected in a document over the size limit', async () => {
    for (const body of [
      `{"newPassword":"${'x'.repeat(70_000)}"}`,
      `<userPassword>${'<a/>'.repeat(20_000)}</userPassword>`,
    ]) {
      expect((await server.put(path, body)).status).toBe(413);
    }
  });

  it('cannot be read, and requires authentication to be changed', async () => {
    expect((await server.get(path)).status).toBe(405);
    expect((await server.get(path, { as: null })).status).toBe(401);
    expect((await server.put(path, '{"newPassword":"x"}', { as: null })).status).toBe(401);
  });
});

describe('own password in the compatible dialect, whose REST rules admit administrators only', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('can be changed by any user, unless a REST rule for this path forbids it', async () => {
    const user = JSON.stringify({ user: { userName: 'ann', password: 'first', enabled: true } });
    expect((await server.post('/security/usergroup/users', user)).status).toBe(201);

    expect((await server.put(path, '{"newPassword":"next"}', { as: 'ann:first' })).status).toBe(200);
    expect((await server.get('/workspaces', { as: 'ann:next' })).status).toBe(403);

    const rule = { '/rest/security/self/**:PUT': 'ROLE_ADMINISTRATOR' };
    expect((await server.post('/security/acl/rest', JSON.stringify(rule))).status).toBe(200);
    expect((await server.put(path, '{"newPassword":"last"}', { as: 'ann:next' })).status).toBe(403);
  });
});
