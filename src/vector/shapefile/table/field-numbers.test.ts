import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInteger, readNumber } from './field-numbers.ts';

const WIDTH = 30;

/** Places the text between other bytes, like a field. */
function inField<T>(read: (bytes: Buffer, start: number, end: number) => T, text: string): T {
  const bytes = Buffer.from(`9${text.padStart(WIDTH)}9`, 'latin1');
  return read(bytes, 1, 1 + WIDTH);
}

describe('decimal numbers', () => {
  test('every number is read exactly as printed', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(inField(readNumber, String(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test('numbers with fixed decimals are correctly rounded', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 18 }),
        (value, decimals) => {
          const text = value.toFixed(decimals);
          expect(inField(readNumber, text)).toBe(Number(text) + 0);
        },
      ),
    );
  });

  test.for([
    ['12.50', 12.5],
    ['-.5', -0.5],
    ['+7.', 7],
    ['007', 7],
    ['-0.000', 0],
    ['1.5e+03', 1500],
    ['3.14159265358979312', Math.PI],
    ['123456789012345678901', 123456789012345680000],
  ] as const)('%s is read as %d', ([text, value]) => {
    expect(inField(readNumber, text)).toBe(value);
  });

  test.for(['', '.', '-', '*****', '1,5', '1.2.3', 'nan', 'Infinity', '0x10', '1e999', '1 2', '--1', '5\u00e9'])(
    '%j is not a number',
    (text) => {
      expect(inField(readNumber, text)).toBeNull();
    },
  );

  test('NUL bytes after the digits are treated as blanks', () => {
    expect(readNumber(Buffer.from('12.5\0\0\0\0'), 0, 8)).toBe(12.5);
  });
});

describe('integers', () => {
  test('every number of up to eighteen digits is exact', () => {
    const limit = 10n ** 18n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (value) => {
        const read = inField(readInteger, String(value));
        expect(BigInt(read ?? 0)).toBe(value);
        expect(typeof read).toBe(Number.isSafeInteger(Number(value)) ? 'number' : 'bigint');
      }),
    );
  });

  test.for([
    ['42', 42],
    ['-42', -42],
    ['+42', 42],
    ['-0', 0],
    ['12.9', 12],
    ['-12.9', -12],
    ['1e3', 1000],
  ] as const)('%s is read as %d', ([text, value]) => {
    expect(inField(readInteger, text)).toBe(value);
  });

  test.for(['', '-', '*********', 'abc', '1-2'])('%j is not a number', (text) => {
    expect(inField(readInteger, text)).toBeNull();
  });
});
