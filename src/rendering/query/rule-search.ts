/** Counts the features of a batch that each rule of a style draws. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { markTransferable } from '../../workers/transferables.ts';
import type { StyledLayer } from '../rules/chunked-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules } from '../rules/rule-choice.ts';
import type { StylePlan } from '../rules/style-plan.ts';
import { type BatchSearch, compileGroups, createSearchWork, type SearchBatch } from './batch-search.ts';

export interface RuleSearch extends StyledLayer {
  readonly plan: StyledLayer['plan'] & Pick<StylePlan, 'values' | 'geometries'>;
}

export const searchRules = createSearchWork(openRuleSearch);

/** Returns the number of features of each rule of the plan. */
export const ruleSearch: BatchSearch<RuleSearch, Uint32Array> = {
  open: openRuleSearch,
  task: { module: import.meta.url, name: 'searchRules', work: searchRules },
};

async function openRuleSearch({ plan, spatialConditions }: RuleSearch): Promise<SearchBatch<Uint32Array>> {
  const groups = await compileGroups(plan, spatialConditions, () => undefined);
  const positions = new Map(groups.flatMap(({ rules }) => rules).map((rule, index) => [rule, index] as const));
  const cursor = new FeatureCursor(plan);
  const matching: CompiledRule<never>[] = [];
  return async (batch, signal) => {
    const counts = new Uint32Array(positions.size);
    for (let index = 0; index < batch.count; index += 1) {
      const others = yieldIfDue();
      if (others !== undefined) await others;
      signal?.throwIfAborted();
      cursor.moveTo(batch, index);
      for (const group of groups) {
        collectRules(group, cursor, matching);
        for (const rule of matching) {
          const position = positions.get(rule);
          if (position !== undefined) counts[position] = (counts[position] ?? 0) + 1;
        }
      }
    }
    return markTransferable(counts, [counts.buffer]);
  };
}
