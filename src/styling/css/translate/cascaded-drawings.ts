/** Translates the rules for one feature type by their cascade. */
import type { AtomFactory } from '../cascade/atom.ts';
import type { Budget } from '../cascade/budget.ts';
import { hasSymbols } from '../cascade/cascaded-properties.ts';
import { type Combination, compareCombinations, listCombinations } from '../cascade/combinations.ts';
import { buildExclusiveFilter, buildPositiveFilter } from '../cascade/combined-filter.ts';
import { comparePriority, type SimpleRule } from '../cascade/simple-rule.ts';
import type { ScaleRange } from '../model/stylesheet.ts';
import { buildRuleDrawing, type ConditionalDrawing } from './rule-drawing.ts';

interface ScaledCombination {
  readonly combination: Combination;
  readonly key: string;
  readonly exclusive: ConditionalDrawing['exclusive'];
  readonly from: number;
  readonly to: number;
}

/** Sorted so that the first drawing whose positive filter and scale match is the correct one. */
export function buildCascadedDrawings(
  unsorted: readonly SimpleRule[],
  budget: Budget,
  atoms: AtomFactory,
): readonly ConditionalDrawing[] {
  // Rules for symbols never compete with rules for features, and apply only to what those draw.
  const rules = [
    ...unsorted.filter(({ symbol }) => symbol === undefined).toSorted(comparePriority),
    ...unsorted.filter(({ symbol }) => symbol !== undefined).toSorted(comparePriority),
  ];
  const placed: ScaledCombination[] = [];
  let before = new Map<string, number>();
  for (const scale of splitScales(rules)) {
    const active = rules.flatMap(({ scale: { from, to } }, index) =>
      from <= scale.from && scale.to <= to ? [index] : [],
    );
    const current = new Map<string, number>();
    for (const { combination, exclusive } of listCombinationsAt(rules, active, budget, atoms)) {
      const key = `${combination.taken.join()} ${JSON.stringify(exclusive)}`;
      const known = before.get(key);
      const same = known === undefined ? undefined : placed[known];
      if (known !== undefined && same !== undefined) {
        placed[known] = { ...same, to: scale.to };
        current.set(key, known);
      } else {
        current.set(key, placed.length);
        placed.push({ combination, key, exclusive, from: scale.from, to: scale.to });
      }
    }
    before = current;
  }
  return placed
    .toSorted((one, other) => compareCombinations(one.combination, other.combination))
    .map(({ combination, exclusive, from, to }) => ({
      drawing: buildRuleDrawing(combination.taken.flatMap((index) => rules[index] ?? [])),
      scale: { from, to },
      exclusive,
      positive: buildPositiveFilter(combination),
    }));
}

/** Returns ranges within which no rule starts or ends. */
function splitScales(rules: readonly SimpleRule[]): readonly ScaleRange[] {
  const bounds = new Set([0, Number.POSITIVE_INFINITY]);
  for (const { scale } of rules) bounds.add(scale.from).add(scale.to);
  const sorted = [...bounds].toSorted((one, other) => one - other);
  return sorted.slice(1).map((to, index) => ({ from: sorted[index] ?? 0, to }));
}

function listCombinationsAt(
  rules: readonly SimpleRule[],
  active: readonly number[],
  budget: Budget,
  atoms: AtomFactory,
) {
  budget.spendSteps(rules.length);
  const here = active.flatMap((index) => rules[index] ?? []);
  const isRelevant = ({ symbol }: SimpleRule, taken: readonly number[]): boolean =>
    symbol === undefined ||
    hasSymbols(
      symbol.class,
      taken.flatMap((index) => here[index] ?? []),
    );
  return listCombinations(here, isRelevant, budget, atoms).flatMap((found) => {
    const exclusive = buildExclusiveFilter(found, here, budget);
    if (exclusive === 'impossible') return [];
    const toGlobalIndexes = (indexes: readonly number[]) => indexes.flatMap((index) => active[index] ?? []);
    return [
      {
        combination: { ...found, taken: toGlobalIndexes(found.taken), refused: toGlobalIndexes(found.refused) },
        exclusive,
      },
    ];
  });
}
