/** Runs the raster source contract over files of every driver, on the main thread and in worker threads. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { geotiffDriver, worldImageDriver } from '../../../src/raster/drivers.ts';
import { createThreadedDriver } from '../../../src/raster/in-thread/driver.ts';
import type { RasterDriver } from '../../../src/raster/port/driver.ts';
import { createWorkerPool } from '../../../src/workers/pool.ts';
import { pngBytes } from '../../support/png-bytes.ts';
import { noRemoteFiles } from '../../support/remote-blocks.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { geotiffBytes } from '../../support/tiff-bytes.ts';
import { rasterSourceContract } from './raster-source.contract.ts';

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 100,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const never = new AbortController().signal;

const files: Readonly<
  Record<string, { readonly driver: RasterDriver; readonly bytes: Readonly<Record<string, Uint8Array | string>> }>
> = {
  'a GeoTIFF file': { driver: geotiffDriver, bytes: { 'place.tif': geotiffBytes(40, 30) } },
  'a PNG file with a world file': {
    driver: worldImageDriver,
    bytes: { 'place.png': pngBytes(40, 30, 3), 'place.pgw': '10\n0\n0\n-10\n500005\n4999995\n' },
  },
  'a TIFF file with a world file': {
    driver: worldImageDriver,
    bytes: { 'place.tif': geotiffBytes(40, 30), 'place.tfw': '2\n0\n0\n-2\n101\n199\n' },
  },
};

for (const [title, { driver, bytes }] of Object.entries(files)) {
  for (const [where, runner] of [
    ['', driver],
    [' in a thread', createThreadedDriver(driver, pool, noRemoteFiles)],
  ] as const) {
    rasterSourceContract(`${title}${where}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'graticule-raster-'));
      for (const [name, content] of Object.entries(bytes)) await writeFile(join(folder, name), content);
      const [first = ''] = Object.keys(bytes);
      return {
        source: await runner.open(join(folder, first)),
        coverageNames: ['place'],
        name: 'place',
        destroy: () => rm(folder, { recursive: true }),
      };
    });
  }
}

describe('raster source in a worker thread', () => {
  const folder = useTemporaryFolder('raster-abort');

  test('stops reading when the signal is aborted and leaves other sources readable', async () => {
    const path = join(folder, 'large.tif');
    await writeFile(path, geotiffBytes(3_000, 3_000));
    const source = await createThreadedDriver(geotiffDriver, pool, noRemoteFiles).open(path);
    const given = new AbortController();

    const reading = source.read('large', {}, given.signal);
    given.abort(new Error('enough'));

    await expect(reading).rejects.toThrow('enough');
    const { bands } = await source.read('large', { window: { column: 0, row: 1, width: 2, height: 1 } }, never);
    expect(bands[0]?.samples).toEqual(Uint8Array.of(3_000 % 251, 3_001 % 251));
  });
});
