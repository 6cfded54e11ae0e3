import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { PreparedGeometry } from './prepared-geometry.ts';
import { findInvalidity, loadTopology } from './topology.ts';

type Place = readonly [number, number];

const coordinate = fc.integer({ min: -6, max: 6 });
const place = fc.tuple(coordinate, coordinate);
const line = fc.array(place, { minLength: 2, maxLength: 30 });

function lines(type: 'LineString' | 'MultiLineString', parts: readonly (readonly Place[])[]): Geometry {
  let end = 0;
  const ends = parts.map(({ length }) => {
    end += length;
    return end;
  });
  return { type, dimension: 'XY', ordinates: Float64Array.from(parts.flat(2)), ends, parts: [] };
}

/** Creates a rectangle with an optional hole. */
function frame(left: number, bottom: number, width: number, height: number, hasHole: boolean): readonly Place[][] {
  const ring = (inset: number): Place[] => [
    [left + inset, bottom + inset],
    [left + width - inset, bottom + inset],
    [left + width - inset, bottom + height - inset],
    [left + inset, bottom + height - inset],
    [left + inset, bottom + inset],
  ];
  return hasHole ? [ring(0), ring(0.5)] : [ring(0)];
}

const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  fc.array(place, { minLength: 1, maxLength: 20 }).map(
    (places): Geometry => ({
      type: 'MultiPoint',
      dimension: 'XY',
      ordinates: Float64Array.from(places.flat()),
      ends: [],
      parts: [],
    }),
  ),
  line.map((places) => lines('LineString', [places])),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((parts) => lines('MultiLineString', parts)),
  fc
    .tuple(coordinate, coordinate, fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 }), fc.boolean())
    .map(([x, y, width, height, hasHole]) => ({
      ...lines('MultiLineString', frame(x, y, width, height, hasHole)),
      type: 'Polygon' as const,
    })),
  fc.array(place, { minLength: 3, maxLength: 3 }).map((corners) => ({
    ...lines('LineString', [[...corners, corners[0] ?? [0, 0]]]),
    type: 'Polygon' as const,
  })),
);

test('a prepared geometry gives the same results as the intersection matrix and the distance', async () => {
  const topology = await loadTopology();
  await fc.assert(
    fc.asyncProperty(geometry, geometry, fc.constantFrom(0, 0.5, 1, Math.SQRT2, 4), async (row, literal, distance) => {
      const [bounds, rowBounds] = [computeGeometryBounds(literal), computeGeometryBounds(row)];
      if (bounds === undefined || rowBounds === undefined) return;
      if ((await findInvalidity(row)) !== undefined || (await findInvalidity(literal)) !== undefined) return;
      const [one, other] = [topology.createShape(row), topology.createShape(literal)];
      const prepared = new PreparedGeometry(literal, bounds, topology.segmentTests);

      expect(prepared.intersects(row, rowBounds)).toBe(topology.isRelated('intersects', one, other));
      const near = (topology.computeDistance(one, other) ?? Number.NaN) <= distance;
      expect(prepared.isWithinDistance(row, rowBounds, distance)).toBe(near);
      const contact = prepared.computeContact(row, rowBounds);
      if (contact === 'apart') expect(topology.isRelated('disjoint', one, other)).toBe(true);
      if (contact === 'inside') expect(topology.isRelated({ pattern: 'TFF*FF***' }, one, other)).toBe(true);
      if (contact === 'around') expect(topology.isRelated({ pattern: 'T**FF*FF*' }, one, other)).toBe(true);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 500) },
  );
});

test('the cost of a row depends on its own positions, not on the length of the prepared line', async () => {
  const { segmentTests } = await loadTopology();
  const places = Array.from({ length: 10_000 }, (_, index): Place => [index, index % 2 === 0 ? 0 : 1_000]);
  const zigzag = lines('LineString', [places]);
  let tests = 0;
  const counted = {
    ...segmentTests,
    doCross: (...given: Parameters<typeof segmentTests.doCross>) => {
      tests += 1;
      return segmentTests.doCross(...given);
    },
  };
  const prepared = new PreparedGeometry(zigzag, { minX: 0, minY: 0, maxX: 9_999, maxY: 1_000 }, counted);
  const point: Geometry = {
    type: 'Point',
    dimension: 'XY',
    ordinates: Float64Array.of(4_000.25, 500),
    ends: [],
    parts: [],
  };

  expect(prepared.intersects(point, { minX: 4_000.25, minY: 500, maxX: 4_000.25, maxY: 500 })).toBe(false);
  expect(tests).toBe(1);
});
