import { access, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freshRoot, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { openStaging } from '../files/staging.ts';
import { type BlobDirectory, openBlobDirectory } from './directory.ts';
import type { Disk } from './disk.ts';
import { hashBytes } from './port.ts';

async function freshBlobs(disk?: Disk): Promise<{ readonly root: string; readonly blobs: BlobDirectory }> {
  const root = await freshRoot();
  const staging = openStaging({ root });
  const folder = () => staging.ensureFolder();
  return {
    root,
    blobs: openBlobDirectory({ folder: join(root, 'blobs'), staging: folder, ...(disk === undefined ? {} : { disk }) }),
  };
}

const bytes = Buffer.from('a style');
const hash = hashBytes(bytes);

test('stored bytes are read back unchanged under their hash', async () => {
  const { blobs } = await freshBlobs();

  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (content) => {
      const name = hashBytes(content);
      await blobs.put(name, content);

      expect([...(await blobs.read(name))]).toEqual([...content]);
      expect(await blobs.getState(name)).toBe('present');
    }),
    { numRuns: 30 },
  );
});

test('concurrent writes of the same bytes store them once', async () => {
  const { root, blobs } = await freshBlobs();

  await Promise.all(Array.from({ length: 20 }, () => blobs.put(hash, bytes)));

  expect(await readdir(join(root, 'blobs', hash.slice(0, 2)))).toEqual([hash]);
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

test('a staged file is stored by a hard link and becomes read-only', async () => {
  const { root, blobs } = await freshBlobs();
  const file = join(root, 'a.shp');
  await writeFile(file, bytes);

  await blobs.putFiles([{ hash, file }]);

  const kept = await stat(join(root, 'blobs', hash.slice(0, 2), hash));
  expect(kept.ino).toBe((await stat(file)).ino);
  expect(kept.mode & 0o777).toBe(0o400);
});

test('the storage time of a file is the time it was stored, not its age', async () => {
  const { root, blobs } = await freshBlobs();
  const file = join(root, 'a.shp');
  await writeFile(file, bytes);
  await utimes(file, 0, 0);

  await blobs.putFiles([{ hash, file }]);

  for await (const [blob] of blobs.list()) expect(blob?.putAtMs).toBeGreaterThan(0);
  expect.assertions(1);
});

test('files are copied when hard links are not supported', async () => {
  const { root, blobs } = await freshBlobs(mortalDisk({ linkFile: async () => 'impossible' }).disk);
  const file = join(root, 'a.shp');
  await writeFile(file, bytes);

  await blobs.putFiles([{ hash, file }]);
  await blobs.linkTo(hash, join(root, 'second'));

  expect(await readFile(join(root, 'second'), 'utf8')).toBe('a style');
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

test.each(['put', 'putFiles'] as const)('damaged bytes are repaired with %s', async (how) => {
  const { root, blobs } = await freshBlobs();
  const kept = join(root, 'blobs', hash.slice(0, 2), hash);
  const file = join(root, 'a.shp');
  await writeFile(file, bytes);
  await blobs.put(hash, bytes);
  await truncate(kept, 3);

  await (how === 'put' ? blobs.put(hash, bytes) : blobs.putFiles([{ hash, file }]));

  expect((await blobs.read(hash)).toString()).toBe('a style');
  expect((await stat(kept)).mode & 0o777).toBe(0o400);
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

test('purged bytes are deleted, reported as purged and can be stored again', async () => {
  const { blobs } = await freshBlobs();
  await blobs.put(hash, bytes);

  expect(await blobs.delete(hash, { purged: true })).toBe(true);

  expect(await blobs.getState(hash)).toBe('purged');
  await expect(blobs.read(hash)).rejects.toThrow('is purged');
  await blobs.put(hash, bytes);
  expect(await blobs.getState(hash)).toBe('present');
});

test('collected bytes leave nothing behind', async () => {
  const { root, blobs } = await freshBlobs();
  await blobs.put(hash, bytes);

  await blobs.delete(hash, { purged: false });

  expect(await blobs.getState(hash)).toBe('absent');
  expect(await readdir(join(root, 'blobs', hash.slice(0, 2)))).toEqual([]);
});

test('bytes that are stored during a deletion check remain', async () => {
  const { blobs } = await freshBlobs();
  await blobs.put(hash, bytes);
  const looking = Promise.withResolvers<boolean>();

  const deleted = blobs.delete(hash, { purged: false, unless: () => looking.promise });
  const put = blobs.put(hash, bytes);
  looking.resolve(false);
  await Promise.all([deleted, put]);

  expect(await blobs.getState(hash)).toBe('present');
});

test('rejects an invalid hash without accessing a file', async () => {
  const { root, blobs } = await freshBlobs();

  await expect(blobs.read('../../etc/passwd')).rejects.toThrow('not a valid hash');
  await expect(blobs.read('0'.repeat(64))).rejects.toThrow('is absent');
  await expect(access(join(root, 'blobs'))).rejects.toThrow('ENOENT');
});

test('after any disk failure, named files are complete, purges are remembered and a retry succeeds', async () => {
  for (let step = 0, failed = true; failed; step += 1) {
    const mortal = mortalDisk();
    const { root, blobs } = await freshBlobs(mortal.disk);
    await blobs.put(hash, bytes);
    await blobs.delete(hash, { purged: true });
    mortal.dieAfter(step);
    failed = await blobs.put(hash, bytes).then(
      () => false,
      () => true,
    );
    mortal.dieAfter(Number.POSITIVE_INFINITY);

    const again = openBlobDirectory({ folder: join(root, 'blobs'), staging: async () => join(root, 'staging') });
    const left = await again.getState(hash);
    expect(left).not.toBe('absent');
    if (left === 'present') {
      expect((await again.read(hash)).toString()).toBe('a style');
    }
    await again.put(hash, bytes);
    expect((await again.read(hash)).toString()).toBe('a style');
    expect(step).toBeLessThan(100);
  }
});

test('a file gets its name only after its bytes are on disk', async () => {
  const mortal = mortalDisk();
  const { root, blobs } = await freshBlobs(mortal.disk);
  await writeFile(join(root, 'a.shp'), bytes);

  await blobs.putFiles([{ hash, file: join(root, 'a.shp') }]);

  const start = hash.slice(0, 2);
  expect(mortal.operations.filter((each) => !/^(removeFile|makePrivateFolder)/.test(each))).toEqual([
    expect.stringMatching(/^syncFolder /),
    'syncFolder blobs',
    'syncFile a.shp',
    'makeReadOnly a.shp',
    'touch a.shp',
    `linkFile a.shp ${hash}`,
    `syncFolder ${start}`,
  ]);
});

const many = new Map(
  ['a style', 'another', 'a third'].map((text) => [hashBytes(Buffer.from(text)), Buffer.from(text)]),
);

test('bundled files are readable immediately and get their own files later', async () => {
  const { root, blobs } = await freshBlobs();

  await blobs.putAll(many);
  const soon = await Promise.all(
    [...many.keys()].map(async (each) => [await blobs.getState(each), await blobs.read(each)]),
  );
  await blobs.settleBundles();

  expect(soon).toEqual([...many.values()].map((each) => ['present', each]));
  for (const [each, content] of many) {
    expect(await readFile(join(root, 'blobs', each.slice(0, 2), each))).toEqual(content);
  }
  expect(await readdir(join(root, 'blobs', 'bundles'))).toEqual([]);
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

test('a bundled file can be opened, copied and listed before it has its own file', async () => {
  const { root, blobs } = await freshBlobs();

  await blobs.putAll(many);
  await blobs.linkTo(hash, join(root, 'placed'));
  await blobs.copyTo(hash, join(root, 'copied'));
  const listed: string[] = [];
  for await (const piece of blobs.list()) listed.push(...piece.map((each) => each.hash));

  expect(await readFile(join(root, 'placed'), 'utf8')).toBe('a style');
  expect(await readFile(join(root, 'copied'), 'utf8')).toBe('a style');
  expect(listed.toSorted()).toEqual([...many.keys()].toSorted());
});

test('a bundled file that is purged immediately does not return at the next start', async () => {
  const { root, blobs } = await freshBlobs();
  await blobs.putAll(many);

  await blobs.delete(hash, { purged: true });
  const again = openBlobDirectory({ folder: join(root, 'blobs'), staging: async () => join(root, 'staging') });
  await again.recover();

  expect(await again.getState(hash)).toBe('purged');
});

test('a bundled file that was stored twice and then purged does not return', async () => {
  const { root, blobs } = await freshBlobs();
  await blobs.putAll(many);
  await blobs.putAll(many);

  await blobs.delete(hash, { purged: true });
  await blobs.settleBundles();

  expect(await blobs.getState(hash)).toBe('purged');
  expect(await readdir(join(root, 'blobs', 'bundles'))).toEqual([]);
});

test('after any disk failure, stored bundles are complete at the next start', async () => {
  for (let step = 0, isDead = true; isDead; step += 1) {
    const mortal = mortalDisk();
    const { root, blobs } = await freshBlobs(mortal.disk);
    await blobs.put(hash, bytes);
    mortal.dieAfter(step);
    const isPut = await blobs.putAll(many).then(
      () => true,
      () => false,
    );
    await blobs.settleBundles().catch(() => undefined);
    isDead = mortal.left() < 0;
    mortal.dieAfter(Number.POSITIVE_INFINITY);

    const again = openBlobDirectory({ folder: join(root, 'blobs'), staging: openStaging({ root }).ensureFolder });
    await again.recover();
    const states = await Promise.all([...many.keys()].map((each) => again.isIntact(each)));

    expect(isPut ? states : [true]).not.toContain(false);
    expect(await readdir(join(root, 'blobs', 'bundles')).catch(() => [])).toEqual([]);
    expect(step).toBeLessThan(200);
  }
});
