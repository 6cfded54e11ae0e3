import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  evaluateExpression,
  type FeatureValues,
  type StyleValue,
  toBoolean,
} from '../../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { decodeWkt } from '../../../geometry/wkt-decode.ts';
import type { Attribute, Feature, ValueType } from '../../port/port.ts';
import { readMappingExpression } from '../mapping/expressions.ts';
import { compileExpression, type SourceValue } from './compile-expression.ts';

function value(name: string, type: ValueType): Attribute {
  return { name, nillable: true, kind: 'value', type };
}

const attributes: readonly Attribute[] = [
  value('name', 'string'),
  value('count', 'integer'),
  value('price', 'decimal'),
  value('big', 'long'),
  value('day', 'date'),
  value('at', 'timestamp'),
  value('bytes', 'bytes'),
  value('open', 'boolean'),
  { name: 'shape', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:3857' } },
];

const row: Feature = {
  id: 'rocks.7',
  values: [
    'Granite',
    3,
    '1.50',
    2n ** 60n,
    new Date('2026-05-01T00:00:00Z'),
    new Date('2026-05-01T12:30:00Z'),
    Uint8Array.of(1, 2, 3),
    true,
    decodeWkt('POINT(1 2)'),
  ],
};

function expressionOf(text: string): Expression {
  const outcome = readMappingExpression(text);
  if (outcome.kind !== 'read') throw new Error(outcome.message);
  return outcome.expression;
}

function evaluated(text: string, of: Feature = row): SourceValue {
  return compileExpression(expressionOf(text), attributes)(of);
}

/** Evaluates like styles; unknown values become null, and non-true conditions false. */
function plainly(tree: Expression, values: FeatureValues): StyleValue {
  if (tree.kind === 'arithmetic') {
    const sides = { left: plainly(tree.left, values), right: plainly(tree.right, values) };
    const [left, right] = ['left', 'right'].map((name): Expression => ({ kind: 'property', name })) as [
      Expression,
      Expression,
    ];
    return evaluateExpression({ ...tree, left, right }, sides) ?? null;
  }
  if (tree.kind !== 'function') return evaluateExpression(tree, values) ?? null;
  const inputs = tree.arguments.map((each) => plainly(each, values));
  if (tree.name === 'if_then_else') return (toBoolean(inputs[0]) === true ? inputs[1] : inputs[2]) ?? null;
  const names = inputs.map((_, index): Expression => ({ kind: 'property', name: `p${index}` }));
  const given = Object.fromEntries(inputs.map((each, index) => [`p${index}`, each]));
  return evaluateExpression({ ...tree, arguments: names }, given) ?? null;
}

describe('mapping expressions', () => {
  it.each<[string, SourceValue]>([
    ['name', 'Granite'],
    ['ro:name', 'Granite'],
    ['nothing', null],
    ["'text'", 'text'],
    ['price', 1.5],
    ['price * 2 + count', 6],
    ['price / 0', null],
    ['name + 1', null],
    ['big', '1152921504606846976'],
    ['day', '2026-05-01'],
    ['at', '2026-05-01T12:30:00Z'],
    ['bytes', 'AQID'],
    ['open', true],
    ['getId()', 'rocks.7'],
    ["strConcat('#', getId())", '#rocks.7'],
    ["Concatenate(name, '/', count, '/', price)", 'Granite/3/1.5'],
    ["strConcat(nothing, 'x')", 'x'],
    ["if_then_else(greaterThan(count, 2), 'many', 'few')", 'many'],
    ["if_then_else(isNull(nothing), 'none', 'some')", 'none'],
    ["if_then_else(equalTo(name, 'Schist'), 'yes', 'no')", 'no'],
    ["if_then_else(in2(name, 'Schist', 'Granite'), 'yes', 'no')", 'yes'],
    ['isNull(name)', false],
    ['isNull(shape)', false],
    ["coalesce(nothing, name, 'x')", 'Granite'],
    ["Recode(count, 1, 'one', 3, 'three')", 'three'],
    ["Recode(name, 'a', 'b')", null],
    ["Recode(name, 'Granite', toXlinkHref('urn:g'))", { kind: 'reference', href: 'urn:g' }],
    ["Recode(nothing, 'a', 'b', Expression.Nil, 'none')", 'none'],
    ['if_then_else(isNull(name), name, Expression.NIL)', null],
    ["Categorize(price, 'low', 1, 'middle', 2, 'high')", 'middle'],
    ['strToUpperCase(strSubstring(name, 0, 4))', 'GRAN'],
    ['strSubstring(name, 5, 99)', null],
    ["strTrim('  a ')", 'a'],
    ["strReplace(name, 'an', 'o', true)", 'Groite'],
    ["strReplace(name, '[aeiou]', '_', true)", 'Gr_n_t_'],
    ["strReplace(name, '[aeiou]', '_', false)", 'Gr_nite'],
    ["strReplace(name, '[aeiou]', '_')", 'Gr_nite'],
    ["strReplace(name, '(.)(n)', '$2\\$$1', true)", 'Grn$aite'],
    ["strReplace('a.b.c', '\\.', '', true)", 'abc'],
    ["strReplace('abc', 'x*', '-', true)", '-a-b-c-'],
    ["strReplace(nothing, 'a', 'b', true)", null],
    ["strReplace(name, strConcat('a', 'n'), 'o', true)", 'Groite'],
    ['toWKT(shape)', 'POINT (1 2)'],
    ['toWKT(name)', null],
    ["strConcat('at ', shape)", 'at POINT (1 2)'],
    ["toXlinkHref(strConcat('urn:', name))", { kind: 'reference', href: 'urn:Granite' }],
    ['toXlinkHref(nothing)', null],
    ['toDirectPosition(count, price)', { kind: 'position', positions: [[3, 1.5]] }],
    ["toDirectPosition('SRS_NAME', 'EPSG:5714', count)", { kind: 'position', positions: [[3]], srsName: 'EPSG:5714' }],
    ['toEnvelope(1, count)', { kind: 'envelope', positions: [[1], [3]] }],
    ["toEnvelope(1, count, 'EPSG:5714')", { kind: 'envelope', positions: [[1], [3]], srsName: 'EPSG:5714' }],
    [
      'toEnvelope(1, 2, 3, 4)',
      {
        kind: 'envelope',
        positions: [
          [1, 3],
          [2, 4],
        ],
      },
    ],
    [
      "toEnvelope(1, 2, 3, 4, 'EPSG:4326')",
      {
        kind: 'envelope',
        positions: [
          [1, 3],
          [2, 4],
        ],
        srsName: 'EPSG:4326',
      },
    ],
    ["toLineString('SRS_NAME', 'EPSG:5714', 0, count)", { kind: 'line', positions: [[0], [3]], srsName: 'EPSG:5714' }],
    ['toLineString(0, nothing)', null],
    [
      "toPoint('SRS_NAME', 'EPSG:4326', 1, 2, strConcat('p.', count))",
      { kind: 'geometry', geometry: decodeWkt('POINT(1 2)'), srsName: 'EPSG:4326', id: 'p.3' },
    ],
    ['toPoint(1, 2)', { kind: 'geometry', geometry: decodeWkt('POINT(1 2)') }],
    ['shape', { kind: 'geometry', geometry: decodeWkt('POINT(1 2)'), srsName: 'EPSG:3857' }],
    ["if_then_else(open, shape, 'x')", { kind: 'geometry', geometry: decodeWkt('POINT(1 2)'), srsName: 'EPSG:3857' }],
  ])('evaluates %s to %j', (text, expected) => {
    expect(evaluated(text)).toEqual(expected);
  });

  it('returns the first value or all values of a path into a document', () => {
    const document = {
      first: (path: string) => `first ${path}`,
      all: (path: string) => [path, 2],
      nested: () => [],
    };
    const of = { id: 'd', values: [], document };

    expect(evaluated("jsonSelect('a.b')", of)).toBe('first a.b');
    expect(evaluated("jsonSelectAll('a.b')", of)).toEqual(['a.b', 2]);
    expect(evaluated('whatever', of)).toBe('first whatever');
  });

  it('gives the same text and number results as style expressions', () => {
    const texts = fc.constantFrom('', '1', '2.5', 'granite', 'Schist', ' ', 'true', "it's");
    const leaf: fc.Arbitrary<Expression> = fc.oneof(
      texts.map((text) => ({ kind: 'literal', value: text }) as const),
      fc.constantFrom('name', 'count', 'none', 'ro:name', 'open').map((name) => ({ kind: 'property', name }) as const),
    );
    const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.record({
          kind: fc.constant('arithmetic' as const),
          operator: fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const, 'divide' as const),
          left: tie('expression'),
          right: tie('expression'),
        }),
        fc
          .tuple(
            fc.constantFrom(
              'strConcat',
              'Concatenate',
              'if_then_else',
              'isNull',
              'Recode',
              'Categorize',
              'coalesce',
              'equalTo',
              'lessThan',
              'strToUpperCase',
              'strLength',
              'strTrim',
              'not',
              'max',
              'abs',
              'in3',
            ),
            fc.array(tie('expression'), { minLength: 3, maxLength: 5 }),
          )
          .map(([name, inputs]) => ({ kind: 'function', name, arguments: inputs }) as const),
      ),
    }));
    const rows = fc.record({
      name: fc.option(texts),
      count: fc.option(fc.integer()),
      open: fc.option(fc.boolean()),
    });

    fc.assert(
      fc.property(expression, rows, (tree, values) => {
        const of: Feature = {
          id: 'x',
          values: attributes.map(({ name }) => values[name as keyof typeof values] ?? null),
        };

        expect(compileExpression(tree, attributes)(of)).toEqual(plainly(tree, values));
      }),
      { numRuns: 2_000 },
    );
  });
});
