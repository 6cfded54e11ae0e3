/** A style sheet as it is written: rules in rules, with selectors and properties. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import type { Filter } from '../../../filter/model/filter.ts';
import type { ColorMapEntry } from '../../model/color-map.ts';
import type { Translation } from '../../model/description.ts';

export interface Stylesheet {
  readonly kind: 'stylesheet';
  readonly directives: StyleDirectives;
  readonly rules: readonly CssRule[];
}

/** What stands before all rules, such as `@mode 'Flat';`. */
export interface StyleDirectives {
  readonly mode: CascadeMode;
  /** With more rules than this, `auto` means `simple`. */
  readonly autoThreshold: number;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  /** Whether each rule of the translation has a name of its own; none has one by default. */
  readonly uniqueRuleNames?: boolean | undefined;
}

/**
 * How rules are translated. `exclusive`: each feature fits one rule only; `simple`: the first rule that fits is taken;
 * `auto`: one of the two, by the number of rules; `flat`: rule by rule, with no cascade but that of nesting.
 */
export type CascadeMode = 'exclusive' | 'simple' | 'auto' | 'flat';

export interface CssRule {
  readonly kind: 'rule';
  /** Where it begins, in UTF-16 units. */
  readonly offset: number;
  /** For features that fit any of these. */
  readonly selectors: readonly CssSelector[];
  readonly declarations: readonly Declaration[];
  readonly rules: readonly CssRule[];
  /** From the comment before it. */
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  readonly translations?: readonly Translation[] | undefined;
}

/** All parts must fit. */
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

/** From a scale denominator on, up to another, exclusive. */
export interface ScaleRange {
  readonly from: number;
  readonly to: number;
}

/** `:mark` is for the marks of points, `:symbol` for symbols wherever they are. */
export type SymbolClass = 'symbol' | 'mark' | 'fill' | 'stroke' | 'shield';

export interface SymbolSelector {
  readonly class: SymbolClass;
  /** Which of several, counted from 1; all by default. */
  readonly index?: number | undefined;
}

export interface Declaration {
  /** Without the prefix of a vendor. */
  readonly property: string;
  readonly offset: number;
  /** One for each symbolizer, repeated if there are more of them; never an empty list. */
  readonly values: readonly CssValue[];
}

export type CssValue =
  | { readonly kind: 'none' }
  /** An empty part of a list: what the property is by default. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'expressions'; readonly expressions: readonly Expression[] }
  | { readonly kind: 'symbol'; readonly name: Expression }
  | { readonly kind: 'picture'; readonly href: string; readonly fallback?: Expression | undefined }
  | { readonly kind: 'colorMap'; readonly entries: readonly ColorMapEntry[] }
  | { readonly kind: 'transformation'; readonly call: FunctionCall };
