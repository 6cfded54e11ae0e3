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
  ['a literal is itself', createLiteral('red'), 'red'],
  ['an attribute is nothing', attribute, undefined],
  ['a sum of numbers is a number', onePlus(createLiteral(2)), 3],
  ['a sum with an attribute is nothing', onePlus(attribute), undefined],
  ['classes show the first', call('Categorize', attribute, '#FF0000', 10, '#00FF00'), '#FF0000'],
  ['classes of a value that is known show its class', call('Categorize', 20, '#FF0000', 10, '#00FF00'), '#00FF00'],
  ['a list of cases shows the first', call('Recode', attribute, 'a', '4', 'b', '8'), '4'],
  ['cases in cases show the first of the first', call('Recode', attribute, 1, call('Recode', attribute, 2, 'x')), 'x'],
  ['a ramp of three shows the middle', call('Interpolate', attribute, 0, '1', 5, '2', 10, '3'), '2'],
  [
    'a ramp with its words shows the middle',
    call('Interpolate', attribute, 0, '#000', 5, '#777', 10, '#FFF', 'color', 'linear'),
    '#777',
  ],
  ['a ramp of two shows the second', call('interpolate', attribute, 0, '1', 5, '2', 'numeric'), '2'],
  ['a variable has its default', call('env', 'size', '12'), '12'],
  ['a function nobody knows is nothing', call('nobodyKnows', 1), undefined],
  ['a function nobody knows has its fallback', { ...call('nobodyKnows', 1), fallback: '5' }, '5'],
];

describe('where there is no feature', () => {
  test.each(samples)('%s', (_, expression, expected) => {
    expect(sampleValue(expression)).toBe(expected);
    expect(sampleValue(expression)).toBe(expected);
  });

  test('numbers have defaults, and opacities are between nothing and all', () => {
    expect(sampleNumber(attribute, 6)).toBe(6);
    expect(sampleNumber(createLiteral('wide'), 6)).toBe(6);
    expect([attribute, createLiteral('7'), createLiteral('-1'), createLiteral('0.5')].map(sampleOpacity)).toEqual([
      1, 1, 0, 0.5,
    ]);
  });
});
