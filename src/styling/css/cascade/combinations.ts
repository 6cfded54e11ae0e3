/** Finds which rules can apply to a feature together: every combination that some feature may fit, and no other. */
import { type Atom, type AtomFactory, excludes, implies } from './atom.ts';
import type { Budget } from './budget.ts';
import { partitionRules } from './partition.ts';
import type { SimpleRule } from './simple-rule.ts';

/** A set of rules that apply to the same features, with those that were left out for it. */
export interface Combination {
  /** By their index, in growing order; those that would change nothing are left out. */
  readonly taken: readonly number[];
  readonly refused: readonly number[];
  /** What the rules taken ask for. */
  readonly atoms: readonly Atom[];
}

interface Branch {
  /** The rules not yet decided, by index. */
  readonly open: readonly number[];
  readonly taken: readonly number[];
  readonly refused: Chain | undefined;
  readonly atoms: readonly Atom[];
  /** The properties that rules taken have set: weaker rules cannot change them. */
  readonly keys: ReadonlySet<string>;
  /** Whether its rules could not be divided by the values of an attribute. */
  readonly isWhole: boolean;
}

/** A list that grows at its end without being copied. */
interface Chain {
  readonly last: number;
  readonly before: Chain | undefined;
}

/**
 * Decides rule by rule, the strongest first, whether it is taken or refused, and goes both ways where both can be.
 * Combinations come in an order in which the first that a feature fits, looking at `atoms` only, is the right one:
 * a rule is first taken and then refused.
 * `matters` says of rules for symbols whether the rules taken have such symbols.
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

/** The order in which `combinationsOf` finds combinations, for those of several scales: strong rules first, none last. */
export function compareCombinations(one: Combination, other: Combination): number {
  const length = Math.min(one.taken.length, other.taken.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (one.taken[index] ?? 0) - (other.taken[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return other.taken.length - one.taken.length;
}
