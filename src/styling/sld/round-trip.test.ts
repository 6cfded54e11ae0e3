import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { descriptor } from '../../../test/support/style-models/descriptors.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import { readSld } from './reader.ts';
import { writeSld } from './writer.ts';

describe.each(['1.0.0', '1.1.0'] as const)('SLD %s', (version) => {
  test('gives back any style that was written as it', () => {
    fc.assert(
      fc.property(descriptor(version), (model) => {
        const text = writeSld(model, version);

        expect(readSld(text)).toEqual({ version, model, warnings: [] });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('has one canonical form: what is read and written again is the same text', () => {
    fc.assert(
      fc.property(descriptor(version), (model) => {
        const text = writeSld(model, version);

        // Frozen, so that whoever changed the model would be caught.
        expect(writeSld(deepFreeze(readSld(text).model), version)).toBe(text);
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});
