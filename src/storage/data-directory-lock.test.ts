import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockDataDirectory } from './data-directory-lock.ts';

async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'graticule-lock-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** Another server that only holds the lock. */
async function startHolder(directory: string): Promise<ChildProcess> {
  const program = `
    import { lockDataDirectory } from ${JSON.stringify(new URL('./data-directory-lock.ts', import.meta.url).href)};
    await lockDataDirectory(${JSON.stringify(directory)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('data directory lock', () => {
  test('rejects a second server immediately', async () => {
    const directory = await freshDirectory();
    await startHolder(directory);

    await expect(lockDataDirectory(directory)).rejects.toThrow(`'${directory}' is in use by another server`);
  });

  test('a server killed with SIGKILL leaves no lock', async () => {
    const directory = await freshDirectory();
    const holder = await startHolder(directory);

    holder.kill('SIGKILL');
    await once(holder, 'exit');

    (await lockDataDirectory(directory)).release();
  });

  test('can be acquired again after a release, but not while it is held by the same process', async () => {
    const directory = await freshDirectory();
    const first = await lockDataDirectory(directory);

    await expect(lockDataDirectory(directory)).rejects.toThrow('in use');
    await expect(lockDataDirectory(directory)).rejects.toThrow('in use');
    first.release();
    first.release();
    const second = await lockDataDirectory(directory);
    onTestFinished(() => second.release());

    await expect(lockDataDirectory(directory)).rejects.toThrow('in use');
  });

  test('stays held after a failed attempt to acquire it', async () => {
    const directory = await freshDirectory();
    const lock = await lockDataDirectory(directory);
    onTestFinished(() => lock.release());
    await expect(lockDataDirectory(directory)).rejects.toThrow('in use');

    const program = `
      import { lockDataDirectory } from ${JSON.stringify(new URL('./data-directory-lock.ts', import.meta.url).href)};
      await lockDataDirectory(${JSON.stringify(directory)}).catch((error) => console.log(error.message));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [answer] = await once(child.stdout, 'data');

    expect(String(answer)).toContain('in use by another server');
  });

  test('rejects a directory that does not exist', async () => {
    const missing = join(await freshDirectory(), 'missing');

    await expect(lockDataDirectory(missing)).rejects.toThrow(`'${missing}' cannot be locked`);
  });
});
