/** Selects the rules of a group that paint a feature. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import type { FeatureCursor } from './feature-cursor.ts';
import { compileRuleFilter, type RuleFilter } from './rule-filter.ts';
import type { SpatialTests } from './spatial-conditions.ts';
import type { PaintedGroup } from './style-plan.ts';

/** A rule with its compiled symbolizers. */
export interface CompiledRule<P> {
  /** Undefined for rules without a filter and for else rules. */
  readonly filter: RuleFilter | undefined;
  readonly isElse: boolean;
  readonly painters: readonly P[];
}

export interface CompiledGroup<P> {
  readonly rules: readonly CompiledRule<P>[];
  readonly isFirstOnly: boolean;
}

export type RuleGroup = Pick<PaintedGroup, 'rules' | 'isFirstOnly'>;

/** Omits symbolizers that compile to undefined. Other work continues between rules, which can be many. */
export async function compileGroup<P extends object>(
  { rules, isFirstOnly }: RuleGroup,
  places: SpatialTests,
  compile: (symbolizer: Symbolizer) => P | undefined,
): Promise<CompiledGroup<P>> {
  const compiled: CompiledRule<P>[] = [];
  for (const { filter, symbolizers } of rules) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    compiled.push({
      filter: filter === undefined || filter.kind === 'else' ? undefined : compileRuleFilter(filter, places),
      isElse: filter?.kind === 'else',
      painters: symbolizers.map(compile).filter((painter) => painter !== undefined),
    });
  }
  return { isFirstOnly, rules: compiled };
}

/** Writes the matching rules in order into a list that is reused for the next feature. */
export function collectRules<P>(
  { rules, isFirstOnly }: CompiledGroup<P>,
  feature: FeatureCursor,
  into: CompiledRule<P>[],
): void {
  let count = 0;
  for (const rule of rules) {
    if (rule.isElse || (rule.filter !== undefined && !rule.filter(feature))) continue;
    into[count] = rule;
    count += 1;
    if (isFirstOnly) break;
  }
  if (count === 0) {
    for (const rule of rules) {
      if (!rule.isElse) continue;
      into[count] = rule;
      count += 1;
    }
  }
  // Emptying the array would release its memory and allocate it again for each feature.
  if (into.length !== count) into.length = count;
}
