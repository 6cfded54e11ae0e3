/** The filter of a combination: what its rules ask for, and that the rules left out do not fit. */
import type { Filter } from '../../../filter/model/filter.ts';
import { type Atom, excludes, implies } from './atom.ts';
import type { Budget } from './budget.ts';
import type { Combination } from './combinations.ts';
import { removeImplied } from './flatten.ts';
import type { SimpleRule } from './simple-rule.ts';

/** Comparing all pairs of a longer list takes more time than a shorter filter is worth. */
const maxCompared = 64;

/** Undefined is a filter that all features fit; `impossible` one that none can. */
export type CombinedFilter = Filter | undefined | 'impossible';

/** For features that fit this combination, and maybe a stronger one too. */
export function buildPositiveFilter({ atoms }: Combination): Filter | undefined {
  return buildConjunction(sortAtoms(removeImplied(atoms)).map(({ filter }) => filter));
}

/** For features that fit this combination and no other. */
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

/** As they were first written, so that the same conditions look the same at every scale. */
function sortAtoms(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.toSorted((one, other) => one.id - other.id);
}

/** Whoever is not in Spain need not be told not to be in Madrid. */
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
