import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment } from './format-moment.ts';

describe('moment formatting', () => {
  test.for([
    ['2020-02-29T23:59:58.007Z', 'timestamp', '2020-02-29T23:59:58.007Z'],
    ['2020-02-29T23:59:58Z', 'timestamp', '2020-02-29T23:59:58Z'],
    ['2000-02-29T00:00:00Z', 'date', '2000-02-29'],
    ['1900-03-01T00:00:00Z', 'date', '1900-03-01'],
    ['1000-01-01T00:00:00Z', 'date', '1000-01-01'],
    ['0044-03-15T00:00:00Z', 'date', '0044-03-15'],
    ['-000043-03-15T00:00:00Z', 'date', '-000043-03-15'],
    ['+012026-01-01T00:00:00Z', 'timestamp', '+012026-01-01T00:00:00Z'],
  ] as const)('formats %s as a %s: %s', ([moment, type, text]) => {
    expect(formatMoment(new Date(moment), type)).toBe(text);
  });

  test('conforms to ISO 8601 on every day', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (moment) => {
        expect(formatMoment(moment, 'timestamp')).toBe(moment.toISOString().replace('.000Z', 'Z'));
        expect(formatMoment(moment, 'date')).toBe(moment.toISOString().slice(0, -14));
      }),
      { numRuns: 2_000 },
    );
    for (let day = Date.UTC(1899, 11, 1); day < Date.UTC(2005, 0, 1); day += 86_400_000) {
      if (formatMoment(new Date(day), 'date') !== new Date(day).toISOString().slice(0, 10))
        throw new Error(`${new Date(day).toISOString()} is ${formatMoment(new Date(day), 'date')}`);
    }
  });
});
