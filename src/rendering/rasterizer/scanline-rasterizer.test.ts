/** Verifies that shapes cover exactly their area, even if only part of them is in the picture. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ink, Picture } from './picture.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

type Place = readonly [number, number];

/** Returns the coverage of each pixel, row by row. */
function covered(width: number, height: number, ...rings: readonly (readonly Place[])[]): number[][] {
  const coverage = new ScanlineRasterizer(width, height);
  for (const ring of rings) addRing(coverage, ring);
  return swept(coverage);
}

function addRing(coverage: ScanlineRasterizer, ring: readonly Place[]): void {
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] as Place;
    coverage.addEdge(x, y, nextX, nextY);
  }
}

function swept(coverage: ScanlineRasterizer): number[][] {
  const rows = Array.from({ length: coverage.height }, () => Array.from({ length: coverage.width }, () => 0));
  coverage.sweep((row, start, end, share) => {
    for (let column = start; column < end; column += 1) {
      const pixels = rows[row] as number[];
      pixels[column] = (pixels[column] ?? 0) + share;
    }
  });
  return rows.map((row) => row.map((share) => Math.round(share * 1_000) / 1_000));
}

const box = (left: number, top: number, right: number, bottom: number): readonly Place[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

describe('box', () => {
  it('covers whole pixels completely', () => {
    expect(covered(4, 3, box(1, 1, 3, 2))).toEqual([
      [0, 0, 0, 0],
      [0, 1, 1, 0],
      [0, 0, 0, 0],
    ]);
  });

  it('covers partial pixels in proportion', () => {
    expect(covered(3, 2, box(0.5, 0.25, 2.25, 1))).toEqual([
      [0.375, 0.75, 0.188],
      [0, 0, 0],
    ]);
  });

  it('covers the same pixels in both orientations', () => {
    expect(covered(4, 3, [...box(0.5, 0.5, 2.5, 2.5)].reverse())).toEqual(covered(4, 3, box(0.5, 0.5, 2.5, 2.5)));
  });

  it('covers the whole picture if it is larger', () => {
    expect(covered(2, 2, box(-100, -50, 70, 1_000))).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('covers nothing if it is outside of the picture', () => {
    for (const away of [box(-5, 0, -1, 2), box(3, 0, 9, 2), box(0, -5, 2, -1), box(0, 2, 2, 5)]) {
      expect(covered(2, 2, away).flat()).toEqual([0, 0, 0, 0]);
    }
  });
});

describe('shape', () => {
  it('excludes a hole of the opposite orientation', () => {
    expect(covered(4, 4, box(0, 0, 4, 4), [...box(1, 1, 3, 3)].reverse())).toEqual([
      [1, 1, 1, 1],
      [1, 0, 0, 1],
      [1, 0, 0, 1],
      [1, 1, 1, 1],
    ]);
  });

  it('covers overlapping parts once', () => {
    expect(covered(3, 1, box(0, 0, 2, 1), box(1, 0, 3, 1))).toEqual([[1, 1, 1]]);
  });

  it('leaves the rasterizer empty for the next shape', () => {
    const coverage = new ScanlineRasterizer(3, 3);
    addRing(coverage, box(0, 0, 3, 3));
    swept(coverage);

    addRing(coverage, box(1, 1, 2, 2));

    expect(swept(coverage)).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]);
  });

  it('covers nothing, and terminates, if coordinates are not numbers', () => {
    const strange: readonly Place[] = [
      [0, 0],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 2],
      [1, Number.NEGATIVE_INFINITY],
    ];
    expect(covered(2, 2, strange).flat().every(Number.isFinite)).toBe(true);
  });
});

