import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { entriesOf, pointShapefile, polygonShapefile, putZip, snapshot } from '../../../test/support/vector-samples.ts';

/** Together they are the 2,000 cases that every run tries. */
const RUNS = 700;

const samples = { points: pointShapefile(5), polygons: polygonShapefile() };

/** Changes to bytes as transmission, disks and people make them. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant('integer' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1000, 65_535),
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }),
  }),
);

type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

function mutated(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  let current = bytes;
  for (const each of mutations) {
    current = mutatedOnce(current, each);
  }
  return current;
}

function mutatedOnce(bytes: Buffer, mutation: Mutation): Buffer {
  const at = Math.min(Math.floor(mutation.at * bytes.length), Math.max(bytes.length - 1, 0));
  const before = bytes.subarray(0, at);
  switch (mutation.kind) {
    case 'set':
      return Buffer.concat([before, Buffer.of(mutation.byte), bytes.subarray(at + 1)]);
    case 'cut':
      return before;
    case 'integer': {
      const word = Buffer.alloc(4);
      word.writeInt32LE(mutation.value);
      return Buffer.concat([before, word, bytes.subarray(at + 4)]);
    }
    case 'insert':
      return Buffer.concat([before, mutation.bytes, bytes.subarray(at)]);
  }
}

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
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

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
