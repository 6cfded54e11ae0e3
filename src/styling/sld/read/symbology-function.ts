/** Reads the functions that Symbology Encoding spells as elements into calls with positional arguments. */

import type { Expression, FunctionCall } from '../../../data/filter/expression.ts';
import { createLiteral } from '../../../data/filter/literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, childElements, children } from '../../../lib/xml/elements.ts';
import { rawTextOf, textOf } from '../../../lib/xml/text.ts';
import type { Reading } from './reading.ts';
import { oneOf, type ValueKind } from './values.ts';

/** Reads an element that holds a value; values hold functions again. */
type ReadValue = (element: XmlElement) => Expression | undefined;

type Arguments = readonly (Expression | undefined)[];

const belongsTo = oneOf('preceding', 'succeeding');
const interpolationMode = oneOf('linear', 'cosine', 'cubic');
const interpolationMethod = oneOf('numeric', 'color');
const changeDirection = oneOf('toupper', 'tolower');
const stripPosition = oneOf('leading', 'trailing', 'both');
const searchDirection = oneOf('fronttoback', 'backtofront');

export function readSymbologyFunction(
  reading: Reading,
  element: XmlElement,
  readValue: ReadValue,
): FunctionCall | undefined {
  const found = argumentsOf(reading, element, readValue);
  if (found === undefined || !found.every((each) => each !== undefined)) return undefined;
  return { kind: 'function', name: element.local, arguments: found, fallback: attribute(element, 'fallbackValue') };
}

function argumentsOf(reading: Reading, element: XmlElement, readValue: ReadValue): Arguments | undefined {
  const value = (name: string): Expression | undefined => {
    const found = child(element, name);
    return found === undefined ? undefined : readValue(found);
  };
  const pattern = (name: string): Expression | undefined => {
    const found = child(element, name);
    return found === undefined ? undefined : createLiteral(rawTextOf(found));
  };
  const choice = (name: string, kind: ValueKind): Expression | undefined => readChoice(reading, element, name, kind);
  const free = (name: string): Expression | undefined => {
    const found = attribute(element, name);
    return found === undefined ? undefined : createLiteral(found);
  };

  switch (element.local) {
    case 'Categorize':
      return categorizeArguments(reading, element, value('LookupValue'), readValue);
    case 'Interpolate':
      return [
        value('LookupValue'),
        ...pairs(element, 'InterpolationPoint', readValue),
        ...optional([choice('method', interpolationMethod), createLiteral('numeric')], [choice('mode', interpolationMode)]),
      ];
    case 'Recode':
      return [value('LookupValue'), ...pairs(element, 'MapItem', readValue)];
    case 'FormatNumber':
      return [
        value('NumericValue'),
        pattern('Pattern'),
        ...optional(
          [pattern('NegativePattern'), createLiteral('')],
          [free('groupingSeparator'), createLiteral(',')],
          [free('decimalPoint')],
        ),
      ];
    case 'FormatDate':
      return [value('DateValue'), pattern('Pattern')];
    case 'Substring':
      return [value('StringValue'), ...optional([value('Position'), createLiteral('1')], [value('Length')])];
    case 'Concatenate':
      return children(element, 'StringValue').map(readValue);
    case 'ChangeCase':
      return [value('StringValue'), ...optional([choice('direction', changeDirection)])];
    case 'Trim':
      return [
        value('StringValue'),
        ...optional([choice('stripOffPosition', stripPosition), createLiteral('both')], [free('stripOffChar')]),
      ];
    case 'StringPosition':
      return [value('LookupString'), value('StringValue'), ...optional([choice('searchDirection', searchDirection)])];
    case 'StringLength':
      return [value('StringValue')];
    default:
      return undefined;
  }
}

/** Arguments up to the last that is given; those left out before it have their defaults. */
function optional(...given: readonly (readonly [Expression | undefined, Expression?])[]): Arguments {
  const last = given.findLastIndex(([value]) => value !== undefined);
  return given.slice(0, last + 1).map(([value, byDefault]) => value ?? byDefault);
}

function readChoice(reading: Reading, element: XmlElement, name: string, kind: ValueKind): Expression | undefined {
  const value = attribute(element, name);
  if (value === undefined || kind.accepts(value)) return value === undefined ? undefined : createLiteral(value);
  reading.complaints.add(element, `the attribute '${name}' is '${value}', but ${kind.expected} was expected`);
  return undefined;
}

function pairs(element: XmlElement, name: string, readValue: ReadValue): Arguments {
  return children(element, name).flatMap((pair) => {
    const data = child(pair, 'Data');
    const value = child(pair, 'Value');
    return [data === undefined ? undefined : createLiteral(textOf(data)), value === undefined ? undefined : readValue(value)];
  });
}

function categorizeArguments(
  reading: Reading,
  element: XmlElement,
  lookup: Expression | undefined,
  readValue: ReadValue,
): Arguments {
  const steps = childElements(element).filter(({ local }) => local === 'Value' || local === 'Threshold');
  const misplaced = steps.find(({ local }, index) => local !== (index % 2 === 0 ? 'Value' : 'Threshold'));
  if (misplaced !== undefined)
    reading.complaints.add(misplaced, `'${misplaced.local}' is not expected here: Value and Threshold take turns`);
  else if (steps.length % 2 === 0)
    reading.complaints.add(element, "Categorize must end with a 'Value', for all beyond the last Threshold");

  const spelling =
    attribute(element, 'thresholdsBelongTo') === undefined ? 'threshholdsBelongTo' : 'thresholdsBelongTo';
  return [lookup, ...steps.map(readValue), ...optional([readChoice(reading, element, spelling, belongsTo)])];
}
