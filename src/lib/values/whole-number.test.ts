import { describe, expect, test } from 'vitest';
import { parseDecimal, parseWholeNumber } from './whole-number.ts';

describe('whole number', () => {
  test.each([
    ['5', 5],
    ['-5', -5],
    ['5.0', 5],
    ['1e+06', 1_000_000],
    ['1.5e1', 15],
    ['999999999999999', 999_999_999_999_999],
  ])('parses %s', (text, value) => {
    expect(parseWholeNumber(text)).toBe(value);
  });

  test.each([
    '',
    ' ',
    '5.5',
    '1e99',
    '1e-1',
    'NaN',
    'Infinity',
    '0x10',
    '+5',
    '5.',
    '.5',
    '5 ',
    '1_000',
    '9'.repeat(16),
  ])('rejects %j', (text) => {
    expect(parseWholeNumber(text)).toBeNaN();
  });

  test('differs from a decimal number, which can have a fraction', () => {
    expect(parseDecimal('-0.25')).toBe(-0.25);
    expect(parseDecimal('2.5e-3')).toBe(0.0025);
    expect(parseDecimal('1,5')).toBeNaN();
  });
});
