/** Reads OGC Filter Encoding 1.0, 1.1 and 2.0, which differ only in some element names. */
import { formatFoundCount } from '../../lib/text/wording.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, child, listChildElements } from '../../lib/xml/elements.ts';
import { readElementText } from '../../lib/xml/text.ts';
import type { ComparisonOperator, Filter, SpatialOperator } from '../model/filter.ts';
import { parseDecimal } from '../model/literal.ts';
import { readXmlExpressions } from './expression.ts';
import { formatUnexpected, quoteExcerpt, type XmlFilterContext } from './filter-context.ts';
import { readEnvelope } from './geometry.ts';
import { isTemporalElement, readTemporal } from './temporal.ts';

const comparisonOperators: Readonly<Record<string, ComparisonOperator>> = {
  PropertyIsEqualTo: 'equal',
  PropertyIsNotEqualTo: 'notEqual',
  PropertyIsLessThan: 'less',
  PropertyIsLessThanOrEqualTo: 'lessOrEqual',
  PropertyIsGreaterThan: 'greater',
  PropertyIsGreaterThanOrEqualTo: 'greaterOrEqual',
};

const spatialOperators: Readonly<Record<string, SpatialOperator>> = {
  Equals: 'equals',
  Disjoint: 'disjoint',
  Touches: 'touches',
  Within: 'within',
  Overlaps: 'overlaps',
  Crosses: 'crosses',
  Intersects: 'intersects',
  Contains: 'contains',
};

const identifierElements: ReadonlySet<string> = new Set(['FeatureId', 'GmlObjectId', 'ResourceId']);

/**
 * Reads a `Filter` element with one condition or identifiers. Returns undefined if it is empty or an error was
 * reported.
 */
export function readFilterElement(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const parts = listChildElements(element);
  const identifiers = parts.filter(({ local }) => identifierElements.has(local));
  if (identifiers.length > 0 && identifiers.length === parts.length) return readIdentifiers(reading, identifiers);
  if (parts.length === 0) reading.reportMisplaced(element, 'Filter requires a condition, but none was found');
  if (parts.length > 1) {
    const conditions = parts.length === identifiers.length ? '' : ', or only identifiers,';
    reading.report(
      parts[1] ?? element,
      `Filter requires one condition${conditions} but ${formatFoundCount(parts.length)}. Join several conditions with And or Or`,
    );
  }
  const read = parts.map((each) => readCondition(reading, each));
  return read[0];
}

function readCondition(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const filter = readConditionElement(reading, element);
  if (filter !== undefined) reading.locate?.(filter, element);
  return filter;
}

function readConditionElement(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const { local } = element;
  const comparison = Object.hasOwn(comparisonOperators, local) ? comparisonOperators[local] : undefined;
  if (comparison !== undefined) return readComparison(reading, element, comparison);
  const spatial = Object.hasOwn(spatialOperators, local) ? spatialOperators[local] : undefined;
  if (spatial !== undefined) {
    const [left, right] = readXmlExpressions(reading, listChildElements(element), 2, element) ?? [];
    return left === undefined || right === undefined ? undefined : { kind: 'spatial', operator: spatial, left, right };
  }
  if (isTemporalElement(element)) return readTemporal(reading, element);
  switch (local) {
    case 'PropertyIsLike':
      return readLike(reading, element);
    case 'PropertyIsNull':
    case 'PropertyIsNil': {
      const [value] = readXmlExpressions(reading, listChildElements(element), 1, element) ?? [];
      return value === undefined ? undefined : { kind: 'isNull', value };
    }
    case 'PropertyIsBetween':
      return readBetween(reading, element);
    case 'And':
      return readLogical(reading, element, 'and');
    case 'Or':
      return readLogical(reading, element, 'or');
    case 'Not': {
      const inner = listChildElements(element);
      if (inner.length !== 1)
        reading.reportMisplaced(element, `Not requires one condition, but ${formatFoundCount(inner.length)}`);
      const filter = inner[0] === undefined ? undefined : readCondition(reading, inner[0]);
      return filter === undefined ? undefined : { kind: 'not', filter };
    }
    case 'DWithin':
      return readDistance(reading, element, 'within');
    case 'Beyond':
      return readDistance(reading, element, 'beyond');
    case 'BBOX':
      return readBoundingBox(reading, element);
    default:
      if (identifierElements.has(local)) return readIdentifiers(reading, [element]);
      reading.reportMisplaced(element, formatUnexpected(element, 'a condition such as PropertyIsEqualTo, BBOX or And'));
      return undefined;
  }
}

