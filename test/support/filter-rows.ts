/** Rows with all value types and random filters on them, for tests that a filter is equivalent in every source. */
import fc from 'fast-check';
import type { Expression } from '../../src/filter/model/expression.ts';
import type { Filter, Period, TemporalOperator } from '../../src/filter/model/filter.ts';
import type { GeometryLiteral, Position } from '../../src/filter/model/geometry-literal.ts';
import type { Schema } from '../../src/filter/model/schema.ts';
import type { RowAccess } from '../../src/filter/predicate/predicate.ts';
import { resolveGeometry } from '../../src/filter/resolve/geometry.ts';
import type { Geometry } from '../../src/geometry/geometry.ts';

export const rowSchema: Schema = {
  attributes: [
    { name: 'name', type: 'text' },
    { name: 'code', type: 'text' },
    { name: 'pop', type: 'number' },
    { name: 'area', type: 'number' },
    { name: 'open', type: 'boolean' },
    { name: 'time', type: 'instant' },
    { name: 'until', type: 'instant' },
    { name: 'geom', type: 'geometry', crs: 'EPSG:4326', metresPerUnit: 100_000 },
    { name: 'photo', type: 'bytes' },
  ],
};

export interface TestRow {
  readonly id: number;
  readonly name: string | null;
  readonly code: string | null;
  readonly pop: number | bigint | null;
  readonly area: number | null;
  readonly open: boolean | null;
  readonly time: number | null;
  readonly until: number | null;
  readonly geom: Geometry | null;
}

export const testRowAccess: RowAccess<TestRow> = {
  value: (row, attribute) => row[attribute as keyof TestRow],
  identifier: ({ id }) => `rows.${id}`,
};

const texts = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b_c',
  'b%c',
  '[ab]',
  '*?',
  'é',
  'É',
  'ß',
  'SS',
  'Straße',
  'STRASSE',
  'ſ',
  'ς',
  'Σ',
  'ﬁ',
  'FI',
  'İ',
  'K',
  'k',
  'I',
  'ı',
  '10',
  '9',
  '\u{1f30d}',
  '\ue000',
  "it's",
  'a\\b',
];
const numbers = ['-1', '0', '0.5', '1', '2', '10', '1e300', '9007199254740993', '-0.1'];
const moments = [
  '2020-01-01',
  '2020-01-31T12:00:00Z',
  '2020-02-01T00:00:00.001Z',
  '2020-02-01',
  '2020-12-31T23:59:59+05:00',
];

const point = (x: number, y: number): GeometryLiteral => ({ kind: 'geometry', type: 'Point', coordinates: [x, y] });
const ring = (x: number, y: number, size: number): readonly Position[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];
const square = (x: number, y: number, size: number): GeometryLiteral => ({
  kind: 'geometry',
  type: 'Polygon',
  coordinates: [ring(x, y, size)],
});

const ordinate = fc.integer({ min: 0, max: 5 });
const size = fc.integer({ min: 1, max: 4 });

const plainGeometry: fc.Arbitrary<GeometryLiteral> = fc.oneof(
  fc.tuple(ordinate, ordinate).map(([x, y]) => point(x, y)),
  fc.tuple(ordinate, ordinate, size).map(([x, y, side]) => square(x, y, side)),
  fc.tuple(ordinate, ordinate, size, size).map(
    ([x, y, width, height]): GeometryLiteral => ({
      kind: 'geometry',
      type: 'LineString',
      coordinates: [
        [x, y],
        [x + width, y + height],
        [x + width, y],
      ],
    }),
  ),
  fc.tuple(ordinate, ordinate, size).map(
    ([x, y, side]): GeometryLiteral => ({
      kind: 'geometry',
      type: 'Polygon',
      coordinates: [
        [
          [x, y],
          [x + side, y],
          [x, y + side],
          [x, y],
        ],
      ],
    }),
  ),
  fc.tuple(ordinate, ordinate).map(
    ([x, y]): GeometryLiteral => ({
      kind: 'geometry',
      type: 'Polygon',
      coordinates: [ring(x, y, 4), ring(x + 1, y + 1, 1)],
    }),
  ),
  fc
    .tuple(ordinate, ordinate)
    .map(
      ([x, y]): GeometryLiteral => ({ kind: 'geometry', type: 'MultiPoint', members: [point(x, y), point(x + 2, y)] }),
    ),
  fc.tuple(ordinate, ordinate).map(
    ([x, y]): GeometryLiteral => ({
      kind: 'geometry',
      type: 'MultiPolygon',
      members: [square(x, y, 1), square(x + 2, y + 2, 2)],
    }),
  ),
  fc.tuple(ordinate, ordinate, ordinate, ordinate).map(
    ([x, y, width, height]): GeometryLiteral => ({
      kind: 'geometry',
      type: 'Envelope',
      coordinates: [
        [x, y],
        [x + width, y + height],
      ],
    }),
  ),
);

