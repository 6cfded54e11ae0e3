import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WriteBehind } from './write-behind.ts';

describe('write-behind file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'write-behind-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes pieces in order', async () => {
    const path = join(folder, 'file');
    const file = await open(path, 'wx');
    const output = new WriteBehind(file);

    for (let index = 0; index < 100; index += 1) {
      await output.write([Buffer.from(`${index},`), Buffer.from(`${index};`)]);
    }
    await output.end();
    await file.close();

    const expected = Array.from({ length: 100 }, (_, index) => `${index},${index};`).join('');
    expect(await readFile(path, 'utf8')).toBe(expected);
  });

  it('rejects the next write and the end after a failure', async () => {
    await (await open(join(folder, 'file'), 'wx')).close();
    const file = await open(join(folder, 'file'), 'r');
    const output = new WriteBehind(file);

    await output.write([Buffer.from('refused')]);

    await expect(output.write([Buffer.from('next')])).rejects.toThrow('EBADF');
    await expect(output.end()).rejects.toThrow('EBADF');
    await file.close();
  });
});
