import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { type Contents, openContents } from './contents.ts';
import { openFiles } from './files.ts';

async function openFresh(): Promise<{ readonly root: string; readonly contents: Contents }> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-contents-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { root, contents: openContents({ root, folder: 'styles', files: openFiles({ root }) }) };
}

it('gives back exactly the bytes that were kept, whatever they are', async () => {
  const { contents } = await openFresh();

  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const hash = await contents.keep(bytes);

      expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect([...(await contents.read(hash))]).toEqual([...bytes]);
    }),
    { numRuns: 50 },
  );
});

it('keeps the same bytes once, however many keep them at a time', async () => {
  const { root, contents } = await openFresh();

  const hashes = await Promise.all(Array.from({ length: 20 }, () => contents.keep(Buffer.from('a style'))));

  const [hash = ''] = hashes;
  expect(new Set(hashes).size).toBe(1);
  expect(await readdir(join(root, 'styles', hash.slice(0, 2)))).toEqual([hash]);
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

it('reads nothing but contents', async () => {
  const { contents } = await openFresh();

  await expect(contents.read('../../etc/passwd')).rejects.toThrow('no hash');
  await expect(contents.read('0'.repeat(64))).rejects.toThrow('ENOENT');
});
