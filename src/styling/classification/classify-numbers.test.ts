/** Classes of numbers by each method. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClassificationMethod, isInRange } from './classes.ts';
import { classifyNumbers, type NumberClassification } from './classify-numbers.ts';
import { createColors, readRampColor } from './color-ramps.ts';
import { NumberSample } from './number-sample.ts';

function classify(
  method: ClassificationMethod,
  values: readonly number[],
  options: Partial<NumberClassification> = {},
): readonly (readonly unknown[])[] {
  const data = { values: Float64Array.from(values) };
  const result = classifyNumbers({ method, intervals: 3, isOpen: false, maxSingleValues: 5, data, ...options });
  if (!('classes' in result)) throw new Error('too many values');
  return result.classes.map((each) => (each.kind === 'value' ? [each.value] : [each.min, each.max]));
}

describe('classes of numbers', () => {
  it('have equal widths', () => {
    expect(classify('equalInterval', [0, 1, 30])).toEqual([
      [0, 10],
      [10, 20],
      [20, 30],
    ]);
  });

  it('have no limits at both ends if they are open', () => {
    expect(classify('equalInterval', [0, 30], { isOpen: true })).toEqual([
      [undefined, 10],
      [10, 20],
      [20, undefined],
    ]);
  });

  it('contain the same number of values, and never divide equal ones', () => {
    expect(classify('quantile', [1, 2, 3, 4, 5, 6])).toEqual([
      [1, 2],
      [2, 4],
      [4, 6],
    ]);
    expect(classify('quantile', [1, 1, 1, 1, 1, 9])).toEqual([
      [1, 1],
      [1, 9],
    ]);
    expect(classify('quantile', [1, 2, 3])).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('separate groups of near values', () => {
    expect(classify('jenks', [1, 2, 3, 50, 51, 52, 90, 91])).toEqual([
      [1, 3],
      [3, 52],
      [52, 91],
    ]);
  });

  it('contain the same area', () => {
    const data = { values: Float64Array.of(3, 1, 2), weights: Float64Array.of(10, 80, 10) };
    expect(classify('equalArea', [], { data, intervals: 2 })).toEqual([
      [1, 1],
      [1, 3],
    ]);
    const even = { values: Float64Array.of(3, 1, 2), weights: Float64Array.of(50, 25, 25) };
    expect(classify('equalArea', [], { data: even, intervals: 2 })).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('are standard deviations wide, around the mean if their number is odd', () => {
    expect(classify('standardDeviation', [1, 3], { intervals: 2 })).toEqual([
      [undefined, 2],
      [2, undefined],
    ]);
    expect(classify('standardDeviation', [1, 3])).toEqual([
      [undefined, 1.5],
      [1.5, 2.5],
      [2.5, undefined],
    ]);
  });

  it('are single values, or too many', () => {
    expect(classify('uniqueInterval', [5, 1, 5, 2])).toEqual([[1], [2], [5]]);
    expect(() => classify('uniqueInterval', [1, 2, 3, 4, 5, 6])).toThrow('too many');
  });

  it('are one class for one value, and none without values', () => {
    expect(classify('jenks', [7, 7, 7])).toEqual([[7, 7]]);
    expect(classify('quantile', [Number.NaN])).toEqual([]);
  });

  it('ignore values far from the mean', () => {
    expect(classify('equalInterval', [1, 2, 3, 4, 1000], { deviations: 1, intervals: 1 })).toEqual([[1, 4]]);
  });

  it('ignore masked values', () => {
    const data = { values: Uint8Array.of(1, 2, 255), mask: Uint8Array.of(255, 255, 0) };
    expect(classify('equalInterval', [], { data, intervals: 1 })).toEqual([[1, 2]]);
  });

  it('contain each value exactly once', () => {
    const methods = fc.constantFrom('equalInterval', 'quantile', 'jenks', 'standardDeviation', 'equalArea');
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(methods, numbers, fc.integer({ min: 1, max: 9 }), (method, values, intervals) => {
        const data = { values: Float64Array.from(values) };
        const result = classifyNumbers({ method, intervals, isOpen: false, maxSingleValues: 5, data });
        const classes = 'classes' in result ? result.classes : [];
        expect(classes.length).toBeLessThanOrEqual(intervals);
        for (const value of values)
          expect(classes.filter((each) => each.kind === 'range' && isInRange(each, value))).toHaveLength(1);
      }),
    );
  });
});

describe('samples of numbers', () => {
  it('keep every value up to the limit', () => {
    const sample = new NumberSample({ hasWeights: false, limit: 4 });
    for (const value of [4, 3, Number.NaN, 2, 1]) sample.add(value);

    expect([sample.isComplete, [...sample.finish().values], sample.finish().extremes]).toEqual([
      true,
      [4, 3, 2, 1],
      [1, 4],
    ]);
  });

  it('keep an even part of more values, and their extremes', () => {
    const sample = new NumberSample({ hasWeights: true, limit: 4 });
    for (let value = 0; value < 10; value += 1) sample.add(value, value * 2);
    const { values, weights, extremes } = sample.finish();

    expect([sample.isComplete, [...values], [...(weights ?? [])], extremes]).toEqual([
      false,
      [0, 4, 8],
      [0, 8, 16],
      [0, 9],
    ]);
  });
});

describe('colours of classes', () => {
  const ramp = { name: 'custom', start: '#FF0000', end: '#0000FF', colors: [], isReversed: false } as const;

  it('are those of other servers', () => {
    expect(createColors(ramp, 3)).toEqual(['#FF0000', '#AA0055', '#5500AA']);
    expect(createColors({ ...ramp, name: 'red' }, 2)).toEqual(['#680000', '#B20000']);
  });

  it('are the listed ones if there are as many, reversed on request', () => {
    const colors = ['#010101', '#020202'];
    expect(createColors({ ...ramp, colors, isReversed: true }, 2)).toEqual(['#020202', '#010101']);
  });

  it('are written in several ways', () => {
    expect(['0xff0000', 'ff0000', '#F00', 'red', 'BLACK', 'nothing'].map(readRampColor)).toEqual([
      ...['#FF0000', '#FF0000', '#FF0000', '#FF0000', '#000000', undefined],
    ]);
  });
});
