/** The size of a vector tile and the features that remain in it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';
import { simplifyGeometry } from './simplify.ts';
import { computeDoubleArea, EXTENT } from './tile-geometry.ts';
import { VectorTileLayer } from './vector-tile.ts';

/** A tile with the same units as its geometries and its origin at the lower left. */
const bounds = { minX: 0, minY: 0, maxX: EXTENT, maxY: EXTENT };

function createTile(shapes: readonly string[], maxBytes: number): Uint8Array {
  const attributes = [geometryColumn('Geometry'), column('name', 'string')];
  const geometry = attributes[0]?.name ?? '';
  const layer = new VectorTileLayer({ name: 'all', bounds, attributes, geometry, limit: 50_000, maxBytes });
  for (const [index, each] of shapes.entries()) layer.add({ id: `all.${index}`, values: [wkt(each), `name ${index}`] });
  return layer.finish();
}

/** A wave with a position at each unit. */
function createWave(x: number, y: number, length: number): string {
  const places = Array.from({ length }, (_, at) => `${x + at} ${(y + Math.sin(at / 2) * 3).toFixed(2)}`);
  return `LINESTRING (${places.join(', ')})`;
}

describe('vector tile', () => {
  it('is simplified if that is sufficient, and keeps all features', () => {
    const waves = Array.from({ length: 50 }, (_, index) => createWave(100, 50 + index * 70, 1_000));

    const [whole, small] = [createTile(waves, 1_000_000), createTile(waves, 30_000)];

    expect(whole.length).toBeGreaterThan(100_000);
    expect(small.length).toBeLessThanOrEqual(30_000);
    expect(featuresOfTile(small).map(({ id }) => id)).toEqual(featuresOfTile(whole).map(({ id }) => id));
  });

  it('fits into its size with merged features', () => {
    const attributes = [geometryColumn('Geometry'), column('kind', 'string')];
    const geometry = attributes[0]?.name ?? '';
    const create = (maxBytes: number): Uint8Array => {
      const frame = { name: 'all', bounds, attributes, geometry, limit: 50_000, maxBytes, coalesces: true };
      const layer = new VectorTileLayer(frame);
      for (let index = 0; index < 400; index += 1)
        layer.add({ id: `all.${index}`, values: [wkt(createWave(100, index * 10, 100)), `kind ${index % 2}`] });
      return layer.finish();
    };

    const [whole, small] = [featuresOfTile(create(1_000_000)), create(5_000)];

    expect(whole.map(({ properties }) => properties['kind'])).toEqual(['kind 0', 'kind 1']);
    expect(small.length).toBeLessThanOrEqual(5_000);
    expect(featuresOfTile(small)).toHaveLength(2);
  });

  it('contains dates without a time', () => {
    const attributes = [geometryColumn('Point'), column('day', 'date'), column('at', 'timestamp')];
    const geometry = attributes[0]?.name ?? '';
    const layer = new VectorTileLayer({ name: 'all', bounds, attributes, geometry, limit: 10, maxBytes: 10_000 });
    const moment = new Date('2024-03-31T00:00:00Z');
    layer.add({ id: 'all.1', values: [wkt('POINT (1 1)'), moment, moment] });

    const [feature] = featuresOfTile(layer.finish());

    expect(feature?.properties).toEqual({ day: '2024-03-31', at: '2024-03-31T00:00:00.000Z' });
  });

  it('keeps the largest features and all attributes if it is too large', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `LINESTRING (10 ${index}, ${20 + index * 8} ${index})`);

    const features = featuresOfTile(createTile(lines, 5_000));

    expect(features.map(({ id }) => id)).toEqual(Array.from(features, (_, index) => 500 - features.length + index));
    expect(features.every(({ properties }) => 'name' in properties)).toBe(true);
  });

  it('fits into any size with any shapes, unless a single feature is too large', () => {
    const number = fc.integer({ min: -300, max: 4_400 });
    const shape = fc.oneof(
      fc.tuple(number, number).map(([x, y]) => `POINT (${x} ${y})`),
      fc.tuple(number, number, fc.integer({ min: 2, max: 60 })).map(([x, y, length]) => createWave(x, y, length)),
      fc.tuple(number, number, fc.integer({ min: 1, max: 900 })).map(([x, y, side]) => {
        return `POLYGON ((${x} ${y}, ${x + side} ${y}, ${x + side} ${y + side}, ${x} ${y}))`;
      }),
    );
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 80 }), fc.integer({ min: 300, max: 3_000 }), (shapes, maxBytes) => {
        const [tile, whole] = [createTile(shapes, maxBytes), createTile(shapes, 1_000_000)];

        expect(tile.length).toBeLessThanOrEqual(maxBytes);
        // The heads of the tile and of the layer are counted with their largest size.
        if (whole.length <= maxBytes - 24) expect(tile).toEqual(whole);
      }),
    );
  });
});

describe('simplification', () => {
  const place = fc.integer({ min: 0, max: 4_096 });

  it('moves no position of a line by more than the tolerance, and keeps both ends', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 2, maxLength: 40 }), (places) => {
        const simple = simplifyGeometry({ type: 'line', parts: [places.flat()] }, 8).parts[0] ?? [];

        expect(simple.slice(0, 2)).toEqual(places[0]);
        expect(simple.slice(-2)).toEqual(places.at(-1));
        for (const [x, y] of places) expect(measureDistance(simple, x, y)).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('keeps outer rings and their orientation, and omits holes that collapse', () => {
    const outer = [0, 0, 1_000, 0, 1_000, 1_000, 500, 1_001, 0, 1_000];
    const hole = [100, 100, 100, 103, 103, 103];

    const { parts } = simplifyGeometry({ type: 'polygon', parts: [outer, hole] }, 8);

    expect(parts).toEqual([[0, 0, 1_000, 0, 1_000, 1_000, 0, 1_000]]);
    expect(computeDoubleArea(parts[0] ?? [])).toBeGreaterThan(0);
    expect(simplifyGeometry({ type: 'polygon', parts: [[0, 0, 3, 0, 3, 3]] }, 8).parts).toEqual([[0, 0, 3, 0, 3, 3]]);
  });
});

function measureDistance(line: readonly number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = line.slice(at, at + 4);
    const squared = (toX - fromX) ** 2 + (toY - fromY) ** 2;
    const share = squared === 0 ? 0 : ((x - fromX) * (toX - fromX) + (y - fromY) * (toY - fromY)) / squared;
    const nearest = Math.min(1, Math.max(0, share));
    least = Math.min(least, Math.hypot(x - fromX - nearest * (toX - fromX), y - fromY - nearest * (toY - fromY)));
  }
  return least;
}
