import { describe, expect, test } from 'vitest';
import { createLiteral } from '../../filter/model/literal.ts';
import { type ColorMap, findColorMapEntries } from './color-map.ts';

function colorFunction(name: string, ...values: readonly (string | number)[]): ColorMap {
  return {
    kind: 'colorFunction',
    function: { kind: 'function', name, arguments: ['Rasterdata', ...values].map(createLiteral), fallback: '#000000' },
  };
}

describe('colour map function', () => {
  const ramp = {
    kind: 'entries',
    type: 'ramp',
    entries: [
      { color: createLiteral('#000000'), quantity: createLiteral(0) },
      { color: createLiteral('#FFFFFF'), quantity: createLiteral(10) },
    ],
  };

  test.each([
    ['Interpolate', colorFunction('Interpolate', 0, '#000000', 10, '#FFFFFF')],
    ['Interpolate by colour', colorFunction('Interpolate', 0, '#000000', 10, '#FFFFFF', 'color')],
    ['Interpolate by colour, linear', colorFunction('Interpolate', 0, '#000000', 10, '#FFFFFF', 'color', 'linear')],
  ])('%s is a ramp', (_, colorMap) => {
    expect(findColorMapEntries(colorMap)).toEqual(ramp);
  });

  test.each([
    ['Categorize', colorFunction('Categorize', '#000000', 5, '#FFFFFF')],
    ['Categorize with an explicit default', colorFunction('Categorize', '#000000', 5, '#FFFFFF', 'succeeding')],
  ])('%s is a list of intervals, the last one unlimited', (_, colorMap) => {
    expect(findColorMapEntries(colorMap)).toEqual({
      kind: 'entries',
      type: 'intervals',
      entries: [
        { color: createLiteral('#000000'), quantity: createLiteral(5) },
        { color: createLiteral('#FFFFFF'), quantity: createLiteral(Number.MAX_VALUE) },
      ],
    });
  });

  test.each([
    ['Interpolate along curves', colorFunction('Interpolate', 0, '#000000', 10, '#FFFFFF', 'color', 'cubic')],
    ['Interpolate between numbers', colorFunction('Interpolate', 0, '#000000', 10, '#FFFFFF', 'numeric')],
    ['Categorize with succeeding thresholds', colorFunction('Categorize', '#000000', 5, '#FFFFFF', 'preceding')],
    ['another function', colorFunction('Recode', 1, '#000000')],
  ])('%s has no equivalent entries', (_, colorMap) => {
    expect(findColorMapEntries(colorMap)).toBeUndefined();
  });
});