const anyGeometry: fc.Arbitrary<GeometryLiteral> = fc.oneof(
  { weight: 9, arbitrary: plainGeometry },
  {
    weight: 1,
    arbitrary: fc.tuple(ordinate, ordinate).map(
      ([x, y]): GeometryLiteral => ({
        kind: 'geometry',
        type: 'GeometryCollection',
        members: [point(x, y), square(x + 1, y, 2)],
      }),
    ),
  },
);

const empty: Geometry = { type: 'MultiPolygon', dimension: 'XY', ordinates: new Float64Array(), ends: [], parts: [] };

export const testRows: fc.Arbitrary<readonly TestRow[]> = fc
  .array(
    fc.record({
      name: fc.option(fc.constantFrom(...texts)),
      code: fc.option(fc.constantFrom(...texts)),
      pop: fc.option(fc.constantFrom<number | bigint>(-1, 0, 1, 2, 9, 10, 9007199254740992n, 9007199254740993n)),
      area: fc.option(fc.constantFrom(-0.1, 0, 0.5, 1, 2, 1e300, -1e300)),
      open: fc.option(fc.boolean()),
      time: fc.option(fc.constantFrom(...moments.map((each) => Date.parse(each)))),
      until: fc.option(fc.constantFrom(...moments.map((each) => Date.parse(each)))),
      geom: fc.option(
        fc.oneof(
          { weight: 19, arbitrary: anyGeometry.map((each) => toGeometry(each)) },
          { weight: 1, arbitrary: fc.constant(empty) },
        ),
      ),
    }),
    { minLength: 10, maxLength: 25 },
  )
  .map((rows) => rows.map((row, index) => ({ id: index + 1, ...row })));

function toGeometry(literal: GeometryLiteral): Geometry {
  const operand = resolveGeometry(literal, undefined, rowSchema);
  if (operand.kind !== 'geometry') throw new Error('A geometry was expected.');
  return operand.geometry;
}

const property = (name: string): Expression => ({ kind: 'property', name });
const literals = (values: readonly string[]): fc.Arbitrary<Expression> =>
  fc.constantFrom(...values).map((value) => ({ kind: 'literal', value }));

const number: fc.Arbitrary<Expression> = fc.letrec<{ value: Expression }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(property('pop'), property('area')),
    literals(numbers),
    fc.record({
      kind: fc.constant('arithmetic' as const),
      operator: fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const, 'divide' as const),
      left: tie('value'),
      right: tie('value'),
    }),
  ),
})).value;

const text: fc.Arbitrary<Expression> = fc.oneof(fc.constantFrom(property('name'), property('code')), literals(texts));
const computedText: fc.Arbitrary<Expression> = fc
  .constantFrom('strToUpperCase', 'strTrim', 'strLength')
  .map((name) => ({
    kind: 'function',
    name,
    arguments: [property('name')],
  }));
const moment: fc.Arbitrary<Expression> = fc.oneof(
  fc.constantFrom(property('time'), property('until')),
  literals(moments),
);
const truth: fc.Arbitrary<Expression> = fc.oneof(fc.constant(property('open')), literals(['true', 'FALSE', '1']));
const sides: fc.Arbitrary<readonly [Expression, Expression]> = fc.oneof(
  fc.tuple(number, number),
  fc.tuple(text, text),
  fc.tuple(text, computedText),
  fc.tuple(moment, moment),
  fc.tuple(truth, truth),
);
const operator = fc.constantFrom(
  'equal' as const,
  'notEqual' as const,
  'less' as const,
  'lessOrEqual' as const,
  'greater' as const,
  'greaterOrEqual' as const,
);
const geometry: fc.Arbitrary<Expression> = fc.oneof(fc.constant(property('geom')), anyGeometry);
const period = fc.constantFrom<Period>(
  { kind: 'period', start: '2020-01-01', end: '2020-02-01' },
  { kind: 'period', start: '2020-01-31T12:00:00Z', end: 'P1D' },
  { kind: 'period', start: 'P1Y', end: '2020-12-31' },
  { kind: 'period', start: '..', end: '2020-02-01' },
  { kind: 'period', start: '2020-01-01', end: '..' },
  { kind: 'period', start: { kind: 'property', name: 'time' }, end: { kind: 'property', name: 'until' } },
  { kind: 'period', start: { kind: 'property', name: 'time' }, end: '..' },
);

