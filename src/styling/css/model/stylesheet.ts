/** A parsed style sheet: nested rules with selectors and properties. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import type { Filter } from '../../../filter/model/filter.ts';
import type { ColorMapEntry } from '../../model/color-map.ts';
import type { Translation } from '../../model/description.ts';

export interface Stylesheet {
  readonly kind: 'stylesheet';
  readonly directives: StyleDirectives;
  readonly rules: readonly CssRule[];
}

/** The directives before all rules, such as `@mode 'Flat';`. */
export interface StyleDirectives {
  readonly mode: CascadeMode;
  /** With more rules than this, `auto` means `simple`. */
  readonly autoThreshold: number;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  /** Whether each translated rule gets a unique name; no names by default. */
  readonly uniqueRuleNames?: boolean | undefined;
}

/**
 * The translation mode. `exclusive`: each feature matches one rule only. `simple`: the first matching rule applies.
 * `auto`: one of these two, by the number of rules. `flat`: rule by rule, without a cascade except nesting.
 */
export type CascadeMode = 'exclusive' | 'simple' | 'auto' | 'flat';

export interface CssRule {
  readonly kind: 'rule';
  /** The position in the source, in UTF-16 units. */
  readonly offset: number;
  /** Alternatives: a feature matches if one of them matches. */
  readonly selectors: readonly CssSelector[];
  readonly declarations: readonly Declaration[];
  readonly rules: readonly CssRule[];
  /** From the comment before the rule. */
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  readonly translations?: readonly Translation[] | undefined;
}

/** Matches if all parts match. */
export interface CssSelector {
  readonly parts: readonly SelectorPart[];
}

export type SelectorPart =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'type'; readonly name: string }
  | { readonly kind: 'identifier'; readonly identifier: string }
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'scale'; readonly range: ScaleRange }
  | { readonly kind: 'symbol'; readonly symbol: SymbolSelector };

/** From a scale denominator, inclusive, to another, exclusive. */
export interface ScaleRange {
  readonly from: number;
  readonly to: number;
}

/** `:mark` selects the marks of points, `:symbol` all symbols. */
export type SymbolClass = 'symbol' | 'mark' | 'fill' | 'stroke' | 'shield';

export interface SymbolSelector {
  readonly class: SymbolClass;
  /** The position among several, counted from 1; all by default. */
  readonly index?: number | undefined;
}

export interface Declaration {
  /** Without a vendor prefix. */
  readonly property: string;
  readonly offset: number;
  /** One value for each symbolizer, repeated if there are more symbolizers; never empty. */
  readonly values: readonly CssValue[];
}

export type CssValue =
  | { readonly kind: 'none' }
  /** An empty list item: the default of the property applies. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'expressions'; readonly expressions: readonly Expression[] }
  | { readonly kind: 'symbol'; readonly name: Expression }
  | { readonly kind: 'picture'; readonly href: string; readonly fallback?: Expression | undefined }
  | { readonly kind: 'colorMap'; readonly entries: readonly ColorMapEntry[] }
  | { readonly kind: 'transformation'; readonly call: FunctionCall };
