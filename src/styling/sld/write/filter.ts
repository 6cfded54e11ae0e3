/** Writes filters. */

import { expandFilter } from '../../../filter/model/expand-filter.ts';
import type { ComparisonOperator, Filter, SpatialOperator } from '../../../filter/model/filter.ts';
import { writeExpression, writeOperand } from './expression.ts';
import { writeGeometry } from './geometry.ts';
import { createElement, createTextElement, type OutputElement } from './output.ts';
import type { SldWriteContext } from './write-context.ts';

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

export function writeFilter(writing: SldWriteContext, filter: Filter): OutputElement {
  const content =
    filter.kind === 'identifiers' ? filter.identifiers.map(writeIdentifier) : [writeCondition(writing, filter)];
  return createElement('ogc:Filter', content);
}

function writeIdentifier(fid: string): OutputElement {
  return createElement('ogc:FeatureId', [], { fid });
}

function writeCondition(writing: SldWriteContext, filter: Filter): OutputElement {
  switch (filter.kind) {
    case 'comparison':
      return createElement(
        comparisonNames[filter.operator],
        [writeExpression(writing, filter.left), writeExpression(writing, filter.right)],
        { matchCase: filter.matchCase === false ? 'false' : undefined },
      );
    case 'like':
      return createElement(
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
      return createElement('ogc:PropertyIsNull', [writeExpression(writing, filter.value)]);
    case 'between':
      return createElement('ogc:PropertyIsBetween', [
        writeExpression(writing, filter.value),
        createElement('ogc:LowerBoundary', [writeExpression(writing, filter.lower)]),
        createElement('ogc:UpperBoundary', [writeExpression(writing, filter.upper)]),
      ]);
    case 'and':
    case 'or':
      return writeLogical(
        writing,
        filter.kind,
        filter.filters.map((each) => writeCondition(writing, each)),
      );
    case 'not':
      return createElement('ogc:Not', [writeCondition(writing, filter.filter)]);
    case 'membership':
    case 'temporal':
    case 'exists':
    case 'relate':
      return writeCondition(writing, expandFilter(filter));
    case 'spatial':
      return createElement(spatialNames[filter.operator], [
        writeOperand(writing, filter.left),
        writeOperand(writing, filter.right),
      ]);
    case 'distance':
      return createElement(filter.operator === 'within' ? 'ogc:DWithin' : 'ogc:Beyond', [
        writeOperand(writing, filter.left),
        writeOperand(writing, filter.right),
        createTextElement('ogc:Distance', String(filter.distance), { units: filter.units }),
      ]);
    case 'boundingBox':
      return createElement('ogc:BBOX', [
        filter.geometry && writeExpression(writing, filter.geometry),
        writeGeometry(writing, filter.bounds),
      ]);
    case 'identifiers':
      return writeLogical(writing, 'or', filter.identifiers.map(writeIdentifier));
  }
}

/** A single condition is written without an operator, because the schemas require two or more. */
function writeLogical(
  writing: SldWriteContext,
  kind: 'and' | 'or',
  conditions: readonly OutputElement[],
): OutputElement {
  const [first, second] = conditions;
  if (first === undefined) writing.reportLoss(`'${kind}' without conditions`);
  return first !== undefined && second === undefined
    ? first
    : createElement(kind === 'and' ? 'ogc:And' : 'ogc:Or', conditions);
}
