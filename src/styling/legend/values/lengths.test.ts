import { describe, expect, test } from 'vitest';
import { createLiteral, type Expression } from '../../model/model.ts';
import { createLengths, readPenPixels, readPixels } from './lengths.ts';

const attribute: Expression = { kind: 'property', name: 'width' };

describe('a length', () => {
  test.each([
    ['in pixels is itself', 'pixel', '7', 7],
    ['in metres has a pixel for each, where no scale is known', 'metre', '7', 7],
    ['in feet is as many metres', 'foot', '10', 3.048],
    ['with a unit of its own is in that', 'metre', '10 ft', 3.048],
    ['with a unit of its own may stay in pixels', 'foot', '10px', 10],
    ['that is none is the default, in pixels', 'foot', 'wide', 5],
    ['beyond all measure is only long', 'pixel', '1e300', 1_000_000],
  ] as const)('%s', (_, uom, written, expected) => {
    expect(readPixels(createLengths(uom, undefined), createLiteral(written), 5)).toBeCloseTo(expected);
  });

  test('on the ground is as long as at the scale, with pixels of 0.28 mm', () => {
    expect(readPixels(createLengths('metre', 10_000), createLiteral('28'), 1)).toBeCloseTo(10);
  });

  test('by an attribute is the default', () => {
    expect(readPixels(createLengths('metre', 10_000), attribute, 5)).toBe(5);
    expect(readPixels(createLengths('pixel', undefined), undefined, 5)).toBe(5);
  });

  test('of a line shrinks with the others, but never below a pixel', () => {
    const lengths = { ...createLengths('pixel', undefined), factor: 0.1 };

    const widths = ['50', '4', '0.5', '0'].map((width) => readPenPixels(lengths, createLiteral(width), 1));

    expect(widths).toEqual([5, 1, 0.5, 0]);
  });
});
