import { expect, test } from 'vitest';
import { parseWindBarb } from './wind-barb.ts';

/** Counts flags and barbs: closed and open parts besides the shaft. */
function countParts(name: string): { readonly flags: number; readonly barbs: number } | undefined {
  const parts = parseWindBarb(name)?.path.split('M').slice(2);
  return (
    parts && {
      flags: parts.filter((part) => part.endsWith('Z')).length,
      barbs: parts.filter((part) => !part.endsWith('Z')).length,
    }
  );
}

test.each([
  ['5', { flags: 0, barbs: 1 }],
  ['12.4', { flags: 0, barbs: 1 }],
  ['15', { flags: 0, barbs: 2 }],
  ['50', { flags: 1, barbs: 0 }],
  ['115', { flags: 2, barbs: 2 }],
  ['1e9', { flags: 10, barbs: 0 }],
])('a wind of %s knots has its flags and barbs', (speed, parts) => {
  expect(countParts(`windbarbs://default(${speed})[kts]`)).toEqual(parts);
});

test.each([
  ['m/s', '7.7'],
  ['km/h', '27.8'],
  ['mph', '17.3'],
  ['KN', '15'],
])('a speed in %s is converted to knots', (unit, speed) => {
  expect(parseWindBarb(`windbarbs://default(${speed})[${unit}]`)).toEqual(
    parseWindBarb('windbarbs://default(15)[kts]'),
  );
});

test('barbs are on the other side in the southern hemisphere', () => {
  const [north, south] = ['n', 'S'].map((side) => parseWindBarb(`windbarbs://default(15)[kts]?hemisphere=${side}`));

  expect([north?.middle?.[0], south?.middle?.[0]]).toEqual([0.175, -0.175]);
});

test('a calm is a circle without a shaft, and a missing speed is empty', () => {
  expect(parseWindBarb('windbarbs://default(1)[kts]')?.path).toContain('a.25 .25');
  expect(['', 'NaN', '-4'].map((speed) => parseWindBarb(`windbarbs://default(${speed})[kts]`)?.path)).toEqual([
    '',
    '',
    '',
  ]);
});

test.each([
  'windbarbs://default(15)[parsec]',
  'windbarbs://default(15)[constructor]',
  'windbarbs://other(15)[kts]',
  'windbarbs://default',
])('%s is unknown', (name) => {
  expect(parseWindBarb(name)).toBeUndefined();
});
