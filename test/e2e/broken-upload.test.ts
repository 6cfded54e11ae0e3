/** Uploads that the client or the server interrupts leave no files. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pointShapefile, snapshot, zipOf } from '../support/vector-samples.ts';
import { replyTo } from './http-client.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { DEADLINE_MS } from './within.ts';

const path = '/workspaces/acme/datastores/s/file.shp';

/** Starts an upload, and waits until the server writes it to disk. */
async function beginUpload(server: StartedServer) {
  const request = server.client.open('PUT', path, { 'content-type': 'application/zip', 'content-length': '9000000' });
  const reply = replyTo(request);
  reply.catch(() => undefined);
  request.write(Buffer.alloc(2_000_000));
  await until(async () => (await readdir(join(server.dataDir, 'staging'))).length > 0);
  return request;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineAtMs = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadlineAtMs) throw new Error('It did not become so in time.');
  }
}

it('a client that disconnects in the middle of an upload leaves no files', async () => {
  const server = await startServer();
  await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
  const before = await snapshot(server.dataDir);
  const request = await beginUpload(server);

  request.destroy();

  await until(async () => (await readdir(join(server.dataDir, 'staging'))).length === 0);
  expect(await snapshot(server.dataDir)).toEqual(before);
  expect((await server.request('GET', '/workspaces/acme/datastores/s')).status).toBe(404);
});

it('a server that is killed in the middle of an upload removes its files at the next start', async () => {
  const server = await startServer();
  await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
  const zip = zipOf({ kept: pointShapefile() });
  const whole = server.client.open('PUT', path, { 'content-length': String(zip.length) });
  const reply = replyTo(whole);
  whole.end(zip);
  expect((await reply).status).toBe(201);
  await beginUpload(server);
  await server.kill();

  const again = await startServer({ dataDir: server.dataDir });

  expect(await readdir(join(again.dataDir, 'staging'))).toEqual([]);
  const names = await again.request('GET', '/workspaces/acme/datastores/s/featuretypes.json?list=all');
  expect(names.json()).toEqual({ list: { string: ['kept'] } });
});
