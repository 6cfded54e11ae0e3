import { describe, expect, test } from 'vitest';
import { createLiteral, readLiteralNumber, readLiteralText } from './literal.ts';

describe('literals', () => {
  test.each([
    ['5', 5],
    [' -2.50 ', -2.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['12m', 12],
    ['3 px', 3],
    ['8ft', 8],
    ['', undefined],
    ['m', undefined],
    ['5 miles', undefined],
    ['0x10', undefined],
    ['Infinity', undefined],
  ])('converts %j to the number %j', (text, number) => {
    expect(readLiteralNumber(createLiteral(text))).toBe(number);
  });

  test('returns text for literals and nothing for other expressions', () => {
    expect(readLiteralText(createLiteral(5))).toBe('5');
    expect(readLiteralText({ kind: 'property', name: 'a' })).toBeUndefined();
    expect(readLiteralNumber(undefined)).toBeUndefined();
  });
});
