/** Tests a server whose disk fails or hangs: responses, readiness and shutdown. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../test/support/test-server.ts';

const acme = '{"workspace":{"name":"acme"}}';
const late = '{"workspace":{"name":"late"}}';

async function startServer(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function dataDirectory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-hung-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('a failed write to the disk', () => {
  it('makes the server unready, but it stays alive and readable', async () => {
    let isBroken = false;
    const broken = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    const server = await startServer({ sync: () => (isBroken ? Promise.reject(broken) : Promise.resolve()) });
    await server.post('/workspaces', acme);
    expect((await server.get('/readyz', { as: null })).status).toBe(200);

    isBroken = true;
    const refused = await server.post('/workspaces', late, { accept: 'application/problem+json' });

    expect(refused.status).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'storage-unavailable' });
    const logged = server.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([
      { requestId: refused.headers['x-request-id'], err: { message: expect.stringContaining('EIO') } },
    ]);
    expect((await server.get('/readyz', { as: null })).status).toBe(503);
    expect((await server.get('/livez', { as: null })).status).toBe(200);
    expect((await server.get('/workspaces/acme.json')).status).toBe(200);
    expect((await server.get('/workspaces/late.json')).status).toBe(404);
    expect((await server.delete('/workspaces/acme')).status).toBe(503);
    const part = await server.get('/about/status/graticule-storage.json');
    expect(part.json()).toMatchObject({ status: { isEnabled: true, isAvailable: false } });
  });
});

describe('a change that never ends', () => {
  it('does not block closing after the drain timeout and is rolled back', async () => {
    const dataDir = await dataDirectory();
    const server = await startServer({ dataDir });
    await server.post('/workspaces', acme);
    const started = Promise.withResolvers<void>();
    const hung = server.server.storage.write({ who: 'admin', what: 'hang' }, async (transaction) => {
      await transaction.insert({ kind: 'workspace', parent: null, name: 'hung', body: {}, keys: {} });
      started.resolve();
      await new Promise(() => undefined);
    });
    const outcome = Promise.allSettled([hung]);
    await started.promise;
    const deadline = new AbortController();

    const closed = server.server.close(deadline.signal);
    deadline.abort();
    await closed;

    expect(await outcome).toMatchObject([{ status: 'rejected', reason: { code: 'draining' } }]);
    const again = await startServer({ dataDir });
    expect((await again.get('/workspaces.json')).json()).toMatchObject({
      workspaces: { workspace: [{ name: 'acme' }] },
    });
    expect(await again.server.storage.findIntegrityProblems()).toEqual([]);
  });
});
