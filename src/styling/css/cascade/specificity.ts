/** Computes the specificity of a selector: rules with more conditions win. */
import type { Filter } from '../../../filter/model/filter.ts';
import { collectPropertyNames } from '../../../filter/model/property-names.ts';
import type { SelectorPart } from '../model/stylesheet.ts';

/** The counts of identifiers, conditions (attributes, scale, symbols) and types; the first difference decides. */
export type Specificity = readonly [number, number, number];

/** The parts of the selectors so far. Several conditions on the same attribute count once. */
export interface CountedParts {
  readonly identifiers: number;
  readonly attributes: ReadonlySet<string>;
  readonly hasScale: boolean;
  readonly symbols: number;
  readonly hasType: boolean;
}

export const noParts: CountedParts = {
  identifiers: 0,
  attributes: new Set(),
  hasScale: false,
  symbols: 0,
  hasType: false,
};

export function countParts(counted: CountedParts, parts: readonly SelectorPart[]): CountedParts {
  let { identifiers, hasScale, symbols, hasType } = counted;
  const attributes = new Set(counted.attributes);
  for (const part of parts) {
    switch (part.kind) {
      case 'identifier':
        identifiers += 1;
        break;
      case 'filter':
        for (const name of listFilterAttributes(part.filter)) attributes.add(name);
        break;
      case 'scale':
        hasScale = true;
        break;
      case 'symbol':
        // An index counts in addition to the class.
        symbols += part.symbol.index === undefined ? 1 : 2;
        break;
      case 'type':
        hasType = true;
        break;
    }
  }
  return { identifiers, attributes, hasScale, symbols, hasType };
}

export function computeSpecificity({ identifiers, attributes, hasScale, symbols, hasType }: CountedParts): Specificity {
  return [identifiers, attributes.size + (hasScale ? 1 : 0) + symbols, hasType ? 1 : 0];
}

/**
 * A condition without attributes, such as one on a request variable, counts as a condition on a separate attribute.
 */
function listFilterAttributes(filter: Filter): ReadonlySet<string> {
  const names = collectPropertyNames(filter);
  return names.size > 0 ? names : new Set([`[${JSON.stringify(filter)}]`]);
}
