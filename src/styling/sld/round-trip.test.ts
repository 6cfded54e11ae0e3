import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { descriptor } from '../../../test/support/style-models/descriptors.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import { readSld } from './reader.ts';
import { writeSld } from './writer.ts';

describe.each(['1.0.0', '1.1.0'] as const)('SLD %s', (version) => {
  test('preserves any style in a round trip', () => {
    fc.assert(
      fc.property(descriptor(version), (model) => {
        const text = writeSld(model, version);

        expect(readSld(text)).toEqual({ version, model, warnings: [] });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('has one canonical form: reading and writing returns the same text', () => {
    fc.assert(
      fc.property(descriptor(version), (model) => {
        const text = writeSld(model, version);

        // Frozen, so that a change of the model would fail.
        expect(writeSld(deepFreeze(readSld(text).model), version)).toBe(text);
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});
