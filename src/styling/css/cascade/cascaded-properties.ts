/** Computes the combined properties of the rules of a combination. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { CssValue, SymbolClass } from '../model/stylesheet.ts';
import type { SimpleRule } from './simple-rule.ts';

/** Looks up one property. */
export type PropertyLookup = (property: string) => CssValue | undefined;

export interface CascadedProperties {
  /** Returns the number of symbolizers that a property produces; 0 if it is not set. */
  countValues(property: string): number;
  /** Returns all values of a property, one for each symbolizer. */
  listValues(property: string): readonly CssValue[];
  /** Returns the properties of the symbolizer at an index, from 0; shorter value lists are repeated. */
  getLookup(index: number): PropertyLookup;
  /** Returns the properties of one symbol. */
  getSymbolLookup(symbolClass: SymbolClass, index: number): PropertyLookup;
}

/** `rules` are sorted by descending priority. */
export function cascadeRules(rules: readonly SimpleRule[]): CascadedProperties {
  const values = new Map<string, readonly CssValue[]>();
  const symbolRules: SimpleRule[] = [];
  for (const rule of rules) {
    if (rule.symbol !== undefined) symbolRules.push(rule);
    else for (const [property, own] of rule.properties) if (!values.has(property)) values.set(property, own);
  }
  const getValueAt = (list: readonly CssValue[] | undefined, index: number): CssValue | undefined => {
    const value = list?.[index % list.length];
    return value?.kind === 'nothing' ? undefined : value;
  };

  return {
    countValues: (property) => values.get(property)?.length ?? 0,
    listValues: (property) => values.get(property) ?? [],
    getLookup: (index) => (property) => getValueAt(values.get(property), index),
    getSymbolLookup: (symbolClass, index) => (property) => {
      const rule = symbolRules.find(
        ({ symbol, properties }) =>
          (symbol?.class === symbolClass || symbol?.class === 'symbol') &&
          (symbol.index === undefined || symbol.index === index + 1) &&
          properties.has(property),
      );
      return getValueAt(rule?.properties.get(property), index);
    },
  };
}

/** Returns whether the given rules draw symbols of the class. */
export function hasSymbols(symbolClass: SymbolClass, rules: readonly SimpleRule[]): boolean {
  const properties = symbolClass === 'symbol' ? ['mark', 'fill', 'stroke', 'shield'] : [symbolClass];
  return properties.some((property) => {
    const strongest = rules.find((rule) => rule.symbol === undefined && rule.properties.has(property));
    const values = strongest?.properties.get(property) ?? [];
    return values.some(({ kind }) => kind === 'symbol' || kind === 'picture');
  });
}

export function findExpression(value: CssValue | undefined): Expression | undefined {
  return value?.kind === 'expression' ? value.expression : undefined;
}

export function findExpressions(value: CssValue | undefined): readonly Expression[] | undefined {
  return value?.kind === 'expressions' ? value.expressions : undefined;
}

export function findLiteralText(value: CssValue | undefined): string | undefined {
  const expression = findExpression(value);
  return expression?.kind === 'literal' ? expression.value : undefined;
}