const temporalOperators: readonly TemporalOperator[] = [
  'before',
  'after',
  'during',
  'tequals',
  'beforeOrDuring',
  'duringOrAfter',
  'intersects',
  'disjoint',
  'contains',
  'starts',
  'startedBy',
  'finishes',
  'finishedBy',
  'meets',
  'metBy',
  'overlaps',
  'overlappedBy',
];

const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .tuple(operator, sides)
    .map(([sign, [left, right]]): Filter => ({ kind: 'comparison', operator: sign, left, right })),
  fc
    .tuple(operator, text, text)
    .map(([sign, left, right]): Filter => ({ kind: 'comparison', operator: sign, left, right, matchCase: false })),
  fc.tuple(number, number, number).map(([value, lower, upper]): Filter => ({ kind: 'between', value, lower, upper })),
  fc.tuple(moment, moment, moment).map(([value, lower, upper]): Filter => ({ kind: 'between', value, lower, upper })),
  fc
    .oneof(
      fc.tuple(text, fc.array(literals(texts), { minLength: 1, maxLength: 4 })),
      fc.tuple(number, fc.array(literals(numbers), { minLength: 1, maxLength: 4 })),
      fc.tuple(number, fc.array(number, { minLength: 1, maxLength: 3 })),
      fc.tuple(moment, fc.array(literals(moments), { minLength: 1, maxLength: 4 })),
      fc.tuple(truth, fc.array(literals(['true', 'false']), { minLength: 1, maxLength: 2 })),
    )
    .map(([value, list]): Filter => ({ kind: 'membership', value, list })),
  fc
    .record({
      value: fc.oneof(text, fc.constantFrom(property('pop'), property('time'))),
      pattern: fc.string({
        unit: fc.constantFrom(
          'a',
          'b',
          'A',
          'k',
          'i',
          's',
          'S',
          'ß',
          'f',
          'h',
          'Σ',
          'é',
          '%',
          '_',
          '\\%',
          '\\_',
          '*',
          '[',
          '\\',
          '1',
        ),
        maxLength: 6,
      }),
      isExact: fc.boolean(),
    })
    .map(
      ({ value, pattern, isExact }): Filter => ({
        kind: 'like',
        value,
        pattern,
        wildCard: '%',
        singleCharacter: '_',
        escape: '\\',
        ...(isExact ? {} : { matchCase: false }),
      }),
    ),
  fc
    .constantFrom('name', 'pop', 'open', 'time', 'geom', 'photo')
    .map((name): Filter => ({ kind: 'isNull', value: property(name) })),
  number.map((value): Filter => ({ kind: 'isNull', value })),
  fc
    .tuple(fc.constantFrom('before' as const, 'after' as const, 'tequals' as const), moment, moment)
    .map(([sign, value, time]): Filter => ({ kind: 'temporal', operator: sign, value, time })),
  fc
    .tuple(fc.constantFrom(...temporalOperators), fc.oneof(moment, period), fc.oneof(moment, period))
    .map(([sign, value, time]): Filter => ({ kind: 'temporal', operator: sign, value, time })),
  fc.constantFrom('name', 'nothing').map((name): Filter => ({ kind: 'exists', property: { kind: 'property', name } })),
  fc
    .array(fc.constantFrom('rows.1', 'rows.3', 'rows.03', 'row.1', 'rows.x', 'rows.99999999999999999999'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((identifiers): Filter => ({ kind: 'identifiers', identifiers })),
);

const spatial: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'equals' as const,
        'disjoint' as const,
        'touches' as const,
        'within' as const,
        'overlaps' as const,
        'crosses' as const,
        'intersects' as const,
        'contains' as const,
      ),
      geometry,
      geometry,
    )
    .map(([sign, left, right]): Filter => ({ kind: 'spatial', operator: sign, left, right })),
  fc
    .tuple(
      fc.constantFrom('T********', 'FF*FF****', '****T****', '212101212', 'T*F**F***', '0********'),
      geometry,
      geometry,
    )
    .map(([pattern, left, right]): Filter => ({ kind: 'relate', left, right, pattern })),
  fc
    .tuple(fc.constantFrom('within' as const, 'beyond' as const), geometry, geometry, fc.constantFrom(0, 1, 1.5, 3))
    .map(([sign, left, right, distance]): Filter => ({ kind: 'distance', operator: sign, left, right, distance })),
  plainGeometry.map(
    (each): Filter =>
      each.type === 'Envelope'
        ? { kind: 'boundingBox', bounds: each }
        : { kind: 'spatial', operator: 'intersects', left: property('geom'), right: each },
  ),
);

/** The schema rejects some of them. */
export const testFilters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    spatial,
    condition,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
  ),
})).filter;
