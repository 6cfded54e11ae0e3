import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { samples } from '../../../test/contract/encoders/samples.ts';
import { encodingWorld } from '../../../test/support/encoding-world.ts';
import {
  createCollection as collectionOfRows,
  column,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Feature } from '../../vector/port/port.ts';
import { createShape, shapeBatches } from '../../vector/query/shape-features.ts';
import { createWorkerPool } from '../../workers/pool.ts';
import { runForClient } from '../../workers/request-scope.ts';
import { type CollectionEvent, readEvents, toCollectionHead } from '../collection-events.ts';
import { type OutputFormat, outputFormats } from '../formats.ts';
import type { FeatureCollection } from '../port/port.ts';
import { createEncodeThreads, type EncodeLimits, type EncodeThreads } from './encode-threads.ts';

const folder = useTemporaryFolder('encode-threads');
const world = encodingWorld(folder);
const formats = Object.values<OutputFormat>(outputFormats);

const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 1,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 256,
  idleMs: 60_000,
});
afterAll(() => pool.close());

function threadsWith(limits: Partial<EncodeLimits> = {}): EncodeThreads {
  return createEncodeThreads(pool, { threads: 1, encodings: 10, stepMs: 60_000, ...limits });
}

function inThread(
  format: OutputFormat,
  collection: FeatureCollection,
  { threads = threadsWith(), signal = never }: { threads?: EncodeThreads; signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array> {
  const document = { format, head: toCollectionHead(collection), events: readEvents(collection), folders: world };
  return threads.encode(document, signal);
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Options for vector tiles; other formats ignore them. */
const options = {
  decimals: 8,
  tile: { bounds: { minX: -180, minY: -90, maxX: 180, maxY: 90 }, limit: 50_000, maxBytes: 500_000 },
};

const attributes = [column('name', 'string'), column('number', 'long'), geometryColumn('Point')];

/** Creates batches on demand and counts them. */
function manyBatches(batches: number, featuresEach = 64) {
  const asked = { batches: 0, isEnded: false };
  async function* make(): AsyncGenerator<readonly Feature[]> {
    try {
      for (; asked.batches < batches; ) {
        asked.batches += 1;
        yield Array.from({ length: featuresEach }, (_, index) => ({
          id: `places.${asked.batches}.${index}`,
          values: [`Place ${index}`, index, wkt(`POINT (${index} ${index / 3})`)],
        }));
      }
    } finally {
      asked.isEnded = true;
    }
  }
  const [set] = collectionOfRows([{ attributes, rows: [] }]).sets;
  if (set === undefined) throw new Error('One set is expected');
  const collection = { ...collectionOfRows([], { options }), sets: [{ ...set, batches: make() }] };
  return { collection, asked };
}

describe.each(formats)('$name encoded in a thread', (format) => {
  test.each(Object.entries(samples))('has the same bytes for %s', async (_, { set }) => {
    const made = (): FeatureCollection => collectionOfRows([set], { options });
    const here = encodeBytes(await format.load(world), made()).catch((error: Error) => error.message);
    const there = bytesOf(inThread(format, made())).catch((error: Error) => error.message);

    expect(withoutMoments(await there)).toEqual(withoutMoments(await here));
  });

  test('yields to other requests repeatedly', async () => {
    const { collection } = manyBatches(400);
    const perTurn: number[] = [0];
    let isDone = false;
    const turning = (async () => {
      for (; !isDone; perTurn.push(0)) await turn();
    })();
    async function* counted(batches: AsyncIterable<readonly Feature[]>): AsyncGenerator<readonly Feature[]> {
      for await (const batch of batches) {
        perTurn.push((perTurn.pop() ?? 0) + 1);
        yield batch;
      }
    }
    const sets = collection.sets.map((set) => ({ ...set, batches: counted(set.batches) }));

    await bytesOf(inThread(format, { ...collection, sets }));
    isDone = true;
    await turning;

    expect(perTurn.reduce((sum, count) => sum + count)).toBe(400);
    expect(perTurn.reduce((most, count) => Math.max(most, count))).toBeLessThan(100);
  });
});

/** GeoPackages contain their creation time. */
function withoutMoments(bytes: Buffer | string): string {
  return bytes.toString('latin1').replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '');
}

describe('documents encoded in a thread', () => {
  const rows: MadeUpSet = { attributes, rows: [['a', 1, wkt('POINT (10 50)')]] };

  test('contain the counts and links that are known after their features are read', async () => {
    let isRead = false;
    const collection = collectionOfRows([rows], { links: () => (isRead ? [{ rel: 'next', href: '/next' }] : []) });
    const sets = collection.sets.map((set) => ({
      ...set,
      get numberMatched() {
        return isRead ? 17 : undefined;
      },
      batches: (async function* () {
        yield* set.batches;
        isRead = true;
      })(),
    }));

    const document = JSON.parse(String(await bytesOf(inThread(outputFormats.geojson, { ...collection, sets }))));

    expect(document).toMatchObject({ numberMatched: 17, links: [{ rel: 'next', href: '/next' }] });
  });

  test('contain features in the requested shape', async () => {
    const made = collectionOfRows([rows]);
    const type = { name: 'places', attributes, defaultGeometry: 'the_geom' };
    const plan = { type, attributes: ['the_geom'], crs: { code: 'EPSG:3857' } };
    const shape = await createShape(plan);
    const sets = made.sets.map((set) => ({ ...set, description: shape.description }));
    const unshaped = sets.map((set) => ({ ...set, unshaped: { batches: set.batches, plan } }));
    const here = collectionOfRows([rows]).sets.map((set) => ({
      ...set,
      description: shape.description,
      batches: shapeBatches(set.batches, shape),
    }));

    const there = await bytesOf(inThread(outputFormats.csv, { ...made, sets: unshaped }));

    expect(String(there)).toBe(String(await encodeBytes(await outputFormats.csv.load(), { ...made, sets: here })));
    expect(String(there)).toContain('POINT (1113194.90793');
  });

  test('fail with the problem of the encoder', async () => {
    const threads = threadsWith();

    await expect(
      bytesOf(inThread(outputFormats.flatgeobuf, collectionOfRows([rows, rows]), { threads })),
    ).rejects.toMatchObject({ code: 'format-of-one-type' });
    expect(threads.countEncodings()).toBe(0);
  });

  test('fail with the error of the source and release their resources', async () => {
    const threads = threadsWith();
    const { collection } = manyBatches(0);
    const failing = (async function* (): AsyncGenerator<readonly Feature[]> {
      yield [{ id: 'places.1', values: ['a', 1, null] }];
      throw new Error('The disk is gone.');
    })();
    const sets = collection.sets.map((set) => ({ ...set, batches: failing }));

    await expect(bytesOf(inThread(outputFormats.csv, { ...collection, sets }, { threads }))).rejects.toThrow(
      'The disk is gone.',
    );
    expect(threads.countEncodings()).toBe(0);
  });

  test('buffer a limited amount for a client that stops reading', async () => {
    const { collection, asked } = manyBatches(10_000);
    const pieces = inThread(outputFormats.gml32, collection);

    await pieces.next();
    const whileStalled = await settled(() => asked.batches);

    expect(whileStalled).toBeLessThan(200);
    await pieces.return(undefined);
  });

  test('release the thread while the client does not read', async () => {
    const threads = threadsWith();
    const stalled = inThread(outputFormats.csv, manyBatches(10_000).collection, { threads });
    await stalled.next();

    const other = await bytesOf(inThread(outputFormats.csv, collectionOfRows([rows]), { threads }));

    expect(String(other)).toContain('places.1,a,1');
    await stalled.return(undefined);
  });

  test('end when the client disconnects, also in the thread', async () => {
    const threads = threadsWith();
    const { collection, asked } = manyBatches(10_000);
    const events = readEvents(collection);
    const document = { format: outputFormats.csv, head: toCollectionHead(collection), events, folders: world };
    const pieces = threads.encode(document, never);
    await pieces.next();

    await pieces.return(undefined);
    await events.return(undefined);

    expect(threads.countEncodings()).toBe(0);
    expect(asked.isEnded).toBe(true);
  });

  test('end on abort, also while the source is idle', async () => {
    const threads = threadsWith();
    const gone = new AbortController();
    const { collection } = manyBatches(0);
    const reading = Promise.withResolvers<void>();
    const silent: AsyncIterable<readonly Feature[]> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          reading.resolve();
          return new Promise(() => undefined);
        },
      }),
    };
    const sets = collection.sets.map((set) => ({ ...set, batches: silent }));
    const result = bytesOf(inThread(outputFormats.csv, { ...collection, sets }, { threads, signal: gone.signal }));
    await reading.promise;

    gone.abort(new Error('The client is gone.'));

    await expect(result).rejects.toThrow('The client is gone.');
    expect(threads.countEncodings()).toBe(0);
  });

  test('end with their thread if a step takes too long; the next document uses a new thread', async () => {
    const impatient = threadsWith({ stepMs: 1 });

    await expect(
      bytesOf(inThread(outputFormats.gml32, manyBatches(1, 50_000).collection, { threads: impatient })),
    ).rejects.toMatchObject({ code: 'work-too-slow' });
    const other = await bytesOf(inThread(outputFormats.csv, collectionOfRows([rows])));

    expect(impatient.countEncodings()).toBe(0);
    expect(String(other)).toContain('places.1,a,1');
  });

  test('are rejected if too many are in progress', async () => {
    const threads = threadsWith({ encodings: 1 });
    const first = inThread(outputFormats.csv, manyBatches(10_000).collection, { threads });
    await first.next();

    await expect(bytesOf(inThread(outputFormats.csv, collectionOfRows([rows]), { threads }))).rejects.toMatchObject({
      code: 'work-refused',
    });
    await first.return(undefined);
  });

  test('are rejected for a client that uses half of the capacity, while another client is served', async () => {
    const threads = threadsWith({ encodings: 2 });
    const encodeFor = (client: string, collection: FeatureCollection) =>
      runForClient(client, () => bytesOf(inThread(outputFormats.csv, collection, { threads })));
    const first = inThread(outputFormats.csv, manyBatches(10_000).collection, { threads });
    await runForClient('one', () => first.next());

    await expect(encodeFor('one', collectionOfRows([rows]))).rejects.toMatchObject({ code: 'work-refused' });
    expect(String(await encodeFor('other', collectionOfRows([rows])))).toContain('places.1,a,1');
    await first.return(undefined);
  });
});

/** Waits until a number has been stable for many turns. */
async function settled(read: () => number): Promise<number> {
  let last = read();
  for (let same = 0; same < 500; same += 1) {
    await turn();
    if (read() !== last) same = 0;
    last = read();
  }
  return last;
}

test('collection events end with the results of each set', async () => {
  const events: CollectionEvent[] = [];
  for await (const event of readEvents(collectionOfRows([{ attributes, rows: [['a', 1, null]] }]))) events.push(event);

  expect(events).toEqual([
    { batch: [{ id: 'places.1', values: ['a', 1, null] }] },
    { end: { numberMatched: [1], links: [] } },
  ]);
});
