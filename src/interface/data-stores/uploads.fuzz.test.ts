import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutated, mutations } from '../../../test/support/mutations.ts';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  createZipEntries,
  pointShapefile,
  polygonShapefile,
  putZip,
  snapshot,
} from '../../../test/support/vector-samples.ts';

/** Cases for each of three groups; 700 before a release, which are about 2,000 in total. */
const RUNS = Number(process.env['UPLOAD_FUZZ_CASES'] ?? 50);

const samples = { points: pointShapefile(5), polygons: polygonShapefile() };

async function filesIn(dataDir: string) {
  const entries = Object.entries(await snapshot(dataDir));
  const isKept = (name: string) => /^(blobs|sets)(\/|$)/.test(name);
  return {
    kept: entries.filter(([name]) => isKept(name)),
    others: entries.filter(([name]) => !isKept(name)),
  };
}

describe('fuzzed uploads', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    // The data folder is created by the first upload and stays.
    await tryOut(rawZip(createZipEntries(samples))).catch(() => undefined);
  });

  /** Either a 4xx without a trace, or a readable type. */
  async function tryOut(body: Buffer, type = 'application/zip'): Promise<void> {
    const before = await filesIn(server.dataDir);
    const reply = await putZip(server, '/workspaces/acme/datastores/fuzz/file.shp?configure=all', body, type);
    if (reply.status === 201) {
      const all = await server.get('/workspaces/acme/featuretypes.xml');
      for (const [, name = ''] of all.text.matchAll(/<name>(.*?)<\/name>/g)) {
        const unescaped = name.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
        const read = await server.get(`/workspaces/acme/featuretypes/${encodeURIComponent(unescaped)}/.xml`);
        expect([read.status, read.text]).toEqual([200, expect.stringContaining('<attributes>')]);
      }
      expect((await server.delete('/workspaces/acme/datastores/fuzz?recurse=true')).status).toBe(200);
      // Published data is kept for the history.
      expect((await filesIn(server.dataDir)).others).toEqual(before.others);
    } else {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
      expect(await filesIn(server.dataDir)).toEqual(before);
    }
  }

  const file = fc.constantFrom(
    ...Object.entries(samples).flatMap(([name, files]) =>
      Object.keys(files).map((extension) => [name, extension] as const),
    ),
  );

  it('are published or rejected for a mutated file of a shapefile', async () => {
    await fc.assert(
      fc.asyncProperty(file, mutations, async ([name, extension], changes) => {
        const files = samples[name as keyof typeof samples];
        const changed = { ...files, [extension]: mutated(files[extension] ?? Buffer.alloc(0), changes) };
        await tryOut(rawZip(createZipEntries({ [name]: changed })));
      }),
      { numRuns: RUNS },
    );
  });

  it('are published or rejected for a mutated archive', async () => {
    const whole = rawZip(createZipEntries(samples));
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => tryOut(mutated(whole, changes))),
      { numRuns: RUNS },
    );
  });

  it('are published or rejected for mutated headers alone and for noise', async () => {
    const { shp = Buffer.alloc(0) } = samples.points;
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          mutations.map((changes) => mutated(shp, changes)),
          noise,
        ),
        async (bytes) => tryOut(bytes, 'application/octet-stream'),
      ),
      { numRuns: RUNS },
    );
  });
});
