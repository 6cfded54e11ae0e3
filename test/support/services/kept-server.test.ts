import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type KeptServer, startKeptServer } from './kept-server.ts';

const WAIT = { timeout: 120_000, interval: 20 };
/** Writes its process id and keeps running. */
const LIVE_ON = "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);";

function keep(change: Partial<KeptServer> = {}): KeptServer {
  return {
    folder: mkdtempSync(join(tmpdir(), 'graticule-kept-')),
    user: undefined,
    preparations: [],
    server: [process.execPath, '-e', LIVE_ON],
    stopSignal: 'SIGINT',
    ...change,
  };
}

async function serverProcess(folder: string): Promise<number> {
  const path = join(folder, 'pid');
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8'), WAIT).toMatch(/^\d+$/);
  return Number(readFileSync(path, 'utf8'));
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** An ended process may remain as a zombie until its parent reaps it. */
function isRunning(processId: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(processId)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

describe('kept server', () => {
  test('is removed with its folder once it is stopped', async () => {
    const kept = keep();
    const server = startKeptServer(kept);
    const processId = await serverProcess(kept.folder);

    await server.stop();

    expect(isAlive(processId)).toBe(false);
    expect(existsSync(kept.folder)).toBe(false);
  });

  test('ends together with its child processes', async () => {
    const kept = keep({ server: ['/bin/sh', '-c', `"${process.execPath}" -e "${LIVE_ON}" & wait`] });
    const server = startKeptServer(kept);
    const processId = await serverProcess(kept.folder);
    expect(isRunning(processId)).toBe(true);

    await server.stop();

    await expect.poll(() => isRunning(processId), WAIT).toBe(false);
  });

  test('is removed with its folder after the tests were killed', async () => {
    const kept = keep();
    const program = `import { startKeptServer } from ${JSON.stringify(new URL('kept-server.ts', import.meta.url).href)};
      startKeptServer(${JSON.stringify(kept)});`;
    const tests = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    const processId = await serverProcess(kept.folder);

    tests.kill('SIGKILL');
    await once(tests, 'exit');

    await expect.poll(() => existsSync(kept.folder), WAIT).toBe(false);
    expect(isAlive(processId)).toBe(false);
  });

  test('starts only after its preparations', async () => {
    const kept = keep({
      preparations: [['/bin/sh', '-c', 'echo sown >field']],
      server: ['/bin/sh', '-c', 'cat field >&2; exit 3'],
    });

    const server = startKeptServer(kept);

    await expect(server.unexpectedEnd).rejects.toThrow('the server ended by itself:\nsown');
    await server.stop();
  });

  test('reports its log when a preparation fails', async () => {
    const kept = keep({ preparations: [['/bin/sh', '-c', 'echo hail >&2; exit 1']] });

    const server = startKeptServer(kept);

    await expect(server.unexpectedEnd).rejects.toThrow('hail');
    expect(existsSync(kept.folder)).toBe(false);
  });

  test('reports the program that could not be run', async () => {
    const server = startKeptServer(keep({ server: ['/no/such/program'] }));

    await expect(server.unexpectedEnd).rejects.toThrow('/no/such/program');
  });
});