function readComparison(
  reading: XmlFilterContext,
  element: XmlElement,
  operator: ComparisonOperator,
): Filter | undefined {
  const matchCase = readMatchCase(reading, element);
  checkMatchAction(reading, element);
  const [left, right] = readXmlExpressions(reading, listChildElements(element), 2, element) ?? [];
  return left === undefined || right === undefined
    ? undefined
    : { kind: 'comparison', operator, left, right, matchCase };
}

/** Returns only `false`, because true is the default. */
function readMatchCase(reading: XmlFilterContext, element: XmlElement): false | undefined {
  const value = attribute(element, 'matchCase')?.trim();
  if (value === undefined || value === 'true' || value === '1') return undefined;
  if (value !== 'false' && value !== '0')
    reading.report(element, `matchCase is ${quoteExcerpt(value)}, but true or false was expected`);
  return false;
}

/** matchAction applies to multi-valued attributes. Attributes are single-valued here, so all values are equivalent. */
function checkMatchAction(reading: XmlFilterContext, element: XmlElement): void {
  const value = attribute(element, 'matchAction')?.trim();
  if (value !== undefined && !['any', 'all', 'one'].includes(value.toLowerCase()))
    reading.report(element, `matchAction is ${quoteExcerpt(value)}, but Any, All or One was expected`);
}

function readLike(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const matchCase = readMatchCase(reading, element);
  const [wildCard, singleCharacter] = ['wildCard', 'singleChar'].map((name) => {
    const value = attribute(element, name);
    if (value === undefined) reading.reportMisplaced(element, `the attribute '${name}' is missing on PropertyIsLike`);
    return value;
  });
  const escapeCharacter = attribute(element, 'escape') ?? attribute(element, 'escapeChar');
  if (escapeCharacter === undefined)
    reading.report(element, "the attribute 'escape' (or 'escapeChar') is missing on PropertyIsLike");
  const [value, pattern] = readXmlExpressions(reading, listChildElements(element), 2, element) ?? [];
  if (value === undefined || pattern === undefined) return undefined;
  if (pattern.kind !== 'literal') {
    reading.report(element, 'the pattern of PropertyIsLike must be a Literal');
    return undefined;
  }
  return {
    kind: 'like',
    value,
    pattern: pattern.value,
    wildCard: wildCard ?? '*',
    singleCharacter: singleCharacter ?? '?',
    escape: escapeCharacter ?? '\\',
    matchCase,
  };
}

function readBetween(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const readBound = (name: string) => {
    const found = child(element, name);
    if (found === undefined) {
      reading.reportMisplaced(element, `${name} is missing in PropertyIsBetween`);
      return undefined;
    }
    return readXmlExpressions(reading, listChildElements(found), 1, found)?.[0];
  };
  const tested = listChildElements(element).filter(
    ({ local }) => local !== 'LowerBoundary' && local !== 'UpperBoundary',
  );
  const [value] = readXmlExpressions(reading, tested, 1, element) ?? [];
  const lower = readBound('LowerBoundary');
  const upper = readBound('UpperBoundary');
  return value === undefined || lower === undefined || upper === undefined
    ? undefined
    : { kind: 'between', value, lower, upper };
}

function readLogical(reading: XmlFilterContext, element: XmlElement, kind: 'and' | 'or'): Filter | undefined {
  const elements = listChildElements(element);
  if (elements.length < 2)
    reading.reportMisplaced(
      element,
      `${element.local} requires at least two conditions, but ${formatFoundCount(elements.length)}`,
    );
  const filters = elements.map((each) => readCondition(reading, each));
  if (!filters.every((filter) => filter !== undefined)) return undefined;
  return filters.length < 2 ? filters[0] : { kind, filters };
}

