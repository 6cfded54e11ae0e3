/** Random expressions and geometries. */
import fc from 'fast-check';
import type { Expression, FunctionCall, GeometryLiteral, Position } from '../../../src/styling/model/model.ts';
import { anyText, nonNegative, number, tidyText, word } from './texts.ts';

const position = (dimensions: number): fc.Arbitrary<Position> =>
  fc.array(number, { minLength: dimensions, maxLength: dimensions });

const srsName = fc.option(fc.constantFrom('EPSG:4326', 'urn:ogc:def:crs:EPSG::3857'), { nil: undefined });

const line = (dimensions: number): fc.Arbitrary<readonly Position[]> =>
  fc.array(position(dimensions), { minLength: 2, maxLength: 4 });

const ring = (dimensions: number): fc.Arbitrary<readonly Position[]> =>
  fc
    .array(position(dimensions), { minLength: 3, maxLength: 4 })
    .map((positions) => [...positions, ...positions.slice(0, 1)]);

const dimensions = fc.constantFrom(2, 3);
const kind = fc.constant('geometry' as const);

const point = dimensions.chain((count) =>
  fc.record({ kind, type: fc.constant('Point' as const), srsName, coordinates: position(count) }),
);
const lineString = dimensions.chain((count) =>
  fc.record({ kind, type: fc.constant('LineString' as const), srsName, coordinates: line(count) }),
);
const polygon = dimensions.chain((count) =>
  fc.record({
    kind,
    type: fc.constant('Polygon' as const),
    srsName,
    coordinates: fc.array(ring(count), { minLength: 1, maxLength: 2 }),
  }),
);

export const envelope = fc.record({
  kind,
  type: fc.constant('Envelope' as const),
  srsName,
  coordinates: fc.tuple(position(2), position(2)),
});

function multi<T extends 'MultiPoint' | 'MultiLineString' | 'MultiPolygon' | 'GeometryCollection'>(
  type: T,
  member: fc.Arbitrary<GeometryLiteral>,
) {
  return fc.record({
    kind,
    type: fc.constant(type),
    srsName,
    members: fc.array(member, { minLength: 1, maxLength: 2 }),
  });
}

export const geometry: fc.Arbitrary<GeometryLiteral> = fc.oneof(
  point,
  lineString,
  polygon,
  envelope,
  multi('MultiPoint', point),
  multi('MultiLineString', lineString),
  multi('MultiPolygon', polygon),
  multi('GeometryCollection', fc.oneof(point, polygon)),
);

export const literal: fc.Arbitrary<Expression> = anyText.map((value) => ({ kind: 'literal', value }));

const property: fc.Arbitrary<Expression> = tidyText
  .filter((name) => name !== '')
  .map((name) => ({ kind: 'property', name }));

const functionName = fc.oneof(
  word,
  fc.constantFrom(
    'Categorize',
    'Interpolate',
    'Recode',
    'Substring',
    'Trim',
    'ChangeCase',
    'FormatNumber',
    'FormatDate',
  ),
  fc.constantFrom('Concatenate', 'StringLength', 'StringPosition'),
);

const pairs = fc
  .array(fc.tuple(nonNegative, fc.oneof(literal, property)), { minLength: 1, maxLength: 3 })
  .map((found) => found.flatMap(([data, value]): Expression[] => [{ kind: 'literal', value: String(data) }, value]));

const fallback = fc.constantFrom('#000000', '');

export const recode: fc.Arbitrary<FunctionCall> = fc.tuple(property, pairs, fallback).map(([lookup, rest, value]) => ({
  kind: 'function',
  name: 'Recode',
  arguments: [lookup, ...rest],
  fallback: value,
}));

const method = fc.constantFrom([], ['color'], ['numeric', 'cosine'], ['color', 'linear']);

export const interpolate: fc.Arbitrary<FunctionCall> = fc
  .tuple(property, pairs, method, fallback)
  .map(([lookup, rest, options, value]) => ({
    kind: 'function',
    name: 'Interpolate',
    arguments: [lookup, ...rest, ...options.map((option): Expression => ({ kind: 'literal', value: option }))],
    fallback: value,
  }));

/** An expression of one element, without adjacent text. */
export const element: fc.Arbitrary<Expression> = fc.letrec<{ element: Expression }>((tie) => ({
  element: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'expression' },
    property,
    literal,
    geometry,
    call(tie('element')),
    fc.record({
      kind: fc.constant('arithmetic' as const),
      operator: fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const, 'divide' as const),
      left: tie('element'),
      right: tie('element'),
    }),
  ),
})).element;

function call(argument: fc.Arbitrary<Expression>): fc.Arbitrary<FunctionCall> {
  return fc.oneof(
    fc.record({
      kind: fc.constant('function' as const),
      name: functionName,
      arguments: fc.array(argument, { maxLength: 5 }),
      fallback: fc.option(anyText, { nil: undefined }),
    }),
    recode,
    interpolate,
  );
}

const concatenation: fc.Arbitrary<Expression> = fc
  .array(
    fc.tuple(
      anyText,
      element.filter(({ kind }) => kind !== 'literal'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .chain((pieces) => anyText.map((last) => ({ pieces, last })))
  .map(({ pieces, last }) => {
    const texts = [...pieces.flatMap(([text, value]): Expression[] => [{ kind: 'literal', value: text }, value])];
    return [...texts, { kind: 'literal' as const, value: last }].filter(
      (part) => part.kind !== 'literal' || part.value !== '',
    );
  })
  .filter((parts) => parts.length > 1)
  .map((parts) => ({ kind: 'concatenation', parts }));

/** A value with the given text, or one that needs a feature. */
export function parameter(texts: fc.Arbitrary<string>): fc.Arbitrary<Expression> {
  return fc.oneof(
    { weight: 4, arbitrary: texts.map((value): Expression => ({ kind: 'literal', value })) },
    { weight: 1, arbitrary: element.filter(({ kind }) => kind !== 'literal') },
    { weight: 1, arbitrary: concatenation },
  );
}
