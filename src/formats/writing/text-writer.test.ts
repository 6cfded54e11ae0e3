import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { TextWriter } from './text-writer.ts';

function written(value: number, decimals: number): string {
  const out = new TextWriter(decimals);
  out.writeNumber(value);
  return Buffer.from(out.flush()).toString();
}

describe('coordinates', () => {
  test.for([
    [0, 8, '0'],
    [-0, 8, '0'],
    [1, 8, '1'],
    [-1.5, 8, '-1.5'],
    [7.438631864, 8, '7.43863186'],
    [7.438631866, 8, '7.43863187'],
    [0.00000001, 8, '0.00000001'],
    [-0.000000001, 8, '0'],
    [0.999999999, 8, '1'],
    [100.05, 2, '100.05'],
    [2_600_000.123456789, 3, '2600000.123'],
    [5_000_000_000.25, 8, '5000000000.25'],
    [1.5, 0, '2'],
    [1 / 3, 15, '0.333333333333333'],
    [1e300, 8, '1e+300'],
  ] as const)('writes %d with %i decimals as %s', ([value, decimals, text]) => {
    expect(written(value, decimals)).toBe(text);
  });

  test('writes the rounded number', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 15 }),
        (value, decimals) => {
          const text = written(value, decimals);

          expect(text).not.toMatch(/^-0?$|\.$|\.\d*0$/);
          expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(
            0.5001 * 10 ** -decimals + Math.abs(value) * 1e-15,
          );
        },
      ),
    );
  });
});

describe('text', () => {
  test('writes text of any length with any characters unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint, maxLength: 50 })), (texts) => {
        const out = new TextWriter(8);
        for (const text of texts) out.writeRaw(text);

        expect(Buffer.from(out.flush()).toString()).toBe(texts.join(''));
      }),
    );
    const out = new TextWriter(8);
    out.writeRaw('ä'.repeat(500_000));

    expect(Buffer.from(out.flush()).toString()).toBe('ä'.repeat(500_000));
  });
});
