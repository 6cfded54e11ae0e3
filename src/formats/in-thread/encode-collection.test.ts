import { describe, expect, test } from 'vitest';
import { encodingWorld } from '../../../test/support/encoding-world.ts';
import {
  column,
  createCollection,
  encodeText,
  geometryColumn,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature } from '../../vector/port/port.ts';
import { type OutputFormat, outputFormats } from '../formats.ts';
import type { FeatureCollection } from '../port/port.ts';
import { type EncodingEnvironment, encodeCollection } from './encode-collection.ts';

const attributes = [column('name', 'string'), geometryColumn()];

function rowsOf(count: number, geometry: Geometry | null = null): FeatureCollection {
  return createCollection([
    { attributes, rows: Array.from({ length: count }, (_, index) => [`row ${index}`, geometry]) },
  ]);
}

function longTexts(count: number): FeatureCollection {
  const rows = Array.from({ length: count }, () => ['x'.repeat(600_000), null]);
  return createCollection([{ attributes, rows }]);
}

/** Counts the documents that are encoded in threads. */
function watchedWorld(): EncodingEnvironment & { readonly inThreads: () => number } {
  const world = encodingWorld();
  let count = 0;
  return {
    ...world,
    inThreads: () => count,
    threads: {
      ...world.threads,
      encode: (document, signal) => {
        count += 1;
        return world.threads.encode(document, signal);
      },
    },
  };
}

async function textOf(
  format: OutputFormat,
  collection: FeatureCollection,
  world: EncodingEnvironment,
): Promise<string> {
  return encodeText({ encode: () => encodeCollection(format, collection, world, never) }, collection);
}

describe('feature document encoding', () => {
  test('encodes a small document immediately', async () => {
    const world = watchedWorld();

    const text = await textOf(outputFormats.csv, rowsOf(1_000), world);

    expect(text).toBe(await encodeText(await outputFormats.csv.load(), rowsOf(1_000)));
    expect(world.inThreads()).toBe(0);
  });

  test.each([
    ['many features', rowsOf(1_001), rowsOf(1_001)],
    ['large geometries', rowsOf(2, line(10_000)), rowsOf(2, line(10_000))],
    ['nested features', nested(51), nested(51)],
    ['long texts', longTexts(2), longTexts(2)],
  ])('encodes a document in a thread if it has %s', async (_, collection, same) => {
    const world = watchedWorld();

    const text = await textOf(outputFormats.geojson, collection, world);

    expect(text).toBe(await encodeText(await outputFormats.geojson.load(), same));
    expect(world.inThreads()).toBe(1);
  });

  test('encodes even a small document in a thread if its library blocks', async () => {
    const world = watchedWorld();

    const text = await textOf(outputFormats.geopackage, rowsOf(1), world);

    expect(text.startsWith('SQLite format 3')).toBe(true);
    expect(world.inThreads()).toBe(1);
  });

  test('takes the counts before the features, although it reads the features first', async () => {
    const collection = rowsOf(3);
    let isRead = false;
    const sets = collection.sets.map((set) => ({
      ...set,
      get numberMatched() {
        return isRead ? 3 : undefined;
      },
      batches: (async function* () {
        yield* set.batches;
        isRead = true;
      })(),
    }));

    const [gml, json] = [
      await textOf(outputFormats.gml32, { ...collection, sets }, watchedWorld()),
      await textOf(outputFormats.geojson, rowsOf(3), watchedWorld()),
    ];

    expect(gml).toContain('numberMatched="unknown"');
    expect(json).toContain('"numberMatched":3');
  });

  test('stops reading features when the document is no longer needed', async () => {
    let isEnded = false;
    const collection = rowsOf(1);
    async function* endless(): AsyncGenerator<readonly Feature[]> {
      try {
        for (;;) yield Array.from({ length: 64 }, () => ({ id: 'a', values: ['a', null] }));
      } finally {
        isEnded = true;
      }
    }
    const sets = collection.sets.map((set) => ({ ...set, batches: endless() }));
    const world = encodingWorld();
    const pieces = encodeCollection(outputFormats.csv, { ...collection, sets }, world, never);
    await pieces.next();

    await pieces.return(undefined);

    await expect.poll(() => isEnded).toBe(true);
    expect(world.threads.countEncodings()).toBe(0);
  });
});

function line(positions: number): Geometry {
  return wkt(`LINESTRING (${Array.from({ length: positions }, (_, index) => `${index % 180} 1`).join(', ')})`);
}

function nested(count: number): FeatureCollection {
  const collection = rowsOf(0);
  const name = { prefix: 'a', uri: 'http://a', local: 'name' };
  const features = Array.from({ length: count }, (_, index): Feature => {
    const id = `a.${index}`;
    const geometry = { kind: 'geometry' as const, geometry: wkt('POINT (1 2)') };
    const children = [
      { name, value: `A ${index}`, children: [], attributes: [] },
      { name: { ...name, local: 'shape' }, value: geometry, children: [], attributes: [] },
    ];
    return { id, values: [`A ${index}`, null], content: { name, id, children, attributes: [], geometry } };
  });
  const batches = (async function* () {
    yield features;
  })();
  return { ...collection, sets: collection.sets.map((set) => ({ ...set, batches })) };
}
