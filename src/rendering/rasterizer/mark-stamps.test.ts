/** Compares marks painted by stamps with marks whose edges are computed for each position. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkOutline } from '../../styling/legend/symbols/mark-outline.ts';
import { findWellKnownMark } from '../../styling/legend/symbols/well-known-marks.ts';
import { POINTS } from '../../vector/port/packed-features.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { Ink, Picture } from './picture.ts';
import type { MarkPaint } from './plain-paint.ts';
import { PlainPainter } from './plain-painter.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

const SIZE = 60;

const ink = fc
  .tuple(...[0, 0, 0].map(() => fc.double({ min: 0, max: 1, noNaN: true })), fc.constantFrom(1, 1, 0.5))
  .map(([red = 0, green = 0, blue = 0, opacity = 1]) => new Ink(red, green, blue, opacity));

const mark = fc
  .record({
    name: fc.constantFrom('circle', 'square', 'triangle', 'star', 'cross', 'x'),
    size: fc.double({ min: 1, max: 30, noNaN: true }),
    radians: fc.double({ min: 0, max: 6, noNaN: true }),
    fill: fc.option(ink, { nil: undefined }),
    line: fc.option(fc.record({ ink, width: fc.double({ min: 0.5, max: 3, noNaN: true }) }), { nil: undefined }),
  })
  .map(({ name, size, radians, fill, line }): MarkPaint => {
    const shape = findWellKnownMark(name);
    if (shape === undefined) throw new Error(`The mark ${name} is unknown.`);
    return {
      outline: createMarkOutline(shape, size, radians),
      fill,
      line: line && {
        ink: line.ink,
        pen: { width: line.width, join: 'miter', cap: 'butt' },
        dashes: [],
        dashOffset: 0,
      },
      shift: [0.3, -0.7],
    };
  });

const position = fc.double({ min: -20, max: SIZE + 20, noNaN: true });

function paint(mark: MarkPaint, x: number, y: number, isExact: boolean): Uint8Array {
  const picture = new Picture(SIZE, SIZE);
  picture.fill(new Ink(1, 1, 1, 1));
  const painter = new PlainPainter(picture, new ScanlineRasterizer(SIZE, SIZE));
  const shape = new PixelShape();
  shape.replace(POINTS, [Float64Array.of(x, y)]);
  if (isExact) painter.paintMarkExactly(mark, x + mark.shift[0], y + mark.shift[1]);
  else painter.paintMarks(shape, mark);
  return picture.bytes;
}

/** Returns the largest difference of a channel, with and without stamps. */
function compare(mark: MarkPaint, x: number, y: number): number {
  const [stamped, exact] = [paint(mark, x, y, false), paint(mark, x, y, true)];
  return exact.reduce((most, byte, at) => Math.max(most, Math.abs(byte - (stamped[at] ?? 0))), 0);
}

/** The shift of up to a 32nd of a pixel in both directions, and the rounding of two layers. */
const MAX_DIFFERENCE = 255 * (2 / 32) * 1.5 + 3;

describe('stamps of marks', () => {
  it('differ from computed marks by less than antialiasing, also at the borders of the picture', () => {
    fc.assert(
      fc.property(mark, position, position, (each, x, y) => {
        expect(compare(each, x, y)).toBeLessThanOrEqual(MAX_DIFFERENCE);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are equal to computed marks at the positions of stamps, except for rounding', () => {
    const step = fc.integer({ min: -200, max: 1_200 }).map((steps) => steps / 16);
    fc.assert(
      fc.property(mark, step, step, (each, x, y) => {
        expect(compare({ ...each, shift: [0, 0] }, x, y)).toBeLessThanOrEqual(3);
      }),
      { numRuns: 1_000 },
    );
  });
});
