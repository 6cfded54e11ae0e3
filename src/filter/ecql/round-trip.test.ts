import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateExpression } from '../evaluate/evaluate.ts';
import type { Expression } from '../model/expression.ts';
import type { Filter } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { readEcqlExpression, readEcqlFilter, writeEcqlExpression, writeEcqlFilter } from './ecql.ts';

const name = fc.constantFrom('a', 'pop', 'state name', 'IN', 'x"y', 'é.b', 'topp:c');
const text = fc.constantFrom('', '5', '-1.5', "it's", 'x y', 'AND', '#FF0000', '1e5', 'true');
const expression: fc.Arbitrary<Expression> = fc.letrec<{ value: Expression }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    name.map((each): Expression => ({ kind: 'property', name: each })),
    text.map(createLiteral),
    fc.record({
      kind: fc.constant('arithmetic' as const),
      operator: fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const, 'divide' as const),
      left: tie('value'),
      right: tie('value'),
    }),
    fc.record({
      kind: fc.constant('function' as const),
      name: fc.constantFrom('strConcat', 'max', 'ns:f', 'odd name'),
      arguments: fc.array(tie('value'), { maxLength: 3 }),
    }),
    fc.constant<Expression>({
      kind: 'geometry',
      type: 'LineString',
      srsName: 'EPSG:4326',
      coordinates: [
        [1, -2],
        [0.5, 3],
      ],
    }),
  ),
})).value;

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    kind: fc.constant('comparison' as const),
    operator: fc.constantFrom('equal' as const, 'notEqual' as const, 'less' as const, 'greaterOrEqual' as const),
    left: expression,
    right: expression,
  }),
  fc.record({ kind: fc.constant('isNull' as const), value: expression }),
  fc.record({ kind: fc.constant('between' as const), value: expression, lower: expression, upper: expression }),
  fc.record({
    kind: fc.constant('like' as const),
    value: expression,
    pattern: text,
    wildCard: fc.constant('%'),
    singleCharacter: fc.constant('_'),
    escape: fc.constant('\\'),
  }),
  fc.record({
    kind: fc.constant('spatial' as const),
    operator: fc.constantFrom('within' as const, 'equals' as const),
    left: expression,
    right: expression,
  }),
  fc.record({
    kind: fc.constant('membership' as const),
    value: expression,
    list: fc.array(expression, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('temporal' as const),
    operator: fc.constantFrom('before' as const, 'after' as const, 'tequals' as const),
    value: expression,
    time: expression,
  }),
  fc.record({
    kind: fc.constant('temporal' as const),
    operator: fc.constantFrom(
      'before' as const,
      'after' as const,
      'during' as const,
      'beforeOrDuring' as const,
      'duringOrAfter' as const,
    ),
    value: expression,
    time: fc.constantFrom(
      { kind: 'period' as const, start: '2008-11-01', end: '2008-11-02T10:00:00.5Z' },
      { kind: 'period' as const, start: 'P1Y2M3DT4H5M6S', end: '2008-11-02T10:00:00+01:00' },
      { kind: 'period' as const, start: '2008-11-02T10:00Z', end: 'PT36H' },
    ),
  }),
  fc.record({
    kind: fc.constant('exists' as const),
    property: name.map((each) => ({ kind: 'property' as const, name: each })),
  }),
  fc.record({
    kind: fc.constant('relate' as const),
    left: expression,
    right: expression,
    pattern: fc.constantFrom('T*F**F***', '012TF*012'),
  }),
  fc.record({ kind: fc.constant('identifiers' as const), identifiers: fc.array(text, { minLength: 1, maxLength: 2 }) }),
);

const or: fc.Arbitrary<Filter> = fc.record({
  kind: fc.constant('or' as const),
  filters: fc.array(leaf, { minLength: 2, maxLength: 3 }),
});
const not: fc.Arbitrary<Filter> = fc.record({ kind: fc.constant('not' as const), filter: fc.oneof(leaf, or) });
const and: fc.Arbitrary<Filter> = fc.record({
  kind: fc.constant('and' as const),
  filters: fc.array(fc.oneof(leaf, or, not), { minLength: 2, maxLength: 3 }),
});

test('a written filter is read back as the same filter', () => {
  fc.assert(
    fc.property(fc.oneof(leaf, or, not, and), (filter) => {
      expect(readEcqlFilter(writeEcqlFilter(filter))).toEqual({ kind: 'read', value: filter });
    }),
  );
});

test('a written value is read back as the same value', () => {
  fc.assert(
    fc.property(expression, (written) => {
      expect(readEcqlExpression(writeEcqlExpression(written))).toEqual({ kind: 'read', value: written });
    }),
  );
});

test('arbitrary text is read or rejected', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '(',
    ')',
    '=',
    "'",
    '"',
    ',',
    '1',
    'NOT',
    'AND',
    'IN',
    'DURING',
    'BEFORE',
    'EXISTS',
    'P1D',
    '/',
    '[',
    'POINT',
    '-',
    '@sd',
    'é',
    '\u0000',
    '2020-01-01',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const outcome = readEcqlExpression(pieces.join(''));
      if (outcome.kind === 'read') expect(() => evaluateExpression(outcome.value, {})).not.toThrow();
      expect(['read', 'refused']).toContain(readEcqlFilter(pieces.join('')).kind);
    }),
    { numRuns: 500 },
  );
});
