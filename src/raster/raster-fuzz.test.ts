/**
 * Randomly modified raster files: each is described and read, or rejected with a reason. They are read in a thread as in
 * the server, because the library for NetCDF-4 computes without end for some of them.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { pngBytes } from '../../test/support/png-bytes.ts';
import { noRemoteFiles } from '../../test/support/remote-blocks.ts';
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts';
import { geotiffBytes } from '../../test/support/tiff-bytes.ts';
import { coloredTiles, encodePmtiles, writeMbtiles } from '../../test/support/tile-archives.ts';
import { Problem } from '../lib/problems/problem.ts';
import { createWorkerPool } from '../workers/pool.ts';
import { findDriverForFile } from './drivers.ts';
import { createThreadedDriver } from './in-thread/driver.ts';

/** Few by default; set `RASTER_FUZZ_CASES=2000` for a longer run. */
const CASES = Number(process.env['RASTER_FUZZ_CASES'] ?? '200');
const TIMEOUT_MS = 600_000;

const pool = createWorkerPool({
  ...{ maxThreads: 1, maxWaiting: 1, maxMemoryMegabytes: 512, idleMs: 60_000 },
  deadlineMs: 10_000,
});
afterAll(() => pool.close());

const folder = useTemporaryFolder('raster-fuzz');
const never = new AbortController().signal;

const fixtures = join(import.meta.dirname, '../../test/fixtures/rasters');

interface Sample {
  readonly ending: string;
  readonly bytes: Buffer;
  /** The size of the header, in which most changes are made; the rest are samples. */
  readonly headBytes: number;
  /** A companion file. */
  readonly companion?: readonly [ending: string, text: string];
}

const tiles = coloredTiles.map((tile) => ({ ...tile, bytes: pngBytes(32, 32, 3) }));

async function readMbtiles(): Promise<Buffer> {
  const place = await mkdtemp(join(tmpdir(), 'graticule-fuzz-'));
  const path = join(place, 'sample.mbtiles');
  writeMbtiles(path, { tiles, metadata: { name: 'Fuzz', format: 'png' }, layout: 'view' });
  const bytes = await readFile(path);
  await rm(place, { recursive: true });
  return bytes;
}

const corpus: readonly Sample[] = [
  { ending: 'pmtiles', bytes: encodePmtiles({ tiles, tileType: 2, leafSize: 2 }), headBytes: 400 },
  { ending: 'mbtiles', bytes: await readMbtiles(), headBytes: 4_000 },
  { ending: 'tif', bytes: geotiffBytes(20, 20), headBytes: 260 },
  { ending: 'png', bytes: pngBytes(20, 20, 3), headBytes: 60, companion: ['pgw', '1\n0\n0\n-1\n0\n0\n'] },
  ...(await Promise.all(
    ['lzw.tif', 'tiled.tif', 'overviews.tif', 'ocean-3.nc', 'ocean-4.nc'].map(async (name) => ({
      ending: name.split('.')[1] ?? '',
      bytes: await readFile(join(fixtures, name)),
      headBytes: 4_000,
    })),
  )),
];

interface Mutation {
  /** The position, from 0 to 1 of the header or of the file, and the change. */
  readonly place: number;
  readonly isInHead: boolean;
  readonly kind: 'byte' | 'large' | 'small' | 'cut' | 'repeat' | 'insert';
  readonly value: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  // Without a bias to the beginning, where a change only affects the signature.
  place: fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((place) => place / 10_000),
  isInHead: fc.boolean(),
  kind: fc.constantFrom('byte', 'byte', 'large', 'small', 'small', 'cut', 'repeat', 'insert'),
  value: fc.nat(),
});

function mutated(original: Buffer, { headBytes }: Sample, { place, isInHead, kind, value }: Mutation): Buffer {
  const bytes = Buffer.from(original);
  if (bytes.length < 4) return bytes;
  const range = isInHead ? Math.min(headBytes, bytes.length) : bytes.length;
  const at = Math.min(Math.floor(place * range), bytes.length - 4);
  switch (kind) {
    case 'byte':
      bytes.writeUInt8(value % 256, at);
      return bytes;
    case 'large':
      bytes.writeUInt32LE((value * 2_654_435_761) % 4_294_967_296, at);
      return bytes;
    case 'small':
      bytes.writeUInt16LE(value % 70, at);
      return bytes;
    case 'cut':
      return bytes.subarray(0, at);
    case 'repeat':
      return Buffer.concat([bytes, bytes.subarray(at)]);
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(value % 9), bytes.subarray(at)]);
  }
}

test(`${CASES} mutated raster files are described and read, or rejected`, { timeout: TIMEOUT_MS }, async () => {
  let number = 0;
  let read = 0;
  let refused = 0;
  await mkdir(join(folder, 'cases'));

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...corpus),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      async (sample, mutations) => {
        number += 1;
        const name = `case${number}`;
        const path = join(folder, 'cases', `${name}.${sample.ending}`);
        const bytes = mutations.reduce((done, each) => mutated(done, sample, each), sample.bytes);
        await writeFile(path, bytes);
        if (sample.companion !== undefined) {
          await writeFile(join(folder, 'cases', `${name}.${sample.companion[0]}`), sample.companion[1]);
        }
        const driver = findDriverForFile(path);
        const source = driver && (await createThreadedDriver(driver, pool, noRemoteFiles).open(path));
        try {
          for (const coverage of (await source?.listCoverages(never)) ?? []) {
            const description = await source?.describe(coverage.name, never);
            expect(description?.bands.length).toBeGreaterThan(0);
            const { width = 1, height = 1 } = description?.grid ?? {};
            const size = { width: Math.min(width, 64), height: Math.min(height, 64) };
            const window = await source?.read(coverage.name, { size, bands: [0] }, never);
            expect(window?.bands[0]?.samples).toHaveLength(size.width * size.height);
          }
          read += 1;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(error.code).toMatch(/^(?:raster-|work-too-slow$)/);
          if (error.code !== 'work-too-slow') expect(error.status).toBe(400);
          refused += 1;
        }
      },
    ),
    { numRuns: CASES },
  );

  // Both outcomes must occur often, or the mutations are too strong or too weak.
  expect(Math.min(read, refused)).toBeGreaterThan(CASES / 10);
});
