/** Lists the sets of rules that can apply to a feature together. */
import { type Atom, type AtomFactory, excludes, implies } from './atom.ts';
import type { Budget } from './budget.ts';
import { partitionRules } from './partition.ts';
import type { SimpleRule } from './simple-rule.ts';

/** A set of rules that apply to the same features, with the rules that are excluded. */
export interface Combination {
  /** The indexes in ascending order, without rules that have no effect. */
  readonly taken: readonly number[];
  readonly refused: readonly number[];
  /** The conditions of the taken rules. */
  readonly atoms: readonly Atom[];
}

interface Branch {
  /** The indexes of undecided rules. */
  readonly open: readonly number[];
  readonly taken: readonly number[];
  readonly refused: Chain | undefined;
  readonly atoms: readonly Atom[];
  /** The properties that taken rules have set: weaker rules cannot change them. */
  readonly keys: ReadonlySet<string>;
  /** Whether its rules could not be partitioned by the values of an attribute. */
  readonly isWhole: boolean;
}

/** A linked list that grows at its end without copies. */
interface Chain {
  readonly last: number;
  readonly before: Chain | undefined;
}

/**
 * Decides for each rule, by descending priority, whether it is taken or refused, and branches if both are possible.
 * Taken branches come before refused ones, so the first combination whose `atoms` match a feature is the correct one.
 * `matters` returns whether a rule for symbols has an effect on the taken rules.
 */
export function listCombinations(
  rules: readonly SimpleRule[],
  matters: (rule: SimpleRule, taken: readonly number[]) => boolean,
  budget: Budget,
  atoms: AtomFactory,
): readonly Combination[] {
  const combinations: Combination[] = [];
  const all = Array.from(rules.keys());
  const pending: Branch[] = [{ open: all, taken: [], refused: undefined, atoms: [], keys: new Set(), isWhole: false }];
  for (let branch = pending.pop(); branch !== undefined; branch = pending.pop()) {
    const parts = branch.isWhole ? undefined : partitionRules(rules, branch.open, branch.atoms, atoms);
    if (parts !== undefined) {
      budget.spendSteps(branch.open.length + parts.reduce((sum, part) => sum + part.open.length, 0));
      for (const { atom, open } of parts.toReversed())
        pending.push({ ...branch, open, atoms: [...branch.atoms, atom] });
      continue;
    }
    const divided = splitBranch(rules, branch, matters, budget);
    if ('whole' in divided) {
      budget.spendRule();
      budget.spendSteps(divided.whole.refused.length);
      combinations.push(divided.whole);
    } else {
      pending.push(divided.without, divided.with);
    }
  }
  return combinations;
}

type BranchSplit = { readonly whole: Combination } | { readonly with: Branch; readonly without: Branch };

function splitBranch(
  rules: readonly SimpleRule[],
  branch: Branch,
  matters: (rule: SimpleRule, taken: readonly number[]) => boolean,
  budget: Budget,
): BranchSplit {
  const taken = [...branch.taken];
  const keys = new Set(branch.keys);
  for (const [position, index] of branch.open.entries()) {
    const rule = rules[index];
    if (rule === undefined || rule.keys.every((key) => keys.has(key)) || !matters(rule, taken)) continue;
    budget.spendSteps(1 + rule.atoms.length * branch.atoms.length);
    const rest = rule.atoms.filter((atom) => !branch.atoms.some((known) => implies(known, atom)));
    if (rest.length === 0) {
      taken.push(index);
      for (const key of rule.keys) keys.add(key);
      continue;
    }
    const others = branch.open.slice(position + 1);
    budget.spendSteps(others.length * (1 + rest.length));
    const compatible = others.filter((other) => !rest.some((atom) => hasAtom(rules[other], atom, excludes)));
    const possible = others.filter((other) => !rest.every((atom) => hasAtom(rules[other], atom, implies)));
    return {
      with: {
        open: compatible,
        taken: [...taken, index],
        refused: branch.refused,
        atoms: [...branch.atoms, ...rest],
        keys: new Set([...keys, ...rule.keys]),
        isWhole: true,
      },
      without: {
        open: possible,
        taken,
        refused: { last: index, before: branch.refused },
        atoms: branch.atoms,
        keys,
        isWhole: true,
      },
    };
  }
  return { whole: { taken, refused: toIndexList(branch.refused), atoms: branch.atoms } };
}

function hasAtom(rule: SimpleRule | undefined, atom: Atom, test: (one: Atom, other: Atom) => boolean): boolean {
  for (const own of rule?.atoms ?? []) if (test(own, atom)) return true;
  return false;
}

function toIndexList(chain: Chain | undefined): readonly number[] {
  const list: number[] = [];
  for (let link = chain; link !== undefined; link = link.before) list.push(link.last);
  return list.reverse();
}

/** Sorts combinations of several scales in the order of `listCombinations`: strong rules first, the empty set last. */
export function compareCombinations(one: Combination, other: Combination): number {
  const length = Math.min(one.taken.length, other.taken.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (one.taken[index] ?? 0) - (other.taken[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return other.taken.length - one.taken.length;
}