function readDistance(
  reading: XmlFilterContext,
  element: XmlElement,
  operator: 'within' | 'beyond',
): Filter | undefined {
  const parts = listChildElements(element);
  const operands = parts.filter(({ local }) => local !== 'Distance');
  const [left, right] = readXmlExpressions(reading, operands, 2, element) ?? [];
  const measure = parts.find(({ local }) => local === 'Distance');
  if (measure === undefined) {
    reading.reportMisplaced(element, `Distance is missing in ${element.local}`);
    return undefined;
  }
  const distance = readMeasure(reading, measure);
  const units = attribute(measure, 'units') ?? attribute(measure, 'unit') ?? attribute(measure, 'uom');
  return left === undefined || right === undefined || distance === undefined
    ? undefined
    : { kind: 'distance', operator, left, right, distance, units };
}

function readMeasure(reading: XmlFilterContext, element: XmlElement): number | undefined {
  const text = readElementText(element);
  const distance = parseDecimal(text);
  if (distance >= 0 && Number.isFinite(distance)) return distance;
  const found = text === '' ? 'nothing' : quoteExcerpt(text);
  reading.report(element, `${element.local} is ${found}, but a non-negative number was expected`);
  return undefined;
}

/** Without an expression the box applies to the default geometry. */
function readBoundingBox(reading: XmlFilterContext, element: XmlElement): Filter | undefined {
  const parts = listChildElements(element);
  const isBox = ({ local }: XmlElement): boolean => local === 'Box' || local === 'Envelope';
  const holder = parts.findLast(
    (each) => isBox(each) || (each.local === 'Literal' && listChildElements(each).some(isBox)),
  );
  const box = holder === undefined || isBox(holder) ? holder : listChildElements(holder)[0];
  if (box === undefined) {
    reading.reportMisplaced(element, 'BBOX requires an Envelope or a Box, but none was found');
    return undefined;
  }
  const named = parts.filter((each) => each !== holder);
  const [geometry] = readXmlExpressions(reading, named, Math.min(named.length, 1), element) ?? [];
  const bounds = readEnvelope(reading, box);
  if (bounds?.type !== 'Envelope' || (named.length > 0 && geometry === undefined)) return undefined;
  reading.locate?.(bounds, box);
  return { kind: 'boundingBox', geometry, bounds };
}

function readIdentifiers(reading: XmlFilterContext, elements: readonly XmlElement[]): Filter {
  const identifiers = elements.map((element) => {
    switch (element.local) {
      case 'FeatureId':
        return requireIdentifier(reading, element, 'fid', attribute(element, 'fid'));
      case 'ResourceId':
        return readResourceId(reading, element);
      default: {
        const id = element.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;
        if (id === undefined) reading.report(element, "the attribute 'gml:id' is missing on GmlObjectId");
        return id ?? '';
      }
    }
  });
  const filter: Filter = { kind: 'identifiers', identifiers };
  const [first] = elements;
  if (first !== undefined) reading.locate?.(filter, first);
  return filter;
}

function requireIdentifier(
  reading: XmlFilterContext,
  element: XmlElement,
  name: string,
  value: string | undefined,
): string {
  if (value === undefined) reading.reportMisplaced(element, `the attribute '${name}' is missing on ${element.local}`);
  return value ?? '';
}

/** Features have only one version. */
function readResourceId(reading: XmlFilterContext, element: XmlElement): string {
  const versioned = ['previousRid', 'version', 'startDate', 'startTime', 'endDate', 'endTime'].find(
    (name) => attribute(element, name) !== undefined,
  );
  if (versioned !== undefined)
    reading.report(
      element,
      `the attribute '${versioned}' selects a version of a feature, but versions are not supported`,
    );
  return requireIdentifier(reading, element, 'rid', attribute(element, 'rid'));
}
