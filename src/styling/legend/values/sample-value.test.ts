import { describe, expect, test } from 'vitest';
import { createLiteral, type Expression, type FunctionCall } from '../../model/model.ts';
import { sampleNumber, sampleOpacity, sampleValue } from './sample-value.ts';

const attribute: Expression = { kind: 'property', name: 'people' };
const call = (name: string, ...parts: readonly (Expression | string | number)[]): FunctionCall => ({
  kind: 'function',
  name,
  arguments: parts.map((part) => (typeof part === 'object' ? part : createLiteral(part))),
});
const onePlus = (right: Expression): Expression => ({
  kind: 'arithmetic',
  operator: 'add',
  left: createLiteral(1),
  right,
});

const samples: readonly (readonly [string, Expression, string | number | undefined])[] = [
  ['a literal is its value', createLiteral('red'), 'red'],
  ['an attribute is undefined', attribute, undefined],
  ['a sum of numbers is a number', onePlus(createLiteral(2)), 3],
  ['a sum with an attribute is undefined', onePlus(attribute), undefined],
  ['a categorization is its first class', call('Categorize', attribute, '#FF0000', 10, '#00FF00'), '#FF0000'],
  ['a categorization of a known value is its class', call('Categorize', 20, '#FF0000', 10, '#00FF00'), '#00FF00'],
  ['a recoding is its first case', call('Recode', attribute, 'a', '4', 'b', '8'), '4'],
  [
    'nested recodings are the first case of the first',
    call('Recode', attribute, 1, call('Recode', attribute, 2, 'x')),
    'x',
  ],
  ['a ramp of three is its middle', call('Interpolate', attribute, 0, '1', 5, '2', 10, '3'), '2'],
  [
    'a ramp with keywords is its middle',
    call('Interpolate', attribute, 0, '#000', 5, '#777', 10, '#FFF', 'color', 'linear'),
    '#777',
  ],
  ['a ramp of two is its second', call('interpolate', attribute, 0, '1', 5, '2', 'numeric'), '2'],
  ['a variable is its default', call('env', 'size', '12'), '12'],
  ['an unknown function is undefined', call('nobodyKnows', 1), undefined],
  ['an unknown function is its fallback', { ...call('nobodyKnows', 1), fallback: '5' }, '5'],
];

describe('values without a feature', () => {
  test.each(samples)('%s', (_, expression, expected) => {
    expect(sampleValue(expression)).toBe(expected);
    expect(sampleValue(expression)).toBe(expected);
  });

  test('numbers have defaults, and opacities are limited to the range from 0 to 1', () => {
    expect(sampleNumber(attribute, 6)).toBe(6);
    expect(sampleNumber(createLiteral('wide'), 6)).toBe(6);
    expect([attribute, createLiteral('7'), createLiteral('-1'), createLiteral('0.5')].map(sampleOpacity)).toEqual([
      1, 1, 0, 0.5,
    ]);
  });
});
