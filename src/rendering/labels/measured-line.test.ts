import { describe, expect, test } from 'vitest';
import { MeasuredLine } from './measured-line.ts';

/** Ten pixels to the right, a repeated corner, and ten pixels down. */
const angle = new MeasuredLine(Float64Array.from([0, 0, 10, 0, 10, 0, 10, 10]));

describe('MeasuredLine', () => {
  test.each([
    ['at the start', 0, { x: 0, y: 0, radians: 0 }],
    ['on a segment', 4, { x: 4, y: 0, radians: 0 }],
    ['at a corner, with the direction of the segment before it', 10, { x: 10, y: 0, radians: 0 }],
    ['after the corner', 12, { x: 10, y: 2, radians: Math.PI / 2 }],
    ['at the end', 20, { x: 10, y: 10, radians: Math.PI / 2 }],
    ['before the start, at the start', -5, { x: 0, y: 0, radians: 0 }],
    ['beyond the end, at the end', 25, { x: 10, y: 10, radians: Math.PI / 2 }],
  ])('returns a point %s', (_where, distance, place) => {
    expect(angle.getPointAt(distance)).toEqual(place);
  });

  test('accepts a line with one point or none', () => {
    expect(new MeasuredLine(Float64Array.from([3, 4])).getPointAt(7)).toEqual({ x: 3, y: 4, radians: 0 });
    expect(new MeasuredLine(new Float64Array()).length).toBe(0);
  });

  test('can be measured from the other end', () => {
    expect(angle.reversed.getPointAt(3)).toEqual({ x: 10, y: 7, radians: -Math.PI / 2 });
    expect(angle.reversed.length).toBe(20);
  });

  test.each([
    ['a corner within it', 5, 15, 1, true],
    ['a corner that is less sharp', 5, 15, 2, false],
    ['a corner before it', 11, 19, 1, false],
    ['a corner after it', 1, 9, 1, false],
    ['a corner at its start', 10, 19, 1, false],
    ['a corner at its end', 1, 10, 1, false],
  ])('detects bends of a stretch: %s', (_what, start, end, most, isBent) => {
    expect(angle.hasSharperBend(start, end, most, 2)).toBe(isBent);
  });
});
