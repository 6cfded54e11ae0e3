/** Reads the functions that Symbology Encoding writes as elements into calls with positional arguments. */

import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readElementText, readRawText } from '../../../lib/xml/text.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { createChoiceKind, type ValueKind } from './values.ts';

/** Reads an element with a value; values may contain functions. */
type ReadValue = (element: XmlElement) => Expression | undefined;

type Arguments = readonly (Expression | undefined)[];

const belongsTo = createChoiceKind('preceding', 'succeeding');
const interpolationMode = createChoiceKind('linear', 'cosine', 'cubic');
const interpolationMethod = createChoiceKind('numeric', 'color');
const changeDirection = createChoiceKind('toupper', 'tolower');
const stripPosition = createChoiceKind('leading', 'trailing', 'both');
const searchDirection = createChoiceKind('fronttoback', 'backtofront');

export function readSymbologyFunction(
  reading: SldReadContext,
  element: XmlElement,
  readValue: ReadValue,
): FunctionCall | undefined {
  const found = readArguments(reading, element, readValue);
  if (found === undefined || !found.every((each) => each !== undefined)) return undefined;
  return { kind: 'function', name: element.local, arguments: found, fallback: attribute(element, 'fallbackValue') };
}

function readArguments(reading: SldReadContext, element: XmlElement, readValue: ReadValue): Arguments | undefined {
  const readChildValue = (name: string): Expression | undefined => {
    const found = child(element, name);
    return found === undefined ? undefined : readValue(found);
  };
  const readPattern = (name: string): Expression | undefined => {
    const found = child(element, name);
    return found === undefined ? undefined : createLiteral(readRawText(found));
  };
  const readAttributeChoice = (name: string, kind: ValueKind): Expression | undefined =>
    readChoice(reading, element, name, kind);
  const readAttributeText = (name: string): Expression | undefined => {
    const found = attribute(element, name);
    return found === undefined ? undefined : createLiteral(found);
  };

  switch (element.local) {
    case 'Categorize':
      return readCategorizeArguments(reading, element, readChildValue('LookupValue'), readValue);
    case 'Interpolate':
      return [
        readChildValue('LookupValue'),
        ...readPairs(element, 'InterpolationPoint', readValue),
        ...trimArguments(
          [readAttributeChoice('method', interpolationMethod), createLiteral('numeric')],
          [readAttributeChoice('mode', interpolationMode)],
        ),
      ];
    case 'Recode':
      return [readChildValue('LookupValue'), ...readPairs(element, 'MapItem', readValue)];
    case 'FormatNumber':
      return [
        readChildValue('NumericValue'),
        readPattern('Pattern'),
        ...trimArguments(
          [readPattern('NegativePattern'), createLiteral('')],
          [readAttributeText('groupingSeparator'), createLiteral(',')],
          [readAttributeText('decimalPoint')],
        ),
      ];
    case 'FormatDate':
      return [readChildValue('DateValue'), readPattern('Pattern')];
    case 'Substring':
      return [
        readChildValue('StringValue'),
        ...trimArguments([readChildValue('Position'), createLiteral('1')], [readChildValue('Length')]),
      ];
    case 'Concatenate':
      return listChildren(element, 'StringValue').map(readValue);
    case 'ChangeCase':
      return [readChildValue('StringValue'), ...trimArguments([readAttributeChoice('direction', changeDirection)])];
    case 'Trim':
      return [
        readChildValue('StringValue'),
        ...trimArguments(
          [readAttributeChoice('stripOffPosition', stripPosition), createLiteral('both')],
          [readAttributeText('stripOffChar')],
        ),
      ];
    case 'StringPosition':
      return [
        readChildValue('LookupString'),
        readChildValue('StringValue'),
        ...trimArguments([readAttributeChoice('searchDirection', searchDirection)]),
      ];
    case 'StringLength':
      return [readChildValue('StringValue')];
    default:
      return undefined;
  }
}

/** Returns the arguments up to the last given one; omitted ones before it get their defaults. */
function trimArguments(...given: readonly (readonly [Expression | undefined, Expression?])[]): Arguments {
  const last = given.findLastIndex(([value]) => value !== undefined);
  return given.slice(0, last + 1).map(([value, byDefault]) => value ?? byDefault);
}

function readChoice(
  reading: SldReadContext,
  element: XmlElement,
  name: string,
  kind: ValueKind,
): Expression | undefined {
  const value = attribute(element, name);
  if (value === undefined || kind.isValid(value)) return value === undefined ? undefined : createLiteral(value);
  reading.complaints.add(element, `the attribute '${name}' is '${value}', but ${kind.expected} was expected`);
  return undefined;
}

function readPairs(element: XmlElement, name: string, readValue: ReadValue): Arguments {
  return listChildren(element, name).flatMap((pair) => {
    const data = child(pair, 'Data');
    const value = child(pair, 'Value');
    return [
      data === undefined ? undefined : createLiteral(readElementText(data)),
      value === undefined ? undefined : readValue(value),
    ];
  });
}

function readCategorizeArguments(
  reading: SldReadContext,
  element: XmlElement,
  lookup: Expression | undefined,
  readValue: ReadValue,
): Arguments {
  const steps = listChildElements(element).filter(({ local }) => local === 'Value' || local === 'Threshold');
  const misplaced = steps.find(({ local }, index) => local !== (index % 2 === 0 ? 'Value' : 'Threshold'));
  if (misplaced !== undefined)
    reading.complaints.add(misplaced, `'${misplaced.local}' is not expected here: Value and Threshold must alternate`);
  else if (steps.length % 2 === 0)
    reading.complaints.add(element, "Categorize must end with a 'Value' for everything beyond the last Threshold");
  const isComplete = misplaced === undefined && steps.length % 2 === 1;

  const spelling =
    attribute(element, 'thresholdsBelongTo') === undefined ? 'threshholdsBelongTo' : 'thresholdsBelongTo';
  return [
    isComplete ? lookup : undefined,
    ...steps.map(readValue),
    ...trimArguments([readChoice(reading, element, spelling, belongsTo)]),
  ];
}
