import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Value, type ValueType, valueTypes } from '../port/port.ts';
import { createValueConverter, UnfitValueError } from './convert-value.ts';

function converted(from: ValueType, to: ValueType, value: Value): Value {
  const convert = createValueConverter(from, to);
  if (convert === undefined) throw new Error(`${from} never becomes ${to}`);
  return convert(value);
}

test.for([
  ['integer', 'long', 5, 5],
  ['long', 'short', 32_767, 32_767],
  ['double', 'integer', 12, 12],
  ['decimal', 'integer', '12.00', 12],
  ['decimal', 'long', '9007199254740993', 9_007_199_254_740_993n],
  ['long', 'decimal', 9_007_199_254_740_993n, 9_007_199_254_740_993n],
  ['decimal', 'double', '0.25', 0.25],
  ['integer', 'string', 7, '7'],
  ['boolean', 'string', false, 'false'],
  ['date', 'string', new Date('2024-02-29'), '2024-02-29'],
  ['timestamp', 'string', new Date('2024-02-29T01:02:03Z'), '2024-02-29T01:02:03.000Z'],
  ['date', 'timestamp', new Date('2024-02-29'), new Date('2024-02-29')],
  ['timestamp', 'date', new Date('2024-02-29'), new Date('2024-02-29')],
  ['string', 'uuid', 'a', 'a'],
] as const)('a %s is converted to a %s: %s is %s', ([from, to, value, expected]) => {
  expect(converted(from, to, value)).toEqual(expected);
});

test.for([
  ['integer', 'short', 32_768, 'is outside the range -32768 to 32767'],
  ['double', 'integer', 0.5, 'not an integer'],
  ['double', 'long', Number.NaN, 'not an integer'],
  ['decimal', 'integer', '1.5', 'not an integer'],
  ['long', 'double', 9_007_199_254_740_993n, 'more digits'],
  ['timestamp', 'date', new Date('2024-02-29T00:00:01Z'), 'time of day'],
] as const)('a %s that is not a valid %s is rejected: %s %s', ([from, to, value, message]) => {
  expect(() => converted(from, to, value)).toThrow(UnfitValueError);
  expect(() => converted(from, to, value)).toThrow(message);
});

test.for([
  ['string', 'integer'],
  ['string', 'date'],
  ['string', 'boolean'],
  ['boolean', 'integer'],
  ['integer', 'boolean'],
  ['bytes', 'string'],
  ['date', 'integer'],
  ['uuid', 'long'],
] as const)('a %s is never converted to a %s', ([from, to]) => {
  expect(createValueConverter(from, to)).toBeUndefined();
});

test('null is null in every type', () => {
  for (const from of valueTypes)
    for (const to of valueTypes) expect(createValueConverter(from, to)?.(null) ?? null).toBeNull();
});

test('an accepted integer keeps its value', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
      fc.constantFrom<ValueType>('short', 'integer', 'long'),
      (whole, to) => {
        const safe = Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
        try {
          return BigInt(String(converted('long', to, safe))) === whole;
        } catch (error) {
          return error instanceof UnfitValueError;
        }
      },
    ),
  );
});
