/** Runs the vector source contract over GeoParquet files: one with coverings in a folder, one without, and in a thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Geometry } from '../../src/geometry/geometry.ts';
import { geoparquetDriver } from '../../src/vector/geoparquet/driver.ts';
import { openGeoparquetFile, openGeoparquetFolder } from '../../src/vector/geoparquet/geoparquet-source.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { writeGeoparquet } from '../support/geoparquet-files.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;

const squares = Array.from({ length: COUNT }, (_, x): Geometry => {
  const ordinates = Float64Array.of(x, 0, x, 1, x + 1, 1, x + 1, 0, x, 0);
  return { type: 'Polygon', dimension: 'XY', ordinates, ends: [5], parts: [1] };
});

async function createFolder(hasCovering: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-geoparquet-'));
  await writeGeoparquet(join(folder, 'squares.parquet'), {
    columns: [
      { name: 'name', data: squares.map((_, x) => `square ${x}`), type: 'STRING' },
      { name: 'number', data: squares.map((_, x) => x), type: 'INT32' },
    ],
    geometry: { name: 'shape', values: squares },
    hasCovering,
    rowGroupSize: 700,
  });
  await writeGeoparquet(join(folder, 'Names.parquet'), { columns: [{ name: 'name', data: ['Anna'], type: 'STRING' }] });
  return folder;
}

const large = { name: 'squares', count: COUNT };
const destroy = async () => undefined;

let covered: string;
let plain: string;

beforeAll(async () => {
  covered = await createFolder(true);
  plain = await createFolder(false);
});
afterAll(async () => {
  await rm(covered, { recursive: true });
  await rm(plain, { recursive: true });
});

vectorSourceContract('a folder of GeoParquet files', async () => ({
  source: openGeoparquetFolder(covered),
  typeNames: ['Names', 'squares'],
  large,
  destroy,
}));

vectorSourceContract('a GeoParquet file without coverings', async () => ({
  source: openGeoparquetFile(join(plain, 'squares.parquet')),
  typeNames: ['squares'],
  large,
  destroy,
}));

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

vectorSourceContract('a GeoParquet file in a thread', async () => {
  const context = { resolvePath: async (named: string) => named };
  return {
    source: await createThreadDriver(geoparquetDriver, pool).open({ dbtype: 'geoparquet', uri: covered }, context),
    typeNames: ['Names', 'squares'],
    large,
    destroy,
  };
});
