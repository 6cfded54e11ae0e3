import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutated, mutations } from '../../../test/support/mutations.ts';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { entriesOf, pointShapefile, polygonShapefile, putZip, snapshot } from '../../../test/support/vector-samples.ts';

/** Of each of three sorts; before a release 700, which are 2,000 in all. */
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

describe('whatever is uploaded', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    // The folder of all data is made with the first upload, and stays.
    await tryOut(rawZip(entriesOf(samples))).catch(() => undefined);
  });

  /** A 4xx without a trace, or a type that can be read; never anything else. */
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
      // What was published is kept for the history.
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

  it('as a mutated file of a shapefile is published or refused', async () => {
    await fc.assert(
      fc.asyncProperty(file, mutations, async ([name, extension], changes) => {
        const files = samples[name as keyof typeof samples];
        const changed = { ...files, [extension]: mutated(files[extension] ?? Buffer.alloc(0), changes) };
        await tryOut(rawZip(entriesOf({ [name]: changed })));
      }),
      { numRuns: RUNS },
    );
  });

  it('as a mutated archive is published or refused', async () => {
    const whole = rawZip(entriesOf(samples));
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => tryOut(mutated(whole, changes))),
      { numRuns: RUNS },
    );
  });

  it('as mutated headers alone, or as noise, is published or refused', async () => {
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
