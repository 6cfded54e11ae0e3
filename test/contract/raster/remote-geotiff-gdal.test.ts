/** Cloud-optimised files of GDAL, read by ranges from a plain server, in threads: samples, requests and bytes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { geotiffDriver } from '../../../src/raster/drivers.ts';
import { createThreadedDriver } from '../../../src/raster/in-thread/driver.ts';
import { createUrlSource } from '../../../src/remote/ranged-source.ts';
import { RemoteBlocks } from '../../../src/remote/remote-blocks.ts';
import { createWorkerPool } from '../../../src/workers/pool.ts';
import { runGdal } from '../../support/gdal.ts';
import { startRangeServer } from '../../support/range-server.ts';
import { gdalWindow } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { createGeotiff } from '../../support/tiff-bytes.ts';
import { testGate } from '../../support/url-gates.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const SIDE = 2_200;
const folder = useTemporaryFolder('remote-geotiff');
const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const never = new AbortController().signal;

/** Numbers that hardly compress, the same in each run. */
function createNoise(): Uint8Array {
  let state = 1;
  return new Uint8Array(SIDE * SIDE).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

async function serve(name: string, options: readonly string[]) {
  const plain = join(folder, 'plain.tif');
  await writeFile(plain, createGeotiff(SIDE, createNoise()));
  const path = join(folder, `${name}.tif`);
  await runGdal('gdal_translate', ['-q', '-of', 'COG', ...options.flatMap((each) => ['-co', each]), plain, path]);
  const bytes = await readFile(path);
  const remote = await startRangeServer({ [`/${name}.tif`]: { bytes, etag: '"1"' } });
  const urlGate = testGate({ checks: { here: '^http://data\\.test:\\d+/.*$' }, names: { 'data.test': ['127.0.0.1'] } });
  const blocks = new RemoteBlocks({ source: createUrlSource(urlGate), maxBytes: 33_554_432, clock: () => 0 });
  const source = await createThreadedDriver(geotiffDriver, pool, blocks).open(
    `http://data.test:${remote.port}/${name}.tif`,
  );
  return { path, bytes, remote, source };
}

describeWithTool('gdal', 'cloud-optimised GeoTIFF file on another server', () => {
  it.each([
    ['deflate', ['COMPRESS=DEFLATE', 'BLOCKSIZE=256']],
    ['big', ['COMPRESS=LZW', 'BLOCKSIZE=512', 'BIGTIFF=YES', 'PREDICTOR=2']],
    ['unpacked', ['COMPRESS=NONE', 'BLOCKSIZE=256']],
  ])('has the same samples as for GDAL, with few requests: %s', async (name, options) => {
    const { path, bytes, remote, source } = await serve(name, options);
    const window = { column: 1_000, row: 700, width: 600, height: 400 };

    const description = await source.describe(name, never);
    const whole = await source.read(name, { window, bands: [0] }, never);
    const usage = { requests: remote.asked.length, bytes: remote.countSentBytes() };
    const again = await source.read(name, { window, bands: [0] }, never);
    const usageAgain = remote.asked.length;
    const small = await source.read(name, { size: { width: 300, height: 300 }, bands: [0] }, never);
    await remote.close();

    expect(description?.overviews.length).toBeGreaterThanOrEqual(2);
    const [expected] = await gdalWindow(path, folder, 'uint8', { window, bands: [0] });
    const compare = ({ bands }: typeof whole) =>
      Buffer.compare(bands[0]?.samples as Uint8Array, expected as Uint8Array);
    expect([compare(whole), compare(again)]).toEqual([0, 0]);
    expect(usage.requests).toBeLessThanOrEqual(6);
    expect(usage.bytes).toBeLessThan(bytes.length / 3);
    expect(usageAgain).toBe(usage.requests);
    expect([small.width, small.height]).toEqual([300, 300]);
    expect(remote.countSentBytes() - usage.bytes).toBeLessThan(bytes.length / 10);
  });
});
