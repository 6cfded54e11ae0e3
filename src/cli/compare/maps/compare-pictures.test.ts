/** Compares pictures that are drawn pixel by pixel. */
import { describe, expect, it } from 'vitest';
import { describeDifference } from './compare-maps.ts';
import { comparePictures } from './compare-pictures.ts';
import { createMapBox } from './map-request.ts';
import type { Picture } from './picture-library.ts';

type Color = readonly [red: number, green: number, blue: number, alpha: number];

const red: Color = [255, 0, 0, 255];
const blue: Color = [0, 0, 255, 255];
const SIDE = 20;

/** Transparent but for the pixels that `colorAt` paints. */
function draw(colorAt: (x: number, y: number) => Color | undefined): Picture {
  const pixels = new Uint8Array(SIDE * SIDE * 4);
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const color = colorAt(x, y);
      if (color !== undefined) pixels.set(color, (y * SIDE + x) * 4);
    }
  }
  return { width: SIDE, height: SIDE, pixels };
}

const lineAt = (column: number, color = red) => draw((x) => (x === column ? color : undefined));
const nothing = draw(() => undefined);

function compare(old: Picture, renewed: Picture, tolerance = 5) {
  const comparison = comparePictures(old, renewed);
  const { drawnPixels, differentPixels } = comparison;
  return {
    drawnPixels,
    differentPixels,
    codes: describeDifference(comparison, 'whole', tolerance).map(({ code }) => code),
  };
}

describe('comparePictures', () => {
  it('equal maps have no different pixels', () => {
    expect(compare(lineAt(5), lineAt(5))).toEqual({ drawnPixels: SIDE, differentPixels: 0, codes: [] });
  });

  it('a line that is one pixel aside is equal, and one that is two pixels aside differs', () => {
    expect(compare(lineAt(5), lineAt(6))).toEqual({ drawnPixels: 2 * SIDE, differentPixels: 0, codes: [] });
    expect(compare(lineAt(5), lineAt(7))).toEqual({
      drawnPixels: 2 * SIDE,
      differentPixels: 2 * SIDE,
      codes: ['map-differs'],
    });
  });

  it('a line of another colour differs, and one of a similar colour is equal', () => {
    expect(compare(lineAt(5), lineAt(5, blue)).codes).toEqual(['map-differs']);
    expect(compare(lineAt(5), lineAt(5, [223, 32, 0, 255])).codes).toEqual([]);
    expect(compare(lineAt(5), lineAt(5, [222, 0, 0, 255])).codes).toEqual(['map-differs']);
  });

  it('missing and additional lines differ, although they cover a small part of the map', () => {
    const two = draw((x) => (x === 5 || x === 15 ? red : undefined));

    expect(compare(two, lineAt(5))).toEqual({ drawnPixels: 2 * SIDE, differentPixels: SIDE, codes: ['map-differs'] });
    expect(compare(lineAt(5), two)).toEqual({ drawnPixels: 2 * SIDE, differentPixels: SIDE, codes: ['map-differs'] });
  });

  it('a map that is empty on one server only has a code of its own', () => {
    expect(compare(lineAt(5), nothing).codes).toEqual(['map-empty']);
    expect(compare(nothing, lineAt(5)).codes).toEqual(['map-empty']);
    expect(compare(nothing, nothing)).toEqual({ drawnPixels: 0, differentPixels: 0, codes: [] });
  });

  it('colours of transparent pixels are invisible', () => {
    expect(
      compare(
        nothing,
        draw(() => [255, 0, 0, 0]),
      ).codes,
    ).toEqual([]);
  });

  it('white symbols on a transparent map are visible', () => {
    expect(compare(lineAt(5, [255, 255, 255, 255]), lineAt(15, [255, 255, 255, 255])).codes).toEqual(['map-differs']);
  });

  it('the tolerance is the share of the drawn pixels', () => {
    const block = draw((x, y) => (x < 10 && y < 10 ? red : undefined));
    const changed = draw((x, y) => (x < 10 && y < 10 ? (x < 3 && y < 2 ? blue : red) : undefined));

    // The six blue pixels are no neighbours of old ones; red ones beside them are.
    expect(compare(block, changed).differentPixels).toBeGreaterThanOrEqual(6);
    expect(compare(block, changed, 5).codes).toEqual(['map-differs']);
    expect(compare(block, changed, 12).codes).toEqual([]);
  });

  it('the difference is red where pixels differ', () => {
    const { difference } = comparePictures(lineAt(5), lineAt(5, blue));

    expect([...difference.pixels.subarray(5 * 4, 5 * 4 + 4)]).toEqual([220, 0, 0, 255]);
    expect([...difference.pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });
});

describe('createMapBox', () => {
  it('the inner quarter has half the width and half the height', () => {
    const box = { west: 0, south: 10, east: 8, north: 14 };

    expect(createMapBox(box, 'whole')).toEqual(box);
    expect(createMapBox(box, 'inner')).toEqual({ west: 2, south: 11, east: 6, north: 13 });
  });

  it('the box of one point has a size, and no box exceeds the world', () => {
    const point = createMapBox({ west: 7, south: 47, east: 7, north: 47 }, 'whole');

    expect(point.east - point.west).toBeCloseTo(0.01);
    expect(point.north - point.south).toBeCloseTo(0.01);
    expect(createMapBox({ west: -200, south: -91, east: 999, north: 95 }, 'whole')).toEqual({
      ...{ west: -180, south: -90, east: 180, north: 90 },
    });
  });
});
