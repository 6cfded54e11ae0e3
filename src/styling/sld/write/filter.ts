/** Writes filters. */
import type { ComparisonOperator, Filter, SpatialOperator } from '../../../data/filter/filter.ts';
import { expandFilter } from '../../../data/filter/spell-out.ts';
import { writeExpression, writeOperand } from './expression.ts';
import { writeGeometry } from './geometry.ts';
import { element, type OutputElement, textElement } from './output.ts';
import type { Writing } from './writing.ts';

const comparisonNames: Readonly<Record<ComparisonOperator, string>> = {
  equal: 'ogc:PropertyIsEqualTo',
  notEqual: 'ogc:PropertyIsNotEqualTo',
  less: 'ogc:PropertyIsLessThan',
  lessOrEqual: 'ogc:PropertyIsLessThanOrEqualTo',
  greater: 'ogc:PropertyIsGreaterThan',
  greaterOrEqual: 'ogc:PropertyIsGreaterThanOrEqualTo',
};

const spatialNames: Readonly<Record<SpatialOperator, string>> = {
  equals: 'ogc:Equals',
  disjoint: 'ogc:Disjoint',
  touches: 'ogc:Touches',
  within: 'ogc:Within',
  overlaps: 'ogc:Overlaps',
  crosses: 'ogc:Crosses',
  intersects: 'ogc:Intersects',
  contains: 'ogc:Contains',
};

export function writeFilter(writing: Writing, filter: Filter): OutputElement {
  const content =
    filter.kind === 'identifiers' ? filter.identifiers.map(writeIdentifier) : [writeCondition(writing, filter)];
  return element('ogc:Filter', content);
}

function writeIdentifier(fid: string): OutputElement {
  return element('ogc:FeatureId', [], { fid });
}

function writeCondition(writing: Writing, filter: Filter): OutputElement {
  switch (filter.kind) {
    case 'comparison':
      return element(
        comparisonNames[filter.operator],
        [writeExpression(writing, filter.left), writeExpression(writing, filter.right)],
        { matchCase: filter.matchCase === false ? 'false' : undefined },
      );
    case 'like':
      return element(
        'ogc:PropertyIsLike',
        [writeExpression(writing, filter.value), writeExpression(writing, { kind: 'literal', value: filter.pattern })],
        {
          wildCard: filter.wildCard,
          singleChar: filter.singleCharacter,
          [writing.isSymbologyEncoding ? 'escapeChar' : 'escape']: filter.escape,
          matchCase: filter.matchCase === false ? 'false' : undefined,
        },
      );
    case 'isNull':
      return element('ogc:PropertyIsNull', [writeExpression(writing, filter.value)]);
    case 'between':
      return element('ogc:PropertyIsBetween', [
        writeExpression(writing, filter.value),
        element('ogc:LowerBoundary', [writeExpression(writing, filter.lower)]),
        element('ogc:UpperBoundary', [writeExpression(writing, filter.upper)]),
      ]);
    case 'and':
    case 'or':
      return writeLogical(
        writing,
        filter.kind,
        filter.filters.map((each) => writeCondition(writing, each)),
      );
    case 'not':
      return element('ogc:Not', [writeCondition(writing, filter.filter)]);
    case 'membership':
    case 'temporal':
    case 'exists':
    case 'relate':
      return writeCondition(writing, expandFilter(filter));
    case 'spatial':
      return element(spatialNames[filter.operator], [
        writeOperand(writing, filter.left),
        writeOperand(writing, filter.right),
      ]);
    case 'distance':
      return element(filter.operator === 'within' ? 'ogc:DWithin' : 'ogc:Beyond', [
        writeOperand(writing, filter.left),
        writeOperand(writing, filter.right),
        textElement('ogc:Distance', String(filter.distance), { units: filter.units }),
      ]);
    case 'boundingBox':
      return element('ogc:BBOX', [
        filter.geometry && writeExpression(writing, filter.geometry),
        writeGeometry(writing, filter.bounds),
      ]);
    case 'identifiers':
      return writeLogical(writing, 'or', filter.identifiers.map(writeIdentifier));
  }
}

/** One condition needs no joining, which the schemas have for two and more only. */
function writeLogical(writing: Writing, kind: 'and' | 'or', conditions: readonly OutputElement[]): OutputElement {
  const [first, second] = conditions;
  if (first === undefined) writing.lose(`an '${kind}' of no conditions`);
  return first !== undefined && second === undefined
    ? first
    : element(kind === 'and' ? 'ogc:And' : 'ogc:Or', conditions);
}
