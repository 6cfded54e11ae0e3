import { describe, expect, test } from 'vitest';
import { LabelFit } from './label-fit.ts';

/** A square of side 20 with a hole of side 4 in the centre. */
const square = [
  [0, 0, 20, 0, 20, 20, 0, 20],
  [8, 8, 12, 8, 12, 12, 8, 12],
].map((places) => ({ places: Float64Array.from(places), isOuter: true }));

function fits(goodnessOfFit: number, place: { x: number; y: number; radians?: number }): boolean {
  const label = { parts: square, options: { goodnessOfFit } as ConstructorParameters<typeof LabelFit>[0]['options'] };
  return new LabelFit(label, { width: 18, fontPixels: 3 }).canFit({ radians: 0, ...place });
}

describe('fit of a label on its polygon', () => {
  test.each([
    ['accepts a label that is completely inside', 1, { x: 10, y: 4 }, true],
    ['accepts a rotated label that is completely inside', 1, { x: 4, y: 10, radians: Math.PI / 2 }, true],
    ['rejects a label that is partly in a hole', 1, { x: 10, y: 10 }, false],
    ['accepts a label of which only a tolerated part is in a hole', 0.7, { x: 10, y: 10 }, true],
    ['rejects a label that is half outside', 0.7, { x: 20, y: 4 }, false],
    ['accepts a label that is half outside if half is enough', 0.5, { x: 19, y: 4 }, true],
    ['rejects a label far from the polygon', 0.1, { x: 60, y: 4 }, false],
    ['accepts a label anywhere if no fit is required', 0, { x: 60, y: 4 }, true],
  ])('%s', (_where, goodness, place, isFitting) => {
    expect(fits(goodness, place)).toBe(isFitting);
  });
});
