import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simplifyLine } from './simplify-line.ts';

test('removes positions on a straight line', () => {
  const line = Float64Array.from([0, 0, 1, 0.01, 2, 0, 3, -0.01, 4, 0, 4, 4, 0, 4, 0, 0]);

  expect([...simplifyLine(line, 0.1)]).toEqual([0, 0, 4, 0, 4, 4, 0, 4, 0, 0]);
});

test('keeps the tip of a spike that returns on the same way', () => {
  const line = Float64Array.from([0, 0, 5, 0, 10, 0, 5, 0, 0, 0, 0, 5]);

  expect([...simplifyLine(line, 0.1)]).toEqual([0, 0, 10, 0, 0, 0, 0, 5]);
});

test('keeps a ring that is smaller than the tolerance', () => {
  const ring = Float64Array.from([0, 0, 0.01, 0, 0.02, 0.01, 0.01, 0.02, 0, 0]);

  expect([...simplifyLine(ring, 0.1)]).toEqual([...ring]);
});

test('moves no position farther than twice the tolerance', () => {
  const position = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));
  fc.assert(
    fc.property(fc.array(position, { minLength: 5, maxLength: 40 }), (positions) => {
      const line = Float64Array.from(positions.flat().map((each) => each / 20));
      const simple = simplifyLine(line, 0.1);
      for (let at = 0; at < line.length; at += 2) {
        expect(computeDistance(simple, line[at] ?? 0, line[at + 1] ?? 0)).toBeLessThanOrEqual(0.2);
      }
    }),
  );
});

/** The distance of a position from a line. */
function computeDistance(line: Float64Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 2; at < line.length; at += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = line.subarray(at - 2, at + 2);
    const [dx, dy] = [toX - fromX, toY - fromY];
    const square = dx * dx + dy * dy;
    const along = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / square));
    least = Math.min(least, Math.hypot(x - fromX - along * dx, y - fromY - along * dy));
  }
  return least;
}
