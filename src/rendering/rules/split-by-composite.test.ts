import { expect, it } from 'vitest';
import type { Rule, Symbolizer } from '../../styling/model/model.ts';
import { createLiteral } from '../../styling/model/model.ts';
import { splitByComposite } from './split-by-composite.ts';

function createSymbolizer(composite: string): Symbolizer {
  return { kind: 'polygonSymbolizer', vendorOptions: [{ name: 'composite', value: createLiteral(composite) }] };
}

it('symbolizers with alternating modes are painted in at most 32 stages, and none is lost', () => {
  const symbolizers = Array.from({ length: 1_000 }, (_, index) =>
    createSymbolizer(index % 2 === 0 ? 'multiply' : 'screen'),
  );
  const rule: Rule = { kind: 'rule', symbolizers };

  const stages = splitByComposite([rule]);

  expect(stages).toHaveLength(32);
  expect(stages.flatMap(({ rules }) => rules.flatMap((each) => each.symbolizers))).toEqual(symbolizers);
});
