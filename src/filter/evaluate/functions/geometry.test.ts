import { beforeAll, describe, expect, test } from 'vitest';
import { decodeWkt } from '../../../geometry/wkt-decode.ts';
import { readEcqlExpression } from '../../ecql/ecql.ts';
import type { Expression } from '../../model/expression.ts';
import { evaluateExpression, listFunctionNames } from '../expression.ts';
import { type FeatureValues, geometryAccess, type StyleValue } from '../values/style-value.ts';
import { functionTable } from './function-table.ts';
import { loadGeometryLibrary } from './geometry-library.ts';

const geometries: Readonly<Record<string, string>> = {
  square: 'POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))',
  line: 'LINESTRING(0 0, 10 0, 10 10)',
  point: 'POINT(3 4)',
  angle: 'POLYGON((0 0, 10 0, 10 2, 2 2, 2 10, 0 10, 0 0))',
};

const feature: FeatureValues = {
  radius: 2,
  [geometryAccess]: (name) => decodeWkt(geometries[name ?? 'square'] ?? 'POINT EMPTY'),
};

/** ECQL reads names of relations as conditions, so they have an underscore here. */
function parse(text: string): Expression {
  const outcome = readEcqlExpression(text);
  if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
  return JSON.parse(JSON.stringify(outcome.value), (key, value: unknown) =>
    key === 'name' && typeof value === 'string' ? value.replace(/_$/, '') : value,
  );
}

const evaluate = (text: string): StyleValue | undefined => evaluateExpression(parse(text), feature);

beforeAll(loadGeometryLibrary);

describe('functions of geometries', () => {
  test.each<[string, StyleValue | undefined]>([
    ['area(square)', 96],
    ['area(geometry())', 96],
    ['geomLength(line)', 20],
    ['dimension(line)', 1],
    ['boundaryDimension(square)', 1],
    ['boundaryDimension(point)', -1],
    ['geometryType(line)', 'LineString'],
    ['startAngle(line)', -0],
    ['endAngle(line)', -90],
    ['getX(point) + getY(point)', 7],
    ['getZ(point)', null],
    ['isClosed(line)', false],
    ['isRing(exteriorRing(square))', true],
    ['isSimple(line)', true],
    ['isValid(square)', true],
    ['isEmpty(line)', false],
    ['numGeometries(square)', 1],
    ['numInteriorRing(square)', 1],
    ['numPoint(line)', 3],
    ['distance(point, line)', 4],
    ['isWithinDistance(point, line, 4)', true],
    ['isWithinDistance(point, line, 3)', false],
    ['contains_(square, point)', true],
    ['within_(point, square)', true],
    ['intersects_(line, square)', true],
    ['disjoint_(line, point)', true],
    ['touches_(line, square)', true],
    ['relate_(point, square)', '0FFFFF212'],
    ["relatePattern(point, square, 'T*F**F***')", true],
    ['equalsExact(line, line)', true],
    ['toWKT(pointN(line, 1))', 'POINT (10 0)'],
    ['toWKT(startPoint(line))', 'POINT (0 0)'],
    ['toWKT(endPoint(line))', 'POINT (10 10)'],
    ['toWKT(envelope(line))', 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))'],
    ['toWKT(interiorRingN(square, 0))', 'LINESTRING (4 4, 6 4, 6 6, 4 6, 4 4)'],
    ['toWKT(interiorRingN(square, 1))', null],
    ['toWKT(getGeometryN(point, 0))', 'POINT (3 4)'],
    ['toWKT(offset(point, radius, 1))', 'POINT (5 5)'],
    ['toWKT(convexHull(line))', 'POLYGON ((0 0, 10 0, 10 10, 0 0))'],
    ['numGeometries(isometric(line, 5))', 2],
    ['numPoint(densify(line, 5))', 5],
    ['numPoint(simplify(line, 100))', 2],
    ['numPoint(octagonalEnvelope(square))', 9],
    ['round(area(buffer(point, radius)))', 12],
    ['numPoint(bufferWithSegments(point, 1, 1))', 5],
    ['area(difference(square, buffer(point, 0)))', null],
    ['area(union(envelope(line), offset(envelope(line), 5, 0)))', 150],
    ['area(intersection(envelope(line), offset(envelope(line), 5, 0)))', 50],
    ['area(symDifference(envelope(line), offset(envelope(line), 5, 0)))', 100],
    ['area(minRectangle(square))', 100],
    ['geomLength(minimumDiameter(square))', 10],
    ['contains_(minCircle(square), centroid(square))', true],
    ['contains_(angle, centroid(angle))', false],
    ['contains_(angle, interiorPoint(angle))', true],
    ["area(geomFromWKT('POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))'))", 1],
    ["area(geomFromWKT('nonsense'))", null],
    ['numPoint(if_then_else(equalTo(radius, 2), line, square))', 3],
    ['area(buffer(point, missing))', null],
  ])('%s is %j', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });
});

describe('hostile geometry functions', () => {
  test.each([
    ['a distance beyond any map', 'area(buffer(line, 1e300))'],
    ['segments without a limit', 'area(bufferWithSegments(point, 1, 1e9))'],
    ['pieces without a limit', 'numPoint(densify(line, 1e-9))'],
    ['a negative distance', 'numPoint(simplify(line, -1))'],
    ['not a number', "area(buffer(line, 'x'))"],
    ['nested buffers', `area(${'buffer('.repeat(20)}point${', 1)'.repeat(20)})`],
  ])('end quickly with %s', (_, text) => {
    const start = performance.now();

    evaluate(text);

    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('are not computed for geometries that are too large', () => {
    const positions = Array.from({ length: 30_000 }, (_, at) => `${at} ${at % 7}`).join(', ');
    const large = { [geometryAccess]: () => decodeWkt(`LINESTRING(${positions})`) };

    expect(evaluateExpression(parse('area(buffer(geom, 1))'), large)).toBeNull();
  });
});

describe('the table of functions', () => {
  test('has a unique name, typed arguments and a sentence for each', () => {
    const names = listFunctionNames().map((name) => name.toLowerCase());

    expect(new Set(names).size).toBe(names.length);
    for (const each of functionTable) {
      expect(each.name).toMatch(/^\w+$/);
      expect(each.description).toMatch(/\.$/);
      for (const { name } of each.arguments) expect(name).toMatch(/^\w+$/);
    }
  });

  test('has only functions that can be evaluated', () => {
    const literals = (count: number) => Array.from({ length: count }, () => ({ kind: 'literal', value: '1' }) as const);
    const unknown = functionTable.filter(({ name, arguments: given }) => {
      const call = { kind: 'function', name, arguments: literals(given.length + 3) } as const;
      return evaluateExpression(call, { ...feature, '@id': 'a.1' }) === undefined;
    });

    // '1' is not a value for these.
    const rejecting = ['not', 'if_then_else', 'FormatNumber', 'numberFormat', 'parseBoolean'];
    // Values replace these before anything is evaluated.
    const replaced = ['querySingle', 'queryCollection', 'collectGeometries', 'gridCoverageStats', 'bandStats'];
    expect(new Set(unknown.filter(({ group }) => group !== 'Colours').map(({ name }) => name))).toEqual(
      new Set([...rejecting, ...replaced]),
    );
  });
});
