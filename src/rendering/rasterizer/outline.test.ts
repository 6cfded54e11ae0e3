/** Compares outlines with those of a drawing library. */
import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addOutline, type Pen } from './outline.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

const SIZE = 40;

function ours(places: readonly number[], isClosed: boolean, pen: Pen): Uint8ClampedArray {
  const coverage = new ScanlineRasterizer(SIZE, SIZE);
  addOutline(coverage, Float64Array.from(places), isClosed, pen);
  const alphas = new Uint8ClampedArray(SIZE * SIZE);
  coverage.sweep((row, start, end, share) => alphas.fill(share * 255, row * SIZE + start, row * SIZE + end));
  return alphas;
}

function theirs(places: readonly number[], isClosed: boolean, { width, join, cap }: Pen): Uint8ClampedArray {
  const context = createCanvas(SIZE, SIZE).getContext('2d');
  context.lineWidth = width;
  context.lineJoin = join;
  context.lineCap = cap;
  context.miterLimit = 10;
  context.beginPath();
  for (let at = 0; at < places.length; at += 2) context.lineTo(places[at] as number, places[at + 1] as number);
  if (isClosed) context.closePath();
  context.stroke();
  return context.getImageData(0, 0, SIZE, SIZE).data.filter((_, index) => index % 4 === 3);
}

/** Returns the difference of two pictures, in fully covered pixels. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  return a.reduce((sum, each, index) => sum + Math.abs(each - (b[index] ?? 0)) / 255, 0);
}

const corner = [5, 30, 20, 8, 34, 28];

describe('outline', () => {
  const pens = (['miter', 'round', 'bevel'] as const).flatMap((join) =>
    (['butt', 'round', 'square'] as const).flatMap((cap) => [2, 3, 8].map((width) => ({ width, join, cap }))),
  );

  it.each(pens)('matches the drawing library: $width pixels, $join corners, $cap ends', (pen) => {
    for (const isClosed of [false, true]) {
      const expected = theirs(corner, isClosed, pen);
      const all = expected.reduce((sum, each) => sum + each / 255, 0);

      expect(difference(ours(corner, isClosed, pen), expected) / all).toBeLessThan(0.06);
    }
  });

  it('of one pixel covers an area that equals its length', () => {
    const all = ours([5.3, 30.2, 30.3, 11.2], false, { width: 1, join: 'miter', cap: 'butt' });

    // The drawing library renders thin lines with another algorithm than area coverage.
    expect(all.reduce((sum, each) => sum + each / 255, 0)).toBeCloseTo(Math.hypot(25, 19), 0);
  });

  it('of gentle turns covers its length times its width', () => {
    const turns = Array.from({ length: 12 }, (_, corner) => [
      20 + 14 * Math.cos(corner / 4),
      20 + 14 * Math.sin(corner / 4),
    ]);
    const length = 11 * 2 * 14 * Math.sin(1 / 8);

    const all = ours(turns.flat(), false, { width: 3, join: 'miter', cap: 'butt' });

    // At each corner, the outer side gains what the inner side loses.
    const covered = all.reduce((sum, each) => sum + each / 255, 0);
    expect(Math.abs(covered / (3 * length) - 1)).toBeLessThan(0.003);
  });

  it('of zero length is a dot if its caps extend beyond its ends', () => {
    const sum = (cap: Pen['cap']) =>
      ours([10, 10, 10, 10], false, { width: 4, join: 'miter', cap }).reduce((total, each) => total + each / 255, 0);

    expect(sum('butt')).toBe(0);
    expect(sum('square')).toBeCloseTo(16, 1);
    expect(sum('round')).toBeCloseTo(Math.PI * 4, 0);
  });

  it('that turns back keeps its width', () => {
    expect(ours([5, 10, 30, 10, 5, 10], false, { width: 2, join: 'miter', cap: 'butt' })).toEqual(
      ours([5, 10, 30, 10], false, { width: 2, join: 'miter', cap: 'butt' }),
    );
  });

  it('never covers a pixel more than once', () => {
    const number = fc.double({ min: -20, max: 60, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 4, maxLength: 12 }), fc.boolean(), (places, isClosed) => {
        const coverage = new ScanlineRasterizer(SIZE, SIZE);
        addOutline(coverage, Float64Array.from(places.slice(0, places.length & ~1)), isClosed, {
          width: 3,
          join: 'round',
          cap: 'round',
        });
        coverage.sweep((_row, start, end, share) => {
          expect(share).toBeLessThanOrEqual(1);
          expect(0 <= start && start < end && end <= SIZE).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });
});
