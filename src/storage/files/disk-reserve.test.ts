import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { realDisk } from '../blobs/disk.ts';
import { DiskReserve, withRoom } from './disk-reserve.ts';

const RESERVE_BYTES = 1_000;

/** A reserve on a disk whose free space is set by the test. */
async function heldReserve() {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-reserve-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'reserve');
  const space = { freeBytes: 1_000_000, totalBytes: 1_000_000_000 };
  const disk = { ...realDisk, measureSpace: async () => space };
  const reserve = new DiskReserve({ file, bytes: RESERVE_BYTES, share: 0.01, disk });
  expect(await reserve.ensureHeld()).toBe(true);
  const exists = () =>
    stat(file).then(
      () => true,
      () => false,
    );
  return { reserve, space, exists };
}

describe('withRoom', () => {
  it('keeps the reserve while the work succeeds, even on a full disk', async () => {
    const { reserve, space, exists } = await heldReserve();
    space.freeBytes = 0;

    expect(await withRoom(reserve, async () => 'collected')).toBe('collected');

    expect([await exists(), reserve.isReleased]).toEqual([true, false]);
  });

  it('releases the reserve and repeats work that failed because the disk is full', async () => {
    const { reserve, space, exists } = await heldReserve();
    space.freeBytes = 0;
    const work = async () => {
      if (await exists()) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return 'collected';
    };

    expect(await withRoom(reserve, work)).toBe('collected');

    expect([await exists(), reserve.isReleased]).toEqual([false, true]);
  });

  it('keeps the reserve when work fails for another reason', async () => {
    const { reserve, space, exists } = await heldReserve();
    space.freeBytes = 0;
    const failing = withRoom(reserve, async () => {
      throw problem('storage-busy', { retryAfterSeconds: 1 });
    });

    await expect(failing).rejects.toMatchObject({ code: 'storage-busy' });
    expect(await exists()).toBe(true);
  });

  it('writes the reserve again when there is space for twice its size', async () => {
    const { reserve, space, exists } = await heldReserve();
    space.freeBytes = 0;
    await reserve.prepareDeletion();
    await expect(reserve.checkStoring()).rejects.toMatchObject({ code: 'storage-full' });

    space.freeBytes = 2 * RESERVE_BYTES;

    await expect(reserve.checkStoring()).resolves.toBeUndefined();
    expect([await exists(), reserve.isReleased]).toEqual([true, false]);
  });
});