describe('triangle', () => {
  const place = fc.tuple(fc.double({ min: -8, max: 16, noNaN: true }), fc.double({ min: -8, max: 16, noNaN: true }));

  it('covers its area within the picture', () => {
    fc.assert(
      fc.property(place, place, place, (a, b, c) => {
        const sum = covered(8, 8, [a, b, c])
          .flat()
          .reduce((total, share) => total + share, 0);

        // The tolerance allows for rounding 64 pixels to thousandths and for coverage below the threshold.
        expect(Math.abs(sum - areaWithin([a, b, c], 8))).toBeLessThan(0.1);
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns the area of a convex shape within a square at the origin, by clipping it at each side. */
function areaWithin(shape: readonly Place[], size: number): number {
  let left = shape;
  for (const axis of [0, 1] as const) {
    for (const [sign, limit] of [
      [1, 0],
      [-1, -size],
    ] as const) {
      left = left.flatMap((from, index) => {
        const to = left[(index + 1) % left.length] as Place;
        const [a, b] = [sign * from[axis] - limit, sign * to[axis] - limit];
        const share = a / (a - b);
        const crossing: Place = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
        return [...(a >= 0 ? [from] : []), ...(a >= 0 !== b >= 0 ? [crossing] : [])];
      });
    }
  }
  const doubled = left.map((from, index) => {
    const to = left[(index + 1) % left.length] as Place;
    return from[0] * to[1] - to[0] * from[1];
  });
  return Math.abs(doubled.reduce((total, each) => total + each, 0)) / 2;
}

describe('ring', () => {
  const place = fc.tuple(fc.double({ min: -3, max: 11, noNaN: true }), fc.double({ min: -3, max: 9, noNaN: true }));
  const insidePlace = fc.tuple(fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 6, noNaN: true }));

  it.each([
    ['within the picture', insidePlace],
    ['beyond the picture', place],
  ])('covers the same as its edges, in both directions: %s', (_, anyPlace) => {
    fc.assert(
      fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 12 }), fc.boolean(), (ring, isForward) => {
        const [whole, edges] = [new ScanlineRasterizer(8, 6), new ScanlineRasterizer(8, 6)];
        const places = Float64Array.from([9, 9, ...ring.flat(), 9, 9]);

        whole.addRing(places, 2, places.length - 2, isForward);
        addRing(edges, isForward ? ring : ring.toReversed());

        const [ours, expected] = [swept(whole), swept(edges)];
        for (const [row, shares] of expected.entries()) {
          for (const [column, share] of shares.entries()) expect(ours[row]?.[column]).toBeCloseTo(share, 2);
        }
        expect(
          swept(whole)
            .flat()
            .every((share) => share === 0),
        ).toBe(true);
      }),
    );
  });
});

describe('translucent ink', () => {
  /** Paints a box over white 100 times, and returns the bytes of its pixel. */
  function paintOften(opacity: number, share: number): readonly number[] {
    const picture = new Picture(1, 1);
    picture.fill(new Ink(1, 1, 1, 1));
    const coverage = new ScanlineRasterizer(1, 1);
    for (let count = 0; count < 100; count += 1) {
      addRing(coverage, box(0, 0, share, 1));
      coverage.paintInto(picture, new Ink(1, 0, 0, opacity));
    }
    return [...picture.bytes];
  }

  it('keeps opaque pixels opaque, and channels that do not change', () => {
    const cases = Array.from({ length: 255 }, (_, index) => (index + 1) / 255).flatMap((opacity) =>
      [0.01, 0.13, 0.5, 0.77, 1].map((share) => [opacity, share] as const),
    );

    const wrong = cases.filter(([opacity, share]) => {
      const [red, , , alpha] = paintOften(opacity, share);
      return red !== 255 || alpha !== 255;
    });
    expect(wrong).toEqual([]);
  });

  it('converges to its colour', () => {
    const [red, green = 0, blue, opacity] = paintOften(0.02, 1);

    expect([red, blue, opacity]).toEqual([255, green, 255]);
    expect(Math.abs(green - 35)).toBeLessThanOrEqual(3);
  });
});
