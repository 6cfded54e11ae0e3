/** The content of the functions that Symbology Encoding writes as elements. */
import {
  type Attributes,
  type Content,
  elements,
  elementsWith,
  many,
  maybe,
  one,
  parameter,
  some,
  text,
} from './content.ts';

// The schema requires a fallback value everywhere, but servers that support the function never need it.
const fallback = { fallbackValue: 'optional' } as const;

function addFallback(attributes: Attributes): Attributes {
  return { ...fallback, ...attributes };
}

export const symbologyGrammar: readonly (readonly [string, Content])[] = [
  [
    'Categorize',
    elementsWith(
      // The schema has the misspelt name, the text of the standard the correct one.
      addFallback({ threshholdsBelongTo: 'optional', thresholdsBelongTo: 'optional' }),
      one('LookupValue'),
      many('Value', 'Threshold'),
    ),
  ],
  [
    'Interpolate',
    elementsWith(addFallback({ mode: 'optional', method: 'optional' }), one('LookupValue'), some('InterpolationPoint')),
  ],
  ['InterpolationPoint', elements(one('Data'), one('Value'))],
  ['Recode', elementsWith(fallback, one('LookupValue'), some('MapItem'))],
  ['MapItem', elements(one('Data'), one('Value'))],
  ['LookupValue', parameter],
  ['Value', parameter],
  ['Threshold', parameter],
  ['Data', text],
  [
    'FormatNumber',
    elementsWith(
      addFallback({ groupingSeparator: 'optional', decimalPoint: 'optional' }),
      one('NumericValue'),
      one('Pattern'),
      maybe('NegativePattern'),
    ),
  ],
  ['NumericValue', parameter],
  ['Pattern', text],
  ['NegativePattern', text],
  ['FormatDate', elementsWith(fallback, one('DateValue'), one('Pattern'))],
  ['DateValue', parameter],
  ['Substring', elementsWith(fallback, one('StringValue'), maybe('Position'), maybe('Length'))],
  ['StringValue', parameter],
  ['Position', parameter],
  ['Length', parameter],
  ['Concatenate', elementsWith(fallback, some('StringValue'))],
  ['ChangeCase', elementsWith(addFallback({ direction: 'optional' }), one('StringValue'))],
  ['Trim', elementsWith(addFallback({ stripOffPosition: 'optional', stripOffChar: 'optional' }), one('StringValue'))],
  [
    'StringPosition',
    elementsWith(addFallback({ searchDirection: 'optional' }), one('LookupString'), one('StringValue')),
  ],
  ['LookupString', parameter],
  ['StringLength', elementsWith(fallback, one('StringValue'))],
];
