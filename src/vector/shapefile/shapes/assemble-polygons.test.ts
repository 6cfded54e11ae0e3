import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listCoordinates } from '../../../../test/support/vector-reading.ts';
import { assemblePolygons } from './assemble-polygons.ts';

type Box = readonly [x: number, y: number, size: number];

/** Creates a square from its lower left corner, clockwise or counterclockwise. */
function square([x, y, size]: Box, clockwise: boolean): readonly number[] {
  const corners = [x, y, x, y + size, x + size, y + size, x + size, y, x, y];
  return clockwise
    ? corners
    : corners.toReversed().flatMap((_, at, all) => (at % 2 === 0 ? [all[at + 1] ?? 0, all[at] ?? 0] : []));
}

/** Returns the assembled polygons as lists of the corners and sizes of their squares. */
function assembled(rings: readonly (readonly number[])[]): readonly string[] {
  const ends: number[] = [];
  for (const ring of rings) ends.push((ends.at(-1) ?? 0) + ring.length / 2);
  const geometry = assemblePolygons({ ordinates: Float64Array.from(rings.flat()), ends, dimension: 'XY', stride: 2 });
  const polygons = listCoordinates(geometry) as readonly (readonly (readonly [number, number])[])[][];
  return polygons.map((polygon) =>
    polygon
      .map((ring) => {
        const xs = ring.map(([x]) => x);
        const ys = ring.map(([, y]) => y);
        return `${Math.min(...xs)},${Math.min(...ys)}+${Math.max(...xs) - Math.min(...xs)}`;
      })
      .join(' '),
  );
}

const outline: Box = [0, 0, 100];
const lake: Box = [10, 10, 80];
const island: Box = [20, 20, 60];
const pond: Box = [30, 30, 10];
const other: Box = [200, 0, 10];

describe('polygon assembly', () => {
  test('clockwise rings are outlines, the others are holes in the smallest outline around them', () => {
    const rings = [square(outline, true), square(lake, false), square(island, true), square(pond, false)];

    expect(assembled(rings)).toEqual(['0,0+100 10,10+80', '20,20+60 30,30+10']);
  });

  test('a hole outside every outline becomes an outline', () => {
    expect(assembled([square(outline, true), square(other, false)])).toEqual(['0,0+100', '200,0+10']);
  });

  test('a hole that touches its outline in a corner belongs to it', () => {
    const touching = square([0, 0, 50], false);

    expect(assembled([square(outline, true), touching])).toEqual(['0,0+100 0,0+50']);
  });

  test('nesting decides if no ring is clockwise', () => {
    const rings = [pond, other, island, lake, outline].map((box) => square(box, false));

    expect(assembled(rings)).toEqual(['200,0+10', '20,20+60 30,30+10', '0,0+100 10,10+80']);
  });

  test('open rings are closed', () => {
    const open = square(outline, true).slice(0, -2);
    const geometry = assemblePolygons({ ordinates: Float64Array.from(open), ends: [4], dimension: 'XY', stride: 2 });

    expect(listCoordinates(geometry)).toEqual([
      [
        [
          [0, 0],
          [0, 100],
          [100, 100],
          [100, 0],
          [0, 0],
        ],
      ],
    ]);
  });

  test('the order of the rings does not change the polygons', () => {
    const rings = [
      [square(outline, true), square(lake, false)],
      [square(island, true), square(pond, false)],
      [square(other, true), square([202, 2, 3], false), square([206, 6, 2], false)],
    ].flat();
    const expected = assembled(rings)
      .map((polygon) => polygon.split(' ').sort())
      .sort();

    fc.assert(
      fc.property(fc.shuffledSubarray(rings, { minLength: rings.length }), (shuffled) => {
        expect(
          assembled(shuffled)
            .map((polygon) => polygon.split(' ').sort())
            .sort(),
        ).toEqual(expected);
      }),
    );
  });

  test('a shape with very many rings is assembled in bounded time', () => {
    const count = 40_000;
    const rings = Array.from({ length: count }, (_, index) => square([0, 0, count * 2 - index], index % 2 === 0));
    const begin = performance.now();

    assembled(rings);

    expect(performance.now() - begin).toBeLessThan(120_000);
  });
});
