import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { findFileNameFault } from '../../lib/text/file-name.ts';
import { toStoredName } from '../../lib/text/file-place.ts';
import { checkName } from '../../records/names.ts';
import { dataStoreNameRule } from '../stores/data-stores.ts';

it.each([
  ['roads', 'roads'],
  ['日本 道路', '日本 道路'],
  ['50% of <all>?', '50_ of _all__'],
  ['con', '_con'],
  ['Nul.data', '_Nul.data'],
])('stores the files of the store %j under %j', (name, stored) => {
  expect(toStoredName(name)).toBe(stored);
});

it('returns a valid file name, at most one byte longer, for every store name', () => {
  const isName = (name: string) => {
    try {
      checkName(name, dataStoreNameRule);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  const names = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.string({ unit: fc.constantFrom(...'conul1<>|?*. ¹\u200e') }),
  );

  fc.assert(
    fc.property(names.filter(isName), (name) => {
      const stored = toStoredName(name);

      expect(findFileNameFault(stored)).toBeUndefined();
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(Buffer.byteLength(name) + 1);
    }),
    { numRuns: 2_000 },
  );
});
