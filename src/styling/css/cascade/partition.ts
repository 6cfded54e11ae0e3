/** Partitions many rules by the values of one attribute, such as the classes of a thematic map. */
import type { Atom, AtomFactory } from './atom.ts';
import { excludes } from './atom.ts';
import type { SimpleRule } from './simple-rule.ts';

/** Fewer rules are compared quickly pair by pair, and the resulting filters are easier to read. */
const minRules = 64;
const minValues = 16;

export interface Part {
  /** The condition that all features of the part satisfy. */
  readonly atom: Atom;
  /** The rules that may apply to them, in the same order. */
  readonly open: readonly number[];
}

/** Returns undefined if there are few rules or no partitioning attribute. Each feature is in exactly one part. */
export function partitionRules(
  rules: readonly SimpleRule[],
  open: readonly number[],
  known: readonly Atom[],
  atoms: AtomFactory,
): readonly Part[] | undefined {
  if (open.length < minRules) return undefined;
  const attribute = findDividingAttribute(rules, open, known);
  if (attribute === undefined) return undefined;

  const classes = new Map<number, { readonly atom: Atom; readonly open: number[] }>();
  const others: number[] = [];
  for (const index of open) {
    const atom = findClassAtom(rules[index], attribute);
    if (atom === undefined) others.push(index);
    else {
      const found = classes.get(atom.onlyValue) ?? { atom, open: [] };
      found.open.push(index);
      classes.set(atom.onlyValue, found);
    }
  }
  const values = [...classes.values()];
  const parts = values.map(({ atom, open: own }) => {
    const compatible = others.filter((index) => !rules[index]?.atoms.some((each) => excludes(each, atom)));
    return { atom, open: [...own, ...compatible].toSorted((one, other) => one - other) };
  });
  const rest = atoms.getAtom({ kind: 'not', filter: { kind: 'or', filters: values.map(({ atom }) => atom.filter) } });
  return [...parts, { atom: rest, open: others }];
}

/** Returns the attribute that most rules compare with a single value. */
function findDividingAttribute(
  rules: readonly SimpleRule[],
  open: readonly number[],
  known: readonly Atom[],
): number | undefined {
  const values = new Map<number, Set<number>>();
  for (const index of open) {
    for (const { attribute, onlyValue } of rules[index]?.atoms ?? []) {
      if (onlyValue === 0 || known.some((atom) => atom.attribute === attribute)) continue;
      const found = values.get(attribute) ?? new Set();
      values.set(attribute, found.add(onlyValue));
    }
  }
  const [best] = [...values].toSorted(([, one], [, other]) => other.size - one.size);
  return best !== undefined && best[1].size >= minValues ? best[0] : undefined;
}

function findClassAtom(rule: SimpleRule | undefined, attribute: number): Atom | undefined {
  return rule?.atoms.find((atom) => atom.attribute === attribute && atom.onlyValue !== 0);
}
