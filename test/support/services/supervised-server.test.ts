import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SupervisedServer, startSupervisedServer } from './supervised-server.ts';

const WAIT = { timeout: 120_000, interval: 20 };
/** Writes its process id and keeps running. */
const LIVE_ON = "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);";

function keep(change: Partial<SupervisedServer> = {}): SupervisedServer {
  return {
    folder: mkdtempSync(join(tmpdir(), 'graticule-supervised-')),
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

describe('supervised server', () => {
  test('is removed with its folder once it is stopped', async () => {
    const options = keep();
    const server = startSupervisedServer(options);
    const processId = await serverProcess(options.folder);

    await server.stop();

    expect(isAlive(processId)).toBe(false);
    expect(existsSync(options.folder)).toBe(false);
  });

  test('ends together with its child processes', async () => {
    const options = keep({ server: ['/bin/sh', '-c', `"${process.execPath}" -e "${LIVE_ON}" & wait`] });
    const server = startSupervisedServer(options);
    const processId = await serverProcess(options.folder);
    expect(isRunning(processId)).toBe(true);

    await server.stop();

    await expect.poll(() => isRunning(processId), WAIT).toBe(false);
  });

  test('is removed with its folder after the tests were killed', async () => {
    const options = keep();
    const program = `import { startSupervisedServer } from ${JSON.stringify(new URL('supervised-server.ts', import.meta.url).href)};
      startSupervisedServer(${JSON.stringify(options)});`;
    const tests = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    const processId = await serverProcess(options.folder);

    tests.kill('SIGKILL');
    await once(tests, 'exit');

    await expect.poll(() => existsSync(options.folder), WAIT).toBe(false);
    expect(isAlive(processId)).toBe(false);
  });

  test('starts only after its preparations', async () => {
    const options = keep({
      preparations: [['/bin/sh', '-c', 'echo sown >field']],
      server: ['/bin/sh', '-c', 'cat field >&2; exit 3'],
    });

    const server = startSupervisedServer(options);

    await expect(server.unexpectedEnd).rejects.toThrow('the server ended by itself:\nsown');
    await server.stop();
  });

  test('reports its log when a preparation fails', async () => {
    const options = keep({ preparations: [['/bin/sh', '-c', 'echo hail >&2; exit 1']] });

    const server = startSupervisedServer(options);

    await expect(server.unexpectedEnd).rejects.toThrow('hail');
    expect(existsSync(options.folder)).toBe(false);
  });

  test('reports the program that could not be run', async () => {
    const server = startSupervisedServer(keep({ server: ['/no/such/program'] }));

    await expect(server.unexpectedEnd).rejects.toThrow('/no/such/program');
  });
});
