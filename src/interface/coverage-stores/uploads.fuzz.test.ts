import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutated, mutations } from '../../../test/support/mutations.ts';
import { worldImageZip, zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes, granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { snapshot } from '../../../test/support/vector-samples.ts';

/** Cases per kind; the drivers have more fuzz tests of their own. */
const RUNS = Number(process.env['COVERAGE_FUZZ_CASES'] ?? 25);

const mosaicFiles: Readonly<Record<string, Buffer>> = {
  'indexer.properties': Buffer.from(
    [
      'Schema=*the_geom:Polygon,location:String,time:java.util.Date,elevation:Double',
      'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)',
      'TimeAttribute=time',
      'Wildcard=*.tif',
      'Envelope2D=10,40 12,44',
    ].join('\n'),
  ),
  'timeregex.properties': Buffer.from('regex=[0-9]{8},format=yyyyMMdd'),
  'water_20081031.tif': granuleBytes({ left: 10, top: 50, pixel: 0.25, epsg: 4326 }),
};

const mosaicZip = (changed: Readonly<Record<string, Buffer>> = {}) => zipOfFiles({ ...mosaicFiles, ...changed });

const netcdf = (name: string) => readFileSync(join('test', 'fixtures', 'rasters', name));

describe('fuzzed raster uploads', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  async function filesIn(dataDir: string) {
    const entries = Object.entries(await snapshot(dataDir));
    return entries.filter(([name]) => /^(blobs|sets|staging)(\/|$)/.test(name));
  }

  /** Either a 4xx without a trace, or readable coverages. */
  async function tryOut(format: string, body: Buffer): Promise<void> {
    const before = await filesIn(server.dataDir);
    const reply = await server.request('PUT', `/workspaces/acme/coveragestores/fuzz/file.${format}`, {
      type: 'application/octet-stream',
      body,
    });
    if (reply.status < 300) {
      const all = await server.get('/workspaces/acme/coverages.json');
      for (const [, href = ''] of all.text.matchAll(/"href":"[^"]*\/rest([^"]*)"/g)) {
        const read = await server.get(href);
        expect([read.status, read.text]).toEqual([200, expect.stringContaining('"grid"')]);
      }
      expect((await server.delete('/workspaces/acme/coveragestores/fuzz?recurse=true')).status).toBe(200);
    } else {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
      expect(await filesIn(server.dataDir)).toEqual(before);
    }
  }

  it.each([
    ['geotiff', 'a GeoTIFF', () => geotiffBytes(30, 20)],
    ['geotiff', 'an archive', () => zipOfFiles({ 'dem.tif': geotiffBytes(4, 3) })],
    ['worldimage', 'an image', () => worldImageZip()],
    ['netcdf', 'a NetCDF-3 file', () => netcdf('ocean-3.nc').subarray(0, 4_096)],
    ['netcdf', 'a NetCDF-4 file', () => netcdf('ocean-4.nc')],
    ['imagemosaic', 'an archive', () => mosaicZip()],
  ])('are published or rejected for file.%s with mutated %s', async (format, _what, whole) => {
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => tryOut(format, mutated(whole(), changes))),
      { numRuns: RUNS },
    );
  });

  it.each(Object.keys(mosaicFiles))('are published or rejected for a mosaic with mutated %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) =>
        tryOut('imagemosaic', mosaicZip({ [name]: mutated(mosaicFiles[name] ?? Buffer.alloc(0), changes) })),
      ),
      { numRuns: RUNS },
    );
  });
});
