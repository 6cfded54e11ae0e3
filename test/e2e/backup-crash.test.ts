/** Kills during a backup and during a restore leave nothing that is used. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectFolder } from './server-process.ts';
import { ADMIN_PASSWORD, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

function spawnRestore(file: string, directory: string) {
  const words = [join(projectFolder, 'src/start.cjs'), 'restore', file, '--data-dir', directory];
  return spawn(process.execPath, words, { stdio: 'ignore' });
}

test('a server that is killed during a backup leaves no copies after its next start', async () => {
  const server = await startServer();
  // More than fits into the buffers of a connection that is not read.
  const body = Buffer.alloc(60_000_000, 'x');
  await server.request('PUT', '/resource/data/large.bin', { body, headers: { 'content-type': 'text/plain' } });
  const request = get(`${server.url}/backup`, { auth: `admin:${ADMIN_PASSWORD}` });
  const [response] = await once(request, 'response');
  await once(response, 'data');
  response.pause();
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  expect(await readdir(join(server.dataDir, 'staging'))).toHaveLength(1);
  await server.kill();

  const again = await startServer({ dataDir: server.dataDir });

  expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  await again.stop();
});

test('a restore that is killed leaves a directory that no server uses, and can be repeated', async () => {
  const folder = await temporaryFolder();
  const [file, directory] = [join(folder, 'file'), join(folder, 'restored')];
  const server = await startServer();
  const body = Buffer.alloc(60_000_000, 'x');
  await server.request('PUT', '/resource/data/large.bin', { body, headers: { 'content-type': 'text/plain' } });
  const backup = await fetch(`${server.url}/backup`, {
    headers: { authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` },
  });
  await writeFile(file, Buffer.from(await backup.arrayBuffer()));
  await server.stop();

  const killed = spawnRestore(file, directory);
  await vi.waitUntil(() => existsSync(join(directory, 'restore.unfinished')), { timeout: 60_000, interval: 2 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(existsSync(join(directory, 'graticule.sqlite'))).toBe(false);
  const refused = startServer({ dataDir: directory, expectedLog: [/contains 'restore\.unfinished'/] });
  await expect(refused).rejects.toThrow();
  const [code] = await once(spawnRestore(file, directory), 'exit');

  expect(code).toBe(0);
  const restored = await startServer({ dataDir: directory });
  expect((await restored.request('GET', '/resource/data/large.bin')).text).toHaveLength(60_000_000);
  expect((await readdir(directory)).filter((name) => name.startsWith('restore'))).toEqual([]);
  await restored.stop();
});
