/** Builds the filter of a combination: the conditions of its rules, and the negations of the excluded rules. */
import type { Filter } from '../../../filter/model/filter.ts';
import { type Atom, excludes, implies } from './atom.ts';
import type { Budget } from './budget.ts';
import type { Combination } from './combinations.ts';
import { removeImplied } from './flatten.ts';
import type { SimpleRule } from './simple-rule.ts';

/** Comparing all pairs of a longer list costs more than a shorter filter saves. */
const maxCompared = 64;

/** Undefined matches all features, `impossible` none. */
export type CombinedFilter = Filter | undefined | 'impossible';

/** Matches features of this combination, and possibly of a stronger one. */
export function buildPositiveFilter({ atoms }: Combination): Filter | undefined {
  return buildConjunction(sortAtoms(removeImplied(atoms)).map(({ filter }) => filter));
}

/** Matches features of this combination only. */
export function buildExclusiveFilter(
  combination: Combination,
  rules: readonly SimpleRule[],
  budget: Budget,
): CombinedFilter {
  const { atoms, refused } = combination;
  const denied: (readonly Atom[])[] = [];
  for (const index of refused) {
    const own = rules[index]?.atoms ?? [];
    budget.spendSteps(1 + own.length * atoms.length);
    if (own.some((atom) => atoms.some((known) => excludes(known, atom)))) continue;
    const rest = own.filter((atom) => !atoms.some((known) => implies(known, atom)));
    if (rest.length === 0) return 'impossible';
    denied.push(rest);
  }
  const needed = denied.length > maxCompared ? denied : removeRedundant(denied);
  const negations = needed
    .map(sortAtoms)
    .toSorted(([one], [other]) => (one?.id ?? 0) - (other?.id ?? 0))
    .map((rest) => buildNegation(rest.map(({ filter }) => filter)));
  return buildConjunction([...sortAtoms(removeImplied(atoms)).map(({ filter }) => filter), ...negations]);
}

/** Sorts by first occurrence, so that equal conditions look the same at every scale. */
function sortAtoms(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.toSorted((one, other) => one.id - other.id);
}

/** Removes negations that a wider negation implies: "not in Spain" implies "not in Madrid". */
function removeRedundant(denied: readonly (readonly Atom[])[]): readonly (readonly Atom[])[] {
  const isImplied = (narrow: readonly Atom[], wide: readonly Atom[]): boolean =>
    wide.every((atom) => narrow.some((own) => implies(own, atom)));
  return denied.filter(
    (narrow, index) =>
      !denied.some((wide, at) => at !== index && isImplied(narrow, wide) && (at < index || !isImplied(wide, narrow))),
  );
}

function buildNegation(filters: readonly Filter[]): Filter {
  const [first] = filters;
  if (first?.kind === 'not' && filters.length === 1) return first.filter;
  return { kind: 'not', filter: buildConjunction(filters) ?? { kind: 'and', filters: [] } };
}

function buildConjunction(filters: readonly Filter[]): Filter | undefined {
  const parts = filters.flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]));
  const [first] = parts;
  return parts.length > 1 ? { kind: 'and', filters: parts } : first;
}
