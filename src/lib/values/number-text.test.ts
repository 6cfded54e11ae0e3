import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNumber } from './number-text.ts';

test('formats numbers like String', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => formatNumber(value) === String(value)),
  );
  for (const value of [0, -0, 1e21, 1e-7, 0.1 + 0.2, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53]) {
    expect(formatNumber(value)).toBe(String(value));
  }
});
