/** The properties that the rules of a combination have together. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { CssValue, SymbolClass } from '../model/stylesheet.ts';
import type { SimpleRule } from './simple-rule.ts';

/** Looks up one property. */
export type PropertyLookup = (property: string) => CssValue | undefined;

export interface CascadedProperties {
  /** How many symbolizers a property asks for; none if it is not set. */
  countValues(property: string): number;
  /** All values of a property, one for each symbolizer. */
  listValues(property: string): readonly CssValue[];
  /** The properties of one symbolizer, counted from 0; shorter lists of values begin anew at their end. */
  getLookup(index: number): PropertyLookup;
  /** The properties of one symbol. */
  getSymbolLookup(symbolClass: SymbolClass, index: number): PropertyLookup;
}

/** The rules come strongest first. */
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

/** Whether the symbols that a rule is for are among what the rules taken draw. */
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
