import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutated, mutationsAnywhere } from '../../../test/support/mutations.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

/** Few by default because the library has its own fuzz tests; set `MOSAIC_FUZZ_CASES=2000` for a longer run. */
const CASES = Number(process.env['MOSAIC_FUZZ_CASES'] ?? '30');
const TIMEOUT_MS = 900_000;

const place = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };
const stores = '/workspaces/acme/coveragestores';

const definition: Readonly<Record<string, Buffer>> = {
  'indexer.properties': Buffer.from(
    `Schema=*the_geom:Polygon,location:String,day:java.util.Date
PropertyCollectors=TimestampFileNameExtractorSPI[day](day)
TimeAttribute=day
CanBeEmpty=true
`,
  ),
  'day.properties': Buffer.from('regex=[0-9]{8},format=yyyyMMdd'),
  'a_20200101.tif': granuleBytes(place),
};

describe('fuzzed mosaics', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await mkdir(join(server.dataDir, 'data', 'cases'), { recursive: true });
  });

  it('are published or rejected without a trace for a mutated definition or image', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(definition)), mutationsAnywhere, async (name, changes) => {
        const changed = { ...definition, [name]: mutated(definition[name] ?? Buffer.alloc(0), changes) };

        const reply = await server.request('PUT', `${stores}/fuzz/file.imagemosaic`, {
          type: 'application/zip',
          body: zipOfFiles(changed),
        });

        expect([200, 400], reply.text).toContain(reply.status);
        const found = await server.get(`${stores}/fuzz.json`);
        expect(found.status).toBe(reply.status === 200 ? 200 : 404);
        if (reply.status === 200) {
          expect((await server.delete(`${stores}/fuzz?recurse=true&purge=all`)).status).toBe(200);
        }
      }),
      { numRuns: CASES },
    );
  });

  it('harvest mutated files or skip them with a reason', { timeout: TIMEOUT_MS }, async () => {
    const made = await server.request('PUT', `${stores}/sound/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({ 'sound.tif': granuleBytes(place) }),
    });
    expect(made.status, made.text).toBe(200);
    const samples = [
      { ending: 'tif', bytes: granuleBytes({ ...place, epsg: 32632, left: 500_000 }) },
      { ending: 'nc', bytes: readFileSync(join('test', 'fixtures', 'rasters', 'ocean-3.nc')) },
    ];
    let number = 0;

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), mutationsAnywhere, async ({ ending, bytes }, changes) => {
        number += 1;
        const path = `data/cases/${number}.${ending}`;
        await writeFile(join(server.dataDir, path), mutated(bytes, changes));

        const reply = await server.request('POST', `${stores}/sound/external.imagemosaic`, {
          type: 'text/plain',
          body: `file:${path}`,
          accept: 'application/json',
        });

        expect(reply.status, reply.text).toBe(201);
        const { harvest } = reply.json() as { harvest: { granules: number; skipped: { file: unknown[] } } };
        expect(harvest.granules > 0).toBe(harvest.skipped.file.length === 0);
        const index = await server.get(`${stores}/sound/coverages/sound/index/granules.json?limit=1`);
        expect(index.status, index.text).toBe(200);
      }),
      { numRuns: CASES },
    );
  });
});
