/** NetCDF files with contradictory headers are harvested, skipped with a reason, or rejected. */
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

/** Cases per kind; few by default. Set `NETCDF_FUZZ_CASES=1000` for a longer run. */
const CASES = Number(process.env['NETCDF_FUZZ_CASES'] ?? '40');
const TIMEOUT_MS = 3_600_000;

const stores = '/workspaces/acme/coveragestores';
const sample = (name: string) => readFileSync(join('test', 'fixtures', 'rasters', name));

/** The parts of a header: counts, lengths, types, offsets and names. */
interface Change {
  readonly at: number;
  readonly kind: 'byte' | 'word' | 'half' | 'wide' | 'gap';
  readonly value: number;
}

const telling = [
  0,
  1,
  2,
  3,
  5,
  6,
  10,
  11,
  12,
  255,
  256,
  1_000,
  65_535,
  2 ** 16,
  2 ** 24,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
];

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.noBias(fc.nat(99_999)),
  kind: fc.constantFrom('byte', 'word', 'word', 'half', 'wide', 'gap'),
  value: fc.oneof(fc.constantFrom(...telling), fc.nat(2 ** 32 - 1)),
});

/** NetCDF-3 numbers are big-endian and word-aligned; NetCDF-4 numbers are little-endian. */
function changed(bytes: Buffer, headBytes: number, isClassic: boolean, { at, kind, value }: Change): Buffer {
  const result = Buffer.from(bytes);
  const place = Math.min(at % headBytes, bytes.length - 8);
  const word = isClassic ? place - (place % 4) : place;
  switch (kind) {
    case 'byte':
      result.writeUInt8(value % 256, place);
      return result;
    case 'half':
      result.writeUInt16LE(value % 65_536, place);
      return result;
    case 'word':
      if (isClassic) result.writeUInt32BE(value, word);
      else result.writeUInt32LE(value, word);
      return result;
    case 'wide':
      result.writeBigUInt64LE(BigInt(value) * 4_294_967_291n, place);
      return result;
    case 'gap':
      return Buffer.concat([bytes.subarray(0, word), Buffer.alloc(4), bytes.subarray(word)]);
  }
}

describe('NetCDF files with mutated headers', () => {
  const server = useTestServer({ flags: ['--store-timeout-ms', '20000'] });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await mkdir(join(server.dataDir, 'data', 'cases'), { recursive: true });
    const picture = granuleBytes({ left: 10, top: 50, pixel: 0.25, epsg: 4326 });
    await server.request('PUT', `${stores}/sound/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({ 'sound.tif': picture }),
    });
  });

  it.each([
    { kind: 'NetCDF-3', name: 'ocean-3.nc', headBytes: 1_500 },
    { kind: 'NetCDF-4', name: 'ocean-4.nc', headBytes: 20_000 },
  ])(
    `of the kind $kind are harvested or skipped, and published or rejected (${CASES} cases)`,
    { timeout: TIMEOUT_MS },
    async ({ kind, name, headBytes }) => {
      const whole = sample(name);
      let [number, read] = [0, 0];
      const sound = await server.request('PUT', `${stores}/fuzz/file.netcdf?dryRun=true`, {
        type: 'application/x-netcdf',
        body: whole,
      });
      expect(sound.status, sound.text).toBe(201);

      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          number += 1;
          const bytes = changes.reduce<Buffer>(
            (done, each) => changed(done, headBytes, kind === 'NetCDF-3', each),
            whole,
          );
          const path = join(server.dataDir, 'data', 'cases', `${kind}-${number}.nc`);
          await writeFile(path, bytes);

          const harvested = await server.request('POST', `${stores}/sound/external.imagemosaic`, {
            type: 'text/plain',
            body: `file:data/cases/${kind}-${number}.nc`,
            accept: 'application/json',
          });
          const published = await server.request('PUT', `${stores}/fuzz/file.netcdf?dryRun=true`, {
            type: 'application/x-netcdf',
            body: bytes,
          });
          await rm(path);

          expect(harvested.status, harvested.text).toBe(201);
          const { harvest } = harvested.json() as {
            harvest: { granules: number; skipped: { file: readonly { reason: string }[] } };
          };
          expect(harvest.granules > 0).toBe(harvest.skipped.file.length === 0);
          expect(harvest.skipped.file.map(({ reason }) => reason)).not.toContain('');
          expect([201, 400], published.text).toContain(published.status);
          read += harvest.granules > 0 ? 1 : 0;
        }),
        { numRuns: CASES },
      );

      // At least one must be rejected, otherwise the mutations are too weak. The number of accepted files is random.
      expect(read).toBeLessThan(CASES);
    },
  );
});
