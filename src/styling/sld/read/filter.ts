/** Reads filters. */

import type { ComparisonOperator, Filter, SpatialOperator } from '../../../data/filter/filter.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import { readNumber } from './common-parts.ts';
import { attribute, child, childElements } from './elements.ts';
import { readExpression, readExpressions, readOnlyExpression } from './expression.ts';
import { readEnvelope } from './geometry.ts';
import type { Reading } from './reading.ts';
import { nonNegativeNumber } from './values.ts';

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

/** Reads a `Filter` element: one condition, or identifiers. */
export function readFilter(reading: Reading, element: XmlElement): Filter | undefined {
  const parts = childElements(element);
  const identifiers = parts.filter(({ local }) => local === 'FeatureId' || local === 'GmlObjectId');
  if (identifiers.length > 0 && identifiers.length === parts.length) return readIdentifiers(reading, identifiers);
  if (parts.length > 1) {
    const conditions = parts.length === identifiers.length ? '' : ', or only identifiers,';
    reading.complaints.add(
      parts[1] ?? element,
      `a Filter holds one condition${conditions} but ${parts.length} were found. Several are joined by And or Or`,
    );
  }
  const read = parts.map((each) => readCondition(reading, each));
  return read[0];
}

function readCondition(reading: Reading, element: XmlElement): Filter | undefined {
  const { local } = element;
  const comparison = comparisonOperators[local];
  if (comparison !== undefined) return readComparison(reading, element, comparison);
  const spatial = spatialOperators[local];
  if (spatial !== undefined) {
    const [left, right] = readExpressions(reading, element) ?? [];
    return left === undefined || right === undefined ? undefined : { kind: 'spatial', operator: spatial, left, right };
  }
  switch (local) {
    case 'PropertyIsLike':
      return readLike(reading, element);
    case 'PropertyIsNull': {
      const value = readOnlyExpression(reading, element);
      return value === undefined ? undefined : { kind: 'isNull', value };
    }
    case 'PropertyIsBetween':
      return readBetween(reading, element);
    case 'And':
      return readLogical(reading, element, 'and');
    case 'Or':
      return readLogical(reading, element, 'or');
    case 'Not': {
      const [inner] = childElements(element);
      const filter = inner === undefined ? undefined : readCondition(reading, inner);
      return filter === undefined ? undefined : { kind: 'not', filter };
    }
    case 'DWithin':
      return readDistance(reading, element, 'within');
    case 'Beyond':
      return readDistance(reading, element, 'beyond');
    case 'BBOX':
      return readBoundingBox(reading, element);
    case 'FeatureId':
    case 'GmlObjectId':
      return readIdentifiers(reading, [element]);
    default:
      return undefined;
  }
}

function readComparison(reading: Reading, element: XmlElement, operator: ComparisonOperator): Filter | undefined {
  const matchCase = readMatchCase(reading, element);
  const [left, right] = readExpressions(reading, element) ?? [];
  return left === undefined || right === undefined
    ? undefined
    : { kind: 'comparison', operator, left, right, matchCase };
}

/** Only `false` says something: true is the default. */
function readMatchCase(reading: Reading, element: XmlElement): false | undefined {
  const value = attribute(element, 'matchCase')?.trim();
  if (value === undefined || value === 'true' || value === '1') return undefined;
  if (value !== 'false' && value !== '0')
    reading.complaints.add(element, `matchCase is ${quoted(value)}, but true or false was expected`);
  return false;
}

function readLike(reading: Reading, element: XmlElement): Filter | undefined {
  const matchCase = readMatchCase(reading, element);
  const wildCard = attribute(element, 'wildCard') ?? '';
  const singleCharacter = attribute(element, 'singleChar') ?? '';
  const escapeCharacter = attribute(element, 'escape') ?? attribute(element, 'escapeChar');
  if (escapeCharacter === undefined)
    reading.complaints.add(element, "the attribute 'escape' (or 'escapeChar') is missing on PropertyIsLike");
  const [value, pattern] = readExpressions(reading, element) ?? [];
  if (value === undefined || pattern === undefined) return undefined;
  if (pattern.kind !== 'literal') {
    reading.complaints.add(element, 'the pattern of PropertyIsLike must be a Literal');
    return undefined;
  }
  return {
    kind: 'like',
    value,
    pattern: pattern.value,
    wildCard,
    singleCharacter,
    escape: escapeCharacter ?? '',
    matchCase,
  };
}

function readBetween(reading: Reading, element: XmlElement): Filter | undefined {
  const bound = (name: string) => {
    const found = child(element, name);
    return found === undefined ? undefined : readOnlyExpression(reading, found);
  };
  const tested = childElements(element).find(({ local }) => local !== 'LowerBoundary' && local !== 'UpperBoundary');
  const value = tested === undefined ? undefined : readExpression(reading, tested);
  const lower = bound('LowerBoundary');
  const upper = bound('UpperBoundary');
  return value === undefined || lower === undefined || upper === undefined
    ? undefined
    : { kind: 'between', value, lower, upper };
}

function readLogical(reading: Reading, element: XmlElement, kind: 'and' | 'or'): Filter | undefined {
  const filters = childElements(element).map((each) => readCondition(reading, each));
  return filters.every((filter) => filter !== undefined) ? { kind, filters } : undefined;
}

function readDistance(reading: Reading, element: XmlElement, operator: 'within' | 'beyond'): Filter | undefined {
  const parts = childElements(element);
  const [left, right] = parts.filter(({ local }) => local !== 'Distance').map((each) => readExpression(reading, each));
  const measure = parts.find(({ local }) => local === 'Distance');
  if (measure === undefined) return undefined;
  const distance = readNumber(reading, measure, nonNegativeNumber);
  const units = attribute(measure, 'units') ?? attribute(measure, 'unit') ?? attribute(measure, 'uom');
  return left === undefined || right === undefined || distance === undefined
    ? undefined
    : { kind: 'distance', operator, left, right, distance, units };
}

function readBoundingBox(reading: Reading, element: XmlElement): Filter | undefined {
  const parts = childElements(element);
  const box = parts.find(({ local }) => local === 'Box' || local === 'Envelope');
  const named = parts.find((each) => each !== box);
  const geometry = named === undefined ? undefined : readExpression(reading, named);
  const bounds = box === undefined ? undefined : readEnvelope(reading, box, attribute(box, 'srsName'));
  return bounds?.type === 'Envelope' ? { kind: 'boundingBox', geometry, bounds } : undefined;
}

function readIdentifiers(reading: Reading, elements: readonly XmlElement[]): Filter {
  const identifiers = elements.map((element) => {
    const id =
      attribute(element, 'fid') ?? element.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;
    if (id === undefined && element.local === 'GmlObjectId')
      reading.complaints.add(element, "the attribute 'gml:id' is missing on GmlObjectId");
    return id ?? '';
  });
  return { kind: 'identifiers', identifiers };
}
