import { expect, it } from 'vitest';
import type { Rule, Symbolizer } from '../../styling/model/model.ts';
import { createLiteral } from '../../styling/model/model.ts';
import { readBlend } from '../rasterizer/blend.ts';
import { readComposite, splitByComposite } from './split-by-composite.ts';

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
  expect(new Set(stages.flatMap(({ rules }) => rules.flatMap((each) => each.symbolizers)))).toEqual(
    new Set(symbolizers),
  );
  for (const { blend, rules } of stages) {
    const own = rules.flatMap((each) => each.symbolizers);
    expect(own.map((each) => readBlend(readComposite(each)))).toEqual(own.map(() => blend));
  }
});

it('later rules are painted above blended symbolizers of earlier rules', () => {
  const [below, blended, above] = [createSymbolizer(''), createSymbolizer('multiply'), createSymbolizer('')];

  const stages = splitByComposite([
    { kind: 'rule', symbolizers: [below, blended] },
    { kind: 'rule', symbolizers: [above] },
  ]);

  const painted = stages.map(({ rules }) => rules.map((rule) => rule.symbolizers));
  expect(painted).toEqual([
    [[below], []],
    [[blended], []],
    [[], [above]],
  ]);
});
