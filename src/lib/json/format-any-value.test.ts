import { expect, it } from 'vitest';
import { formatAnyValue } from './format-any-value.ts';

const createLiteral = (value: unknown) => ({ kind: 'literal', value });

it('writes equal numbers alike, whatever other objects of the same shape contain', () => {
  const before = createLiteral(3);
  // Now the engine stores such numbers as floating point numbers.
  for (const value of [0.5, 1.5]) createLiteral(value);

  expect(formatAnyValue(createLiteral(3))).toBe(formatAnyValue(before));
  expect(formatAnyValue(new Float64Array([3])[0])).toBe('3');
});

it('writes different values differently', () => {
  const values = [
    ...[1, '1', 1n, true, null, Number.NaN, 'NaN', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ...[new Uint8Array([1]), new Uint8Array([2]), new Float64Array([1]), new Float64Array([Number.NaN])],
    ...[new Map([['a', 1]]), new Map([['a', 2]]), new Set(['a']), new Set(['b']), [], [1], {}, { a: 1 }],
    ...[/a/, /b/, /a/i, new Uint8Array([1]).buffer, new Uint8Array([2]).buffer],
  ];

  expect(new Set(values.map((value) => formatAnyValue({ value }))).size).toBe(values.length);
});
