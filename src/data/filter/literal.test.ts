import { describe, expect, test } from 'vitest';
import { literal, literalNumber, literalText } from './literal.ts';

describe('a literal', () => {
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
  ])('%j is the number %j', (text, number) => {
    expect(literalNumber(literal(text))).toBe(number);
  });

  test('has text, and other expressions have none', () => {
    expect(literalText(literal(5))).toBe('5');
    expect(literalText({ kind: 'property', name: 'a' })).toBeUndefined();
    expect(literalNumber(undefined)).toBeUndefined();
  });
});
