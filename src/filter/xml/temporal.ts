/** Reads temporal conditions with GML moments and periods. */
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, child, listChildElements } from '../../lib/xml/elements.ts';
import { readElementText } from '../../lib/xml/text.ts';
import type { Expression } from '../model/expression.ts';
import type { Filter, Period, TemporalOperator } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { openEnd, resolvePeriod } from '../model/moment.ts';
import { readXmlExpression } from './expression.ts';
import { formatUnexpected, quoteExcerpt, type XmlFilterContext } from './filter-context.ts';

const operators: Readonly<Record<string, TemporalOperator>> = {
  After: 'after',
  Before: 'before',
  Begins: 'starts',
  BegunBy: 'startedBy',
  TContains: 'contains',
  During: 'during',
  EndedBy: 'finishedBy',
  Ends: 'finishes',
  TEquals: 'tequals',
  Meets: 'meets',
  MetBy: 'metBy',
  TOverlaps: 'overlaps',
  OverlappedBy: 'overlappedBy',
  AnyInteracts: 'intersects',
};

export function isTemporalElement({ local }: XmlElement): boolean {
  return Object.hasOwn(operators, local);
}

export function readTemporal(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const operator = operators[element.local];
  const [first, second, more] = listChildElements(element);
  if (operator === undefined || first === undefined || second === undefined || more !== undefined) {
    reading.reportMisplaced(element, `${element.local} compares two expressions or times`);
    return undefined;
  }
  const [value, time] = [readTime(reading, first), readTime(reading, second)];
  return value === undefined || time === undefined ? undefined : { kind: 'temporal', operator, value, time };
}

/** Reads a moment, a period or an expression; moments and periods can be in a Literal. */
function readTime(reading: XmlFilterContext, element: XmlElement): Expression | Period | undefined {
  const [inner] = element.local === 'Literal' ? listChildElements(element) : [];
  const written = inner ?? element;
  switch (written.local) {
    case 'TimeInstant': {
      const moment = readInstant(reading, written);
      if (moment === undefined) return undefined;
      const time = createLiteral(moment);
      reading.locate?.(time, written);
      return time;
    }
    case 'TimePeriod':
      return readPeriod(reading, written);
    default:
      return readXmlExpression(reading, element);
  }
}

function readInstant(reading: XmlFilterContext, element: XmlElement): string | undefined {
  const position = child(element, 'timePosition');
  if (position !== undefined) return readPosition(reading, position);
  reading.report(element, "'timePosition' is missing in TimeInstant");
  return undefined;
}

function readPeriod(reading: XmlFilterContext, element: XmlElement): Period | undefined {
  const odd = listChildElements(element).find(({ local }) => !/^(?:begin|end)(?:Position)?$/.test(local));
  if (odd !== undefined) reading.report(odd, formatUnexpected(odd, 'beginPosition and endPosition, or begin and end'));
  const [start, end] = [readEnd(reading, element, 'begin'), readEnd(reading, element, 'end')];
  if (start === undefined || end === undefined) return undefined;
  const period: Period = { kind: 'period', start, end };
  if (resolvePeriod(start, end) === undefined)
    reading.report(
      element,
      `${quoteExcerpt(start)} to ${quoteExcerpt(end)} is not a valid period within the years 1 to 9999`,
    );
  reading.locate?.(period, element);
  return period;
}

function readEnd(reading: XmlFilterContext, element: XmlElement, name: 'begin' | 'end'): string | undefined {
  const position = child(element, `${name}Position`);
  if (position !== undefined) return readPosition(reading, position);
  const instant = child(child(element, name) ?? element, 'TimeInstant');
  if (instant !== undefined) return readInstant(reading, instant);
  reading.report(element, `'${name}Position' is missing in TimePeriod`);
  return undefined;
}

/** Returns the text, or an open end for an indeterminate position without text. */
function readPosition(reading: XmlFilterContext, element: XmlElement): string | undefined {
  const text = readElementText(element);
  const indeterminate = attribute(element, 'indeterminatePosition');
  if (text !== '' && indeterminate === undefined) return text;
  if (text === '' && indeterminate === 'unknown') return openEnd;
  const found = indeterminate === undefined ? 'nothing' : `indeterminatePosition ${quoteExcerpt(indeterminate)}`;
  reading.report(element, `${element.local} contains ${found}, but a time such as 2020-01-01T00:00:00Z was expected`);
  return undefined;
}
