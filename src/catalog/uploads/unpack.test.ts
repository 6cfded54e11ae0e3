import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { limits } from '../../server/settings/limits.ts';
import { createWorkerPool } from '../../workers/pool.ts';
import { openUnpacking } from './unpack.ts';

describe('uploaded archive', () => {
  const folder = useTemporaryFolder('unpack');

  function open() {
    const pool = createWorkerPool(limits.unpackWorkers);
    onTestFinished(() => pool.close());
    return { pool, unpack: openUnpacking(pool, limits.archive) };
  }

  it.each([
    ['small', 1_000, 0],
    ['of several megabytes', 2_000_000, 1],
  ])('is unpacked with the hashes of its files if it is %s', async (name, size, threads) => {
    const { pool, unpack } = open();
    const bytes = randomBytes(size);
    const archive = join(folder, `${name}.zip`);
    await writeFile(
      archive,
      rawZip([
        { name: 'roads.shp', data: bytes },
        { name: 'roads.dbf', data: Buffer.from('table') },
      ]),
    );

    const files = await unpack(archive, join(folder, name));

    expect(pool.threads()).toBe(threads);
    expect(files.map((file) => [file.name, file.bytes, file.hash])).toEqual([
      ['roads.shp', size, sha256(bytes)],
      ['roads.dbf', 5, sha256(Buffer.from('table'))],
    ]);
    expect(await readFile(files[0]?.path ?? '')).toEqual(bytes);
  });

  it('is rejected with the same error if it is unpacked in a thread', async () => {
    const { unpack } = open();
    const archive = join(folder, 'damaged.zip');
    const bytes = rawZip([{ name: 'roads.shp', data: randomBytes(2_000_000) }]);
    await writeFile(archive, bytes.fill(0, 1_000_000, 1_001_000));

    await expect(unpack(archive, join(folder, 'damaged'))).rejects.toMatchObject({ code: 'archive-refused' });
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
