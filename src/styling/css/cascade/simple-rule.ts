/** A rule of the cascade once nesting and commas are resolved. */
import type { Translation } from '../../model/description.ts';
import type { CssValue, ScaleRange, SymbolSelector } from '../model/stylesheet.ts';
import type { Atom } from './atom.ts';
import type { Specificity } from './specificity.ts';

export interface SimpleRule {
  /** Of the rules written, later ones have greater numbers. */
  readonly order: number;
  /** The number of the rule around it that is in no other, or its own. */
  readonly root: number;
  /** Where it was written, in UTF-16 units. */
  readonly offset: number;
  /** The only feature type it is for; any by default. */
  readonly type?: string | undefined;
  /** All of them must hold. */
  readonly atoms: readonly Atom[];
  readonly scale: ScaleRange;
  /** Whose symbols it is for; it is for features if it has none. */
  readonly symbol?: SymbolSelector | undefined;
  readonly specificity: Specificity;
  readonly properties: ReadonlyMap<string, readonly CssValue[]>;
  /** Its properties, those of symbols with the class before them: `mark|fill` is not `fill`. */
  readonly keys: readonly string[];
  /** Its z-index, or that of a rule around it: it takes no part in the cascade of other levels. All levels by default. */
  readonly levels?: readonly number[] | undefined;
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  readonly translations?: readonly Translation[] | undefined;
}

/** Those that win come first: the more specific, and of two alike the later. */
export function comparePriority(one: SimpleRule, other: SimpleRule): number {
  for (const index of [0, 1, 2] as const) {
    const difference = other.specificity[index] - one.specificity[index];
    if (difference !== 0) return difference;
  }
  return other.order - one.order;
}
