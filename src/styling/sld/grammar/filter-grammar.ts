/** The content of filters and expressions, which both versions share except for the function elements. */
import { type Content, elements, elementsWith, one, type Step, text } from './content.ts';
import { commonExpressions, comparisons, conditions, geometries, identifiers, spatialOperators } from './names.ts';

/** Returns the grammar of filters with the expressions of a version. */
export function createFilterGrammar(expressions: readonly string[]): readonly (readonly [string, Content])[] {
  const createOperands = (count: number): Step => ({
    names: expressions,
    repeated: true,
    atLeast: count,
    atMost: count,
    called: count === 1 ? 'an expression' : 'expressions',
  });
  // The schemas require a property name and then a geometry, but functions on either side are common.
  const createSpatialOperands = (count: number): Step => ({
    names: [...expressions, ...geometries],
    repeated: true,
    atLeast: count,
    atMost: count,
    called: 'expressions or geometries',
  });
  const comparison = elementsWith({ matchCase: 'optional', matchAction: 'optional' }, createOperands(2));
  const arithmetic = elements(createOperands(2));
  const createCondition = (atLeast: number, atMost?: number): Content =>
    // The schemas allow identifiers only without other conditions, but programs combine them.
    elements({
      names: [...conditions, ...identifiers],
      repeated: true,
      atLeast,
      ...(atMost === undefined ? {} : { atMost }),
      called: atLeast === 1 ? 'a condition' : 'or more conditions',
    });
  const distance = elements(createSpatialOperands(2), one('Distance'));

  return [
    // Some programs write an empty filter for no condition.
    ['Filter', elements({ names: [...conditions, ...identifiers], repeated: true, called: 'a condition' })],
    ['ElseFilter', elements()],
    ...comparisons.map((name) => [name, comparison] as const),
    [
      'PropertyIsLike',
      elementsWith(
        {
          wildCard: 'required',
          singleChar: 'required',
          escape: 'optional',
          escapeChar: 'optional',
          matchCase: 'optional',
        },
        createOperands(2),
      ),
    ],
    ['PropertyIsNull', elements(createOperands(1))],
    ['PropertyIsBetween', elements(createOperands(1), one('LowerBoundary'), one('UpperBoundary'))],
    ['LowerBoundary', elements(createOperands(1))],
    ['UpperBoundary', elements(createOperands(1))],
    ...spatialOperators.map((name) => [name, elements(createSpatialOperands(2))] as const),
    ['DWithin', distance],
    ['Beyond', distance],
    ['Distance', { kind: 'text', attributes: { units: 'optional', unit: 'optional', uom: 'optional' } }],
    [
      'BBOX',
      elements(
        { names: expressions, repeated: true, atMost: 1, called: 'an expression' },
        { names: ['Box', 'Envelope'], choice: true, atLeast: 1 },
      ),
    ],
    ['And', createCondition(2)],
    ['Or', createCondition(2)],
    ['Not', createCondition(1, 1)],
    ['FeatureId', elementsWith({ fid: 'required' })],
    ['GmlObjectId', elements()],
    ['Literal', { kind: 'any', attributes: { type: 'optional' } }],
    ['PropertyName', text],
    [
      'Function',
      elementsWith(
        { name: 'required', fallbackValue: 'optional' },
        { names: [...expressions, ...geometries], repeated: true, called: 'expressions' },
      ),
    ],
    ...commonExpressions.slice(3).map((name) => [name, arithmetic] as const),
    ...geometries.map((name) => [name, { kind: 'any', attributes: gmlAttributes } as const] as const),
  ];
}

const gmlAttributes = {
  srsName: 'optional',
  srsDimension: 'optional',
  dimension: 'optional',
  axisLabels: 'optional',
  uomLabels: 'optional',
  gid: 'optional',
  id: 'optional',
} as const;
