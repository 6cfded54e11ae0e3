import { describe, expect, test } from 'vitest';
import { LabelFit } from './label-fit.ts';

/** A square of 20 with a hole of 4 in its middle. */
const square = [
  [0, 0, 20, 0, 20, 20, 0, 20],
  [8, 8, 12, 8, 12, 12, 8, 12],
].map((places) => ({ places: Float64Array.from(places), isOuter: true }));

function fits(goodnessOfFit: number, place: { x: number; y: number; radians?: number }): boolean {
  const label = { parts: square, options: { goodnessOfFit } as ConstructorParameters<typeof LabelFit>[0]['options'] };
  return new LabelFit(label, { width: 18, height: 3 }).canFit({ radians: 0, ...place });
}

describe('a label fits on its polygon', () => {
  test.each([
    ['where all of it is inside', 1, { x: 10, y: 4 }, true],
    ['upright as well', 1, { x: 4, y: 10, radians: Math.PI / 2 }, true],
    ['not where a part of it is in a hole', 1, { x: 10, y: 10 }, false],
    ['where that part is small enough', 0.7, { x: 10, y: 10 }, true],
    ['not where half of it is outside', 0.7, { x: 20, y: 4 }, false],
    ['where half of it is enough', 0.5, { x: 19, y: 4 }, true],
    ['nowhere near', 0.1, { x: 60, y: 4 }, false],
    ['anywhere, if nobody minds', 0, { x: 60, y: 4 }, true],
  ])('%s', (_where, goodness, place, isFitting) => {
    expect(fits(goodness, place)).toBe(isFitting);
  });
});
