/** The properties that the rules of a combination have together. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { SimpleRule } from '../cascade/simple-rule.ts';
import type { CssValue, SymbolClass } from '../stylesheet.ts';

/** Looks up one property. */
export type Lookup = (property: string) => CssValue | undefined;

export interface Cascaded {
  /** How many symbolizers a property asks for; none if it is not set. */
  count(property: string): number;
  /** All values of a property, one for each symbolizer. */
  all(property: string): readonly CssValue[];
  /** The properties of one symbolizer, counted from 0; shorter lists of values begin anew at their end. */
  at(index: number): Lookup;
  /** The properties of one symbol. */
  symbol(symbolClass: SymbolClass, index: number): Lookup;
}

/** The rules come strongest first. */
export function cascade(rules: readonly SimpleRule[]): Cascaded {
  const values = new Map<string, readonly CssValue[]>();
  const symbolRules: SimpleRule[] = [];
  for (const rule of rules) {
    if (rule.symbol !== undefined) symbolRules.push(rule);
    else for (const [property, own] of rule.properties) if (!values.has(property)) values.set(property, own);
  }
  const valueAt = (list: readonly CssValue[] | undefined, index: number): CssValue | undefined => {
    const value = list?.[index % list.length];
    return value?.kind === 'nothing' ? undefined : value;
  };

  return {
    count: (property) => values.get(property)?.length ?? 0,
    all: (property) => values.get(property) ?? [],
    at: (index) => (property) => valueAt(values.get(property), index),
    symbol: (symbolClass, index) => (property) => {
      const rule = symbolRules.find(
        ({ symbol, properties }) =>
          (symbol?.class === symbolClass || symbol?.class === 'symbol') &&
          (symbol.index === undefined || symbol.index === index + 1) &&
          properties.has(property),
      );
      return valueAt(rule?.properties.get(property), index);
    },
  };
}

/** Whether the symbols that a rule is for are among what the rules taken draw. */
export function hasSymbols(symbolClass: SymbolClass, rules: readonly SimpleRule[]): boolean {
  const properties = symbolClass === 'symbol' ? ['mark', 'fill', 'stroke', 'shield'] : [symbolClass];
  return properties.some((property) => {
    const strongest = rules.find((rule) => rule.symbol === undefined && rule.properties.has(property));
    const values = strongest?.properties.get(property) ?? [];
    return values.some(({ kind }) => kind === 'symbol' || kind === 'picture');
  });
}

export function expressionOf(value: CssValue | undefined): Expression | undefined {
  return value?.kind === 'expression' ? value.expression : undefined;
}

export function expressionsOf(value: CssValue | undefined): readonly Expression[] | undefined {
  return value?.kind === 'expressions' ? value.expressions : undefined;
}

export function textOf(value: CssValue | undefined): string | undefined {
  const expression = expressionOf(value);
  return expression?.kind === 'literal' ? expression.value : undefined;
}
