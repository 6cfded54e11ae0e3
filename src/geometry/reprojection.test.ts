/** Boxes of one CRS in another, where their edges are curves. */
import { describe, expect, it } from 'vitest';
import { compilePredicate } from '../filter/predicate/predicate.ts';
import { createAreaFilter } from '../vector/query/box-filter.ts';
import type { Geometry } from './geometry.ts';
import { createReprojection } from './reprojection.ts';

const longitudes = { code: 'EPSG:4326' };

const point = (x: number, y: number): Geometry => ({
  type: 'Point',
  dimension: 'XY',
  ordinates: Float64Array.of(x, y),
  ends: [],
  parts: [],
});

/** Returns which positions, given in degrees and stored in a CRS, are in a box of degrees. */
async function inBox(
  code: string,
  [minX, minY, maxX, maxY]: readonly [number, number, number, number],
  places: readonly (readonly [number, number])[],
): Promise<readonly boolean[]> {
  const reprojection = await createReprojection(longitudes, { code });
  if (reprojection === undefined) throw new Error('they are the same');
  const areas = reprojection.reprojectArea({ minX, minY, maxX, maxY });
  const tests = await Promise.all(
    areas.map((area) =>
      compilePredicate<Geometry>(createAreaFilter('geom', area), {
        value: (geometry) => geometry,
        identifier: () => '',
      }),
    ),
  );
  return places.map(([longitude, latitude]) => {
    const placed = reprojection.reprojectGeometry(point(longitude, latitude));
    return placed !== null && tests.some((isIn) => isIn(placed));
  });
}

describe('reprojected box', () => {
  it('follows the curved edges of the box at the side of a UTM zone', async () => {
    // In zone 32 the parallel of 60 degrees is further north at the sides of the zone than in the middle.
    const found = await inBox(
      'EPSG:32632',
      [6, 60, 12, 61],
      [
        [6.01, 60.002],
        [6.01, 59.998],
        [9, 60.002],
        [9, 59.998],
        [5.99, 60.5],
        [12.01, 60.5],
      ],
    );

    expect(found).toEqual([true, false, true, false, false, false]);
  });

  it.each(['EPSG:3995', 'EPSG:3413'])('is a disc or a ring around the pole in %s', async (code) => {
    const places = [
      [0, 89],
      [100, 81],
      [-179, 85],
      [30, 79],
      [-100, 75],
    ] as const;

    expect(await inBox(code, [-180, 80, 180, 90], places)).toEqual([true, true, true, false, false]);
    expect(await inBox(code, [-180, 70, 180, 80], places)).toEqual([false, false, false, true, true]);
    expect(await inBox(code, [-5, 60, 90, 90], places)).toEqual([true, false, false, true, false]);
  });

  it('is clipped to the domain of the target CRS', async () => {
    expect(
      await inBox(
        'EPSG:3857',
        [-180, -90, 180, 90],
        [
          [7, 50],
          [-170, -80],
        ],
      ),
    ).toEqual([true, true]);
  });
});
