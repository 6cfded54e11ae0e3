import { describe, expect, test } from 'vitest';
import { createLiteral, type Expression } from '../../model/model.ts';
import { createLengths, readPenPixels, readPixels } from './lengths.ts';

const attribute: Expression = { kind: 'property', name: 'width' };

describe('length', () => {
  test.each([
    ['in pixels is unchanged', 'pixel', '7', 7],
    ['in metres is one pixel per metre without a scale', 'metre', '7', 7],
    ['in feet is converted to metres', 'foot', '10', 3.048],
    ['uses its own unit', 'metre', '10 ft', 3.048],
    ['may have pixels as its own unit', 'foot', '10px', 10],
    ['falls back to the default in pixels if it is not a number', 'foot', 'wide', 5],
    ['has an upper limit', 'pixel', '1e300', 1_000_000],
  ] as const)('%s', (_, uom, written, expected) => {
    expect(readPixels(createLengths(uom, undefined), createLiteral(written), 5)).toBeCloseTo(expected);
  });

  test('on the ground is scaled with pixels of 0.28 mm', () => {
    expect(readPixels(createLengths('metre', 10_000), createLiteral('28'), 1)).toBeCloseTo(10);
  });

  test('falls back to the default if it depends on an attribute', () => {
    expect(readPixels(createLengths('metre', 10_000), attribute, 5)).toBe(5);
    expect(readPixels(createLengths('pixel', undefined), undefined, 5)).toBe(5);
  });

  test('of a line shrinks with the others, but not below one pixel, and is drawn half a pixel wider', () => {
    const lengths = { ...createLengths('pixel', undefined), factor: 0.1 };

    const widths = ['50', '4', '0.5', '0'].map((width) => readPenPixels(lengths, createLiteral(width), 1));

    expect(widths).toEqual([5.5, 1.5, 1, 0]);
  });
});
