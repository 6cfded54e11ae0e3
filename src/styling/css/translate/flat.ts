/** Translates rule by rule: no rule changes another, and a feature is drawn by all that fit. */
import type { Filter } from '../../model/filter.ts';
import { implies } from '../cascade/atom.ts';
import { byPriority, type SimpleRule } from '../cascade/simple-rule.ts';
import { drawingOf, type PlacedDrawing } from './drawing.ts';

/** In the order they were written. Alternatives of one rule are one drawing, or features that fit two were drawn twice. */
export function flatDrawings(rules: readonly SimpleRule[]): readonly PlacedDrawing[] {
  const symbolRules = rules.filter(({ symbol }) => symbol !== undefined).toSorted(byPriority);
  const groups = Map.groupBy(
    rules.filter(({ symbol }) => symbol === undefined),
    ({ order, scale }) => `${order} ${scale.from} ${scale.to}`,
  );
  return [...groups.values()].flatMap((alternatives): PlacedDrawing[] => {
    const [rule] = alternatives;
    if (rule === undefined) return [];
    const symbols = symbolRules.filter((each) => alternatives.every((alternative) => fits(each, alternative)));
    const filter = anyOf(
      alternatives.map(({ atoms }) =>
        joined(
          'and',
          atoms.map((atom) => atom.filter),
        ),
      ),
    );
    return [{ drawing: drawingOf([rule, ...symbols]), scale: rule.scale, exclusive: filter, positive: filter }];
  });
}

/** Whether what is said of symbols holds for all that the rule draws. */
function fits(symbolRule: SimpleRule, rule: SimpleRule): boolean {
  return (
    (symbolRule.type === undefined || symbolRule.type === rule.type) &&
    symbolRule.scale.from <= rule.scale.from &&
    symbolRule.scale.to >= rule.scale.to &&
    symbolRule.atoms.every((atom) => rule.atoms.some((own) => implies(own, atom)))
  );
}

/** Undefined, which all features fit, is also what any filter or none comes to. */
function anyOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  return filters.every((filter) => filter !== undefined) ? joined('or', filters) : undefined;
}

function joined(kind: 'and' | 'or', filters: readonly Filter[]): Filter | undefined {
  const parts = filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]));
  const [first] = parts;
  return parts.length > 1 ? { kind, filters: parts } : first;
}
