import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { enabledNames } from '../../test/support/auth-providers.ts';
import { startTestServer } from '../../test/support/test-server.ts';

it('sets up security once and keeps later deletions and reordering after a restart', async () => {
  const first = await startTestServer();
  onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
  const className = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';
  await first.post('/security/authproviders', JSON.stringify({ name: 'corp', className }));
  await first.delete('/security/authproviders/default');
  await first.post('/security/usergroup/users', '{"userName":"ann","password":"p"}');
  await first.server.close();

  const second = await startTestServer({ dataDir: first.dataDir });

  expect(await enabledNames(second)).toEqual(['corp']);
  expect((await second.delete('/security/authproviders/default')).status).toBe(410);
  expect((await second.get('/workspaces', { as: 'ann:p' })).status).not.toBe(401);
  await second.close();
});
