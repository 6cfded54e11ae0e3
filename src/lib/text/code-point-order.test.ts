import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { compareCodePoints } from './code-point-order.ts';

test('compares texts in the order of their UTF-8 bytes', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', 'b', '\ufffd', '\u{1f600}', '\u{10ffff}'),
    fc.string({ unit: codePoint, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit, maxLength: 4 }), { maxLength: 8 }), (unsorted) => {
      const texts = unsorted.map((text) => text.toWellFormed());

      const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

      expect(texts.toSorted(compareCodePoints)).toEqual(byBytes);
    }),
  );
});
