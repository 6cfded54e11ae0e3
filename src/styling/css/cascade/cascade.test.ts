import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { drawDirectly, drawFlat } from '../../../../test/styles/css/direct-cascade.ts';
import { drawModel, fittingRules } from '../../../../test/styles/css/draw-model.ts';
import { printStylesheet } from '../../../../test/styles/css/print-stylesheet.ts';
import { manyClasses, nestedStylesheet, stylesheet, view } from '../../../../test/styles/css/random-stylesheets.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { StyledLayerDescriptor } from '../../model/model.ts';
import { readCss } from '../reader.ts';

/** Thousands of style sheets, on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const views = fc.array(view, { minLength: 20, maxLength: 20 });

const nothing: StyledLayerDescriptor = { kind: 'styledLayerDescriptor', layers: [] };

/**
 * Returns undefined for the few style sheets with too many combinations, and an empty style for those that draw
 * nothing.
 */
function translated(text: string): StyledLayerDescriptor | undefined {
  try {
    return readCss(text).model;
  } catch (error) {
    if (error instanceof Problem && error.message.includes('no rule draws anything')) return nothing;
    if (error instanceof Problem && error.message.includes('more than the limit of')) return undefined;
    throw error;
  }
}

describe('translation of a style sheet', () => {
  test.each(['Exclusive', 'Simple', 'Auto'])(
    'draws each feature at each scale as the cascade demands in mode %s',
    (mode) => {
      let refused = 0;
      let drawn = 0;
      fc.assert(
        fc.property(stylesheet, views, (rules, seen) => {
          const model = translated(printStylesheet(mode, rules));
          if (model === undefined) {
            refused += 1;
            return;
          }
          for (const each of seen) {
            const expected = drawDirectly(rules, each);
            drawn += expected.length;
            expect(drawModel(model, each)).toEqual(expected);
          }
        }),
        { numRuns: 300 },
      );

      expect(refused).toBeLessThan(15);
      expect(drawn).toBeGreaterThan(1_000);
    },
  );

  test.each(['Exclusive', 'Simple'])('handles a hundred classes in mode %s', (mode) => {
    fc.assert(
      fc.property(manyClasses, views, (rules, seen) => {
        const model = translated(printStylesheet(mode, rules)) ?? nothing;
        for (const each of seen) expect(drawModel(model, each)).toEqual(drawDirectly(rules, each));
      }),
      { numRuns: 20 },
    );
  });

  test('draws each feature at each scale as the rules demand in mode Flat', () => {
    fc.assert(
      fc.property(nestedStylesheet, views, (rules, seen) => {
        const model = translated(printStylesheet('Flat', rules)) ?? nothing;
        for (const each of seen) expect(drawModel(model, each)).toEqual(drawFlat(rules, each));
      }),
      { numRuns: 200 },
    );
  });
});

test('matches no feature with two rules of a style in mode Exclusive', () => {
  fc.assert(
    fc.property(stylesheet, views, (rules, seen) => {
      const model = translated(printStylesheet('Exclusive', rules));
      for (const each of model === undefined ? [] : seen)
        expect(Math.max(0, ...fittingRules(model as StyledLayerDescriptor, each))).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});
