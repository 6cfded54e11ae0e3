/** Random filters. */
import fc from 'fast-check';
import type { Filter } from '../../../src/styling/model/model.ts';
import { element, envelope } from './expressions.ts';
import { anyText, nonNegative, word } from './texts.ts';

const matchCase = fc.constantFrom(undefined, false as const);

const operand = element;

const oneIdentifier = fc.record({
  kind: fc.constant('identifiers' as const),
  identifiers: fc.array(anyText, { minLength: 1, maxLength: 1 }),
});

const condition: fc.Arbitrary<Filter> = fc.letrec<{ condition: Filter }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'filter' },
    fc.record({
      kind: fc.constant('comparison' as const),
      operator: fc.constantFrom(
        'equal' as const,
        'notEqual' as const,
        'less' as const,
        'lessOrEqual' as const,
        'greater' as const,
        'greaterOrEqual' as const,
      ),
      left: operand,
      right: operand,
      matchCase,
    }),
    fc.record({
      kind: fc.constant('like' as const),
      value: operand,
      pattern: anyText,
      wildCard: fc.constantFrom('*', '%'),
      singleCharacter: fc.constantFrom('.', '_', '#'),
      escape: fc.constantFrom('!', '\\'),
      matchCase,
    }),
    fc.record({ kind: fc.constant('isNull' as const), value: operand }),
    fc.record({ kind: fc.constant('between' as const), value: operand, lower: operand, upper: operand }),
    fc.record({
      kind: fc.constant('spatial' as const),
      operator: fc.constantFrom(
        'equals' as const,
        'disjoint' as const,
        'touches' as const,
        'within' as const,
        'overlaps' as const,
        'crosses' as const,
        'intersects' as const,
        'contains' as const,
      ),
      left: operand,
      right: operand,
    }),
    fc.record({
      kind: fc.constant('distance' as const),
      operator: fc.constantFrom('within' as const, 'beyond' as const),
      left: operand,
      right: operand,
      distance: nonNegative,
      units: fc.constantFrom(undefined, 'metre'),
    }),
    fc.record({
      kind: fc.constant('boundingBox' as const),
      geometry: fc.option(
        word.map((name) => ({ kind: 'property' as const, name })),
        { nil: undefined },
      ),
      bounds: envelope,
    }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), filter: tie('condition') }),
    fc.record({ kind: fc.constant('not' as const), filter: oneIdentifier }),
  ),
})).condition;

export const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 5, arbitrary: condition },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('identifiers' as const),
      identifiers: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    }),
  },
);
