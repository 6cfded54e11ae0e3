/** How strong a selector is: the more it says of a feature, the more its rule prevails. */
import type { Filter } from '../../../filter/model/filter.ts';
import { collectPropertyNames } from '../../../filter/model/property-names.ts';
import type { SelectorPart } from '../model/stylesheet.ts';

/** How many identifiers, conditions (attributes, the scale, symbols) and types; the first that differs decides. */
export type Specificity = readonly [number, number, number];

/** What the selectors so far consist of; conditions on the same attribute count once, however many they are. */
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
        // That it is the first or second of its kind is said beside the kind.
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

/** A condition on no attribute, such as on a variable of the request, counts as one on an attribute of its own. */
function listFilterAttributes(filter: Filter): ReadonlySet<string> {
  const names = collectPropertyNames(filter);
  return names.size > 0 ? names : new Set([`[${JSON.stringify(filter)}]`]);
}
