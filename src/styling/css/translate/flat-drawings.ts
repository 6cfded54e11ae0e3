/** Translates rule by rule, each with its nested rules. All matching rules draw a feature. */
import type { Filter } from '../../../filter/model/filter.ts';
import { implies } from '../cascade/atom.ts';
import { comparePriority, type SimpleRule } from '../cascade/simple-rule.ts';
import { buildRuleDrawing, type ConditionalDrawing } from './rule-drawing.ts';

/** Keeps the written order. `cascade` translates a rule with its nested rules, of which the inner ones win. */
export function buildFlatDrawings(
  rules: readonly SimpleRule[],
  cascade: (rules: readonly SimpleRule[]) => readonly ConditionalDrawing[],
): readonly ConditionalDrawing[] {
  return groupRules(rules).flatMap((group) => {
    const isOne = group.every(({ symbol, order, root }) => symbol !== undefined || order === root);
    return (isOne ? mergeIntoDrawing(group) : undefined) ?? cascade(group);
  });
}

/** Groups a rule with its nested rules and with directly following rules that apply only to its symbols. */
function groupRules(rules: readonly SimpleRule[]): readonly (readonly SimpleRule[])[] {
  const groups: (readonly SimpleRule[])[] = [];
  for (const group of Map.groupBy(rules, ({ root }) => root).values()) {
    const last = groups.at(-1);
    const isOfSymbols = group.every(({ symbol, order, root }) => symbol !== undefined && order === root);
    if (!isOfSymbols) groups.push(group);
    else if (last !== undefined && toSelectorKey(last) === toSelectorKey(group))
      groups[groups.length - 1] = [...last, ...group];
  }
  return groups;
}

/** Returns a key for the conditions of the outermost rule of a group. */
function toSelectorKey(group: readonly SimpleRule[]): string {
  const [{ root } = { root: -1 }] = group;
  const alternatives = group
    .filter(({ order }) => order === root)
    .map(({ type, atoms, scale }) =>
      JSON.stringify([type, atoms.map(({ id }) => id).toSorted(), scale.from, scale.to]),
    );
  return [...new Set(alternatives)].toSorted().join(' or ');
}

/** Merges alternatives at the same scales into one drawing. */
function mergeIntoDrawing(group: readonly SimpleRule[]): readonly ConditionalDrawing[] | undefined {
  const alternatives = group.filter(({ symbol }) => symbol === undefined);
  const symbols = group.filter(({ symbol }) => symbol !== undefined);
  const [rule, ...others] = alternatives;
  if (rule === undefined) return [];
  const { from, to } = rule.scale;
  if (others.some(({ scale }) => scale.from !== from || scale.to !== to)) return undefined;
  if (symbols.some((each) => !isForAll(each, alternatives))) return undefined;
  const filter = buildDisjunction(
    alternatives.map(({ atoms }) =>
      joinFilters(
        'and',
        atoms.map((atom) => atom.filter),
      ),
    ),
  );
  const drawing = buildRuleDrawing([rule, ...symbols.toSorted(comparePriority)]);
  return [{ drawing, scale: rule.scale, exclusive: filter, positive: filter }];
}

/** Returns whether a rule for symbols has no conditions beyond those of its rules. */
function isForAll(symbolRule: SimpleRule, rules: readonly SimpleRule[]): boolean {
  return rules.every(
    ({ type, atoms, scale }) =>
      (symbolRule.type === undefined || symbolRule.type === type) &&
      symbolRule.scale.from <= scale.from &&
      symbolRule.scale.to >= scale.to &&
      symbolRule.atoms.every((atom) => atoms.some((own) => implies(own, atom))),
  );
}

/** Undefined matches all features, and so does a disjunction with it. */
function buildDisjunction(filters: readonly (Filter | undefined)[]): Filter | undefined {
  return filters.every((filter) => filter !== undefined) ? joinFilters('or', filters) : undefined;
}

function joinFilters(kind: 'and' | 'or', filters: readonly Filter[]): Filter | undefined {
  const parts = filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]));
  const [first] = parts;
  return parts.length > 1 ? { kind, filters: parts } : first;
}
