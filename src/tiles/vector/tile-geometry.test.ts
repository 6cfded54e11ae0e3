/** The part of a geometry that is in a tile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wkt } from '../../../test/support/feature-collections.ts';
import { EXTENT, TileFrame } from './tile-geometry.ts';

/** A tile with the same units as its geometries and its origin at the lower left. */
const bounds = { minX: 0, minY: 0, maxX: EXTENT, maxY: EXTENT };
const placed = (text: string) => new TileFrame(bounds).projectGeometry(wkt(text));

describe('tile geometry', () => {
  it('has y downwards from the upper left corner', () => {
    expect(placed('POINT (10 4000)')).toEqual([{ type: 'point', parts: [[10, 96]] }]);
  });

  it('includes points within the buffer and no others', () => {
    expect(placed('MULTIPOINT ((-200 0), (-300 0))')).toEqual([{ type: 'point', parts: [[-200, EXTENT]] }]);
    expect(placed('POINT (9000 9000)')).toEqual([]);
  });

  it('includes the parts of a line within the tile', () => {
    expect(placed('LINESTRING (100 100, 100 9000, 200 9000, 200 100)')).toEqual([
      {
        type: 'line',
        parts: [
          [100, 3996, 100, -256],
          [200, -256, 200, 3996],
        ],
      },
    ]);
  });

  it('includes the part of an area within the tile', () => {
    expect(placed('POLYGON ((-9000 -9000, 9000 -9000, 9000 9000, -9000 9000, -9000 -9000))')).toMatchObject([
      { type: 'polygon', parts: [expect.arrayContaining([-256, 4352])] },
    ]);
    expect(placed('POLYGON ((5000 0, 6000 0, 6000 10, 5000 10, 5000 0))')).toEqual([]);
  });

  it('has clockwise outer rings and counter-clockwise holes for any input', () => {
    const outer = '(0 0, 0 100, 100 100, 100 0, 0 0)';
    const hole = '(10 10, 10 50, 50 50, 50 10, 10 10)';
    const area = (ring: readonly number[]) =>
      ring.reduce((sum, value, at) => {
        const next = ring[(at + (at % 2 === 0 ? 3 : 1)) % ring.length] ?? 0;
        return sum + (at % 2 === 0 ? value * next : -value * next);
      }, 0);

    for (const text of [`POLYGON (${outer}, ${hole})`, wktReversed(outer, hole)]) {
      const [polygon] = placed(text);
      expect(polygon?.parts.map((ring) => Math.sign(area(ring)))).toEqual([1, -1]);
    }
  });

  it('reduces tiny areas to one dot per position', () => {
    const frame = new TileFrame(bounds);
    const small = (x: number) => wkt(`POLYGON ((${x} 1, ${x + 1} 1, ${x + 1} 2, ${x} 1))`);

    expect(frame.projectGeometry(small(1))).toMatchObject([{ type: 'polygon', parts: [{ length: 8 }] }]);
    expect(frame.projectGeometry(small(3))).toEqual([]);
    expect(frame.projectGeometry(small(100))).toHaveLength(1);
  });

  it('splits collections', () => {
    expect(placed('GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (1 1, 50 50))').map(({ type }) => type)).toEqual([
      'point',
      'line',
    ]);
  });

  it('has no positions outside the buffer', () => {
    const number = fc.integer({ min: -10_000, max: 15_000 });
    const places = fc.array(fc.tuple(number, number), { minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(places, fc.boolean(), (line, isRing) => {
        const text = [...line, ...(isRing ? line.slice(0, 1) : [])].map((place) => place.join(' ')).join(', ');
        const parts = placed(isRing ? `POLYGON ((${text}))` : `LINESTRING (${text})`).flatMap((each) => each.parts);

        for (const value of parts.flat()) {
          expect(Number.isInteger(value) && value >= -256 && value <= EXTENT + 256).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function wktReversed(outer: string, hole: string): string {
  const turned = (ring: string) => `(${ring.slice(1, -1).split(', ').reverse().join(', ')})`;
  return `POLYGON (${turned(outer)}, ${turned(hole)})`;
}
