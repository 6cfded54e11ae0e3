import { describe, expect, test } from 'vitest';
import { MeasuredLine } from './measured-line.ts';

/** Ten to the right, a corner that is there twice, and ten down. */
const angle = new MeasuredLine(Float64Array.from([0, 0, 10, 0, 10, 0, 10, 10]));

describe('a measured line', () => {
  test.each([
    ['at its beginning', 0, { x: 0, y: 0, radians: 0 }],
    ['on a piece', 4, { x: 4, y: 0, radians: 0 }],
    ['at a corner, as it comes there', 10, { x: 10, y: 0, radians: 0 }],
    ['behind the corner', 12, { x: 10, y: 2, radians: Math.PI / 2 }],
    ['at its end', 20, { x: 10, y: 10, radians: Math.PI / 2 }],
    ['before it, where it begins', -5, { x: 0, y: 0, radians: 0 }],
    ['beyond it, where it ends', 25, { x: 10, y: 10, radians: Math.PI / 2 }],
  ])('tells a place %s', (_where, distance, place) => {
    expect(angle.getPointAt(distance)).toEqual(place);
  });

  test('may be of one place, or of none', () => {
    expect(new MeasuredLine(Float64Array.from([3, 4])).getPointAt(7)).toEqual({ x: 3, y: 4, radians: 0 });
    expect(new MeasuredLine(new Float64Array()).length).toBe(0);
  });

  test('can be gone along from its other end', () => {
    expect(angle.reversed.getPointAt(3)).toEqual({ x: 10, y: 7, radians: -Math.PI / 2 });
    expect(angle.reversed.length).toBe(20);
  });

  test.each([
    ['a corner in it', 5, 15, 1, true],
    ['one that is less sharp', 5, 15, 2, false],
    ['one before it', 11, 19, 1, false],
    ['one behind it', 1, 9, 1, false],
    ['one where it begins', 10, 19, 1, false],
    ['one where it ends', 1, 10, 1, false],
  ])('knows whether a stretch bends: %s', (_what, start, end, most, isBent) => {
    expect(angle.hasSharperBend(start, end, most)).toBe(isBent);
  });
});
