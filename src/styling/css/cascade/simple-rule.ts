/** A rule of the cascade after nesting and commas are resolved. */
import type { Translation } from '../../model/description.ts';
import type { CssValue, ScaleRange, SymbolSelector } from '../model/stylesheet.ts';
import type { Atom } from './atom.ts';
import type { Specificity } from './specificity.ts';

export interface SimpleRule {
  /** The position among the written rules; later rules have greater numbers. */
  readonly order: number;
  /** The order of its outermost parent, or its own. */
  readonly root: number;
  /** The position in the source, in UTF-16 units. */
  readonly offset: number;
  /** The feature type it applies to; any by default. */
  readonly type?: string | undefined;
  /** Conditions that must all hold. */
  readonly atoms: readonly Atom[];
  readonly scale: ScaleRange;
  /** The symbols it applies to; undefined for features. */
  readonly symbol?: SymbolSelector | undefined;
  readonly specificity: Specificity;
  readonly properties: ReadonlyMap<string, readonly CssValue[]>;
  /** The property names, prefixed with the class for symbols: `mark|fill` differs from `fill`. */
  readonly keys: readonly string[];
  /**
   * The z-index of the rule or its parents: it takes part in the cascade of these levels only. All levels by default.
   */
  readonly levels?: readonly number[] | undefined;
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  readonly translations?: readonly Translation[] | undefined;
}

/** Sorts the winning rule first: the more specific one, and of equal ones the later. */
export function comparePriority(one: SimpleRule, other: SimpleRule): number {
  for (const index of [0, 1, 2] as const) {
    const difference = other.specificity[index] - one.specificity[index];
    if (difference !== 0) return difference;
  }
  return other.order - one.order;
}
