/** Functions of geometries. They compute in the coordinates of the data. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../../geometry/geometry-bounds.ts';
import {
  type Enclosure,
  type GeometryOperations,
  type OverlayName,
  QUADRANT_SEGMENTS,
  type SpatialRelation,
} from '../../../geometry/geometry-operations.ts';
import {
  computeArea,
  computeBoundary,
  computeCentroid,
  computeConvexHull,
  computeEndAngle,
  computeInteriorPoint,
  computeLength,
  computeOctagon,
  countDensified,
  densify,
  extrude,
  isClosedLine,
  listPositions,
  mapPositions,
} from '../../../geometry/planar.ts';
import {
  countPositions,
  createPoint,
  fromSimpleParts,
  type SimplePart,
  toSimpleParts,
} from '../../../geometry/simple-parts.ts';
import { simplify } from '../../../geometry/simplify.ts';
import { computeSmallestCircle } from '../../../geometry/smallest-circle.ts';
import { decodeWkt, WktError } from '../../../geometry/wkt-decode.ts';
import { encodeWkt } from '../../../geometry/wkt-encode.ts';
import type { FunctionCall } from '../../model/expression.ts';
import { type StyleValue, toNumber, toText } from '../values/style-value.ts';
import { useOperations } from './geometry-library.ts';
import { reprojectGeometry } from './reprojection.ts';

/** A value or a geometry; undefined if it is unknown. */
export type FunctionValue = StyleValue | Geometry | undefined;

/** The leading `geometries` arguments are geometries, the others values. */
export interface GeometryFunction {
  readonly geometries: number;
  /** Whether the geometry library must be loaded. */
  readonly needsLibrary: boolean;
  readonly compute: (
    geometries: readonly Geometry[],
    values: readonly (StyleValue | undefined)[],
    call: FunctionCall,
  ) => FunctionValue;
  /** The result if a geometry is null. */
  readonly ofNull: null | false;
}

/** Larger than any coordinate of a map. */
const MAX_DISTANCE = 1e9;

/** Segments of a quarter circle; more are not visible. */
const MAX_SEGMENTS = 64;

/** A geometry with more positions is not computed. */
const MAX_POSITIONS = 100_000;

/** Geometries in styles are short. */
const MAX_WKT_LENGTH = 100_000;

type Compute<T extends FunctionValue = FunctionValue> = (
  geometry: Geometry,
  ...values: (StyleValue | undefined)[]
) => T;

function define(compute: Compute, needsLibrary = false): GeometryFunction {
  return {
    geometries: 1,
    needsLibrary,
    compute: ([geometry], values) => geometry && compute(geometry, ...values),
    ofNull: null,
  };
}

type ComputePair = (one: Geometry, other: Geometry, ...values: (StyleValue | undefined)[]) => FunctionValue;

function definePair(compute: ComputePair, ofNull: null | false = null): GeometryFunction {
  return {
    geometries: 2,
    needsLibrary: true,
    compute: ([one, other], values) => one && other && compute(one, other, ...values),
    ofNull,
  };
}

/** Defines a function that an operation of the library computes. */
function defineOperation(
  operate: (used: GeometryOperations, geometry: Geometry, ...values: (StyleValue | undefined)[]) => FunctionValue,
): GeometryFunction {
  return define((each, ...values) => useOperations([each], (used) => operate(used, each, ...values)), true);
}

function defineRelation(
  operate: (
    used: GeometryOperations,
    one: Geometry,
    other: Geometry,
    ...values: (StyleValue | undefined)[]
  ) => FunctionValue,
  ofNull: null | false = null,
): GeometryFunction {
  return definePair(
    (one, other, ...values) => useOperations([one, other], (used) => operate(used, one, other, ...values)),
    ofNull,
  );
}

const relations: readonly SpatialRelation[] = [
  'contains',
  'crosses',
  'disjoint',
  'intersects',
  'overlaps',
  'touches',
  'within',
];
const overlays: readonly OverlayName[] = ['intersection', 'union', 'difference', 'symDifference'];
const enclosures: readonly Enclosure[] = ['minRectangle', 'minimumDiameter'];

/** Keys are in lower case. */
export const geometryFunctions: ReadonlyMap<string, GeometryFunction> = new Map<string, GeometryFunction>([
  ...relations.map(
    (name) => [name, defineRelation((used, one, other) => used.isRelated(name, one, other), false)] as const,
  ),
  ...overlays.map(
    (name) => [name.toLowerCase(), defineRelation((used, one, other) => used.overlay(name, one, other))] as const,
  ),
  ...enclosures.map((name) => [name.toLowerCase(), defineOperation((used, each) => used.enclose(name, each))] as const),
  ['equalsexact', definePair((one, other) => areEqual(one, other, 0), false)],
  ['equalsexacttolerance', definePair((one, other, tolerance) => areEqual(one, other, toNumber(tolerance)), false)],
  ['iswithindistance', defineRelation(isWithinDistance, false)],
  ['relate', defineRelation((used, one, other) => used.computeMatrix(one, other))],
  [
    'relatepattern',
    defineRelation((used, one, other, pattern) => used.matchesPattern(one, other, toText(pattern ?? null)), false),
  ],
  ['distance', defineRelation((used, one, other) => used.computeDistance(one, other))],
  ['buffer', defineOperation((used, each, distance) => buffer(used, each, distance))],
  ['bufferwithsegments', defineOperation(buffer)],
  ['issimple', defineOperation((used, each) => used.isSimple(each))],
  // Validation is fast enough for large geometries.
  ['isvalid', define((each) => useOperations([], (used) => used.isValid(each)), true)],
  ['isring', defineOperation((used, each) => everyLine(each, isClosedLine) && used.isSimple(each))],
  ['boundary', define(computeBoundary)],
  ['centroid', define((each) => computeCentroid(each) ?? null)],
  ['convexhull', define(computeConvexHull)],
  ['endpoint', define((each) => pickPosition(each, -1))],
  ['startpoint', define((each) => pickPosition(each, 0))],
  ['pointn', define((each, index) => pickPosition(each, toNumber(index)))],
  ['envelope', define(computeEnvelope)],
  ['exteriorring', define((each) => pickRings(each, (lines) => lines.slice(0, 1)))],
  ['interiorringn', define((each, index) => pickRings(each, (lines) => pickOne(lines.slice(1), toNumber(index))))],
  ['interiorpoint', define((each) => computeInteriorPoint(each) ?? null)],
  ['labelpoint', define((each) => computeInteriorPoint(each) ?? null)],
  ['offset', define(offset)],
  ['vertices', define((each) => fromPositions(listPositions(each)))],
  ['getgeometryn', define((each, index) => fromParts(pickOne(toSimpleParts(each), toNumber(index))))],
  ['isometric', define((each, height) => apply(toNumber(height), (by) => extrude(each, by)))],
  ['simplify', define((each, distance) => apply(toPositive(distance), (by) => simplify(each, by)))],
  ['densify', define((each, distance) => apply(toPositive(distance), (by) => densifyWithin(each, by)))],
  [
    'reproject',
    {
      geometries: 1,
      needsLibrary: false,
      compute: ([geometry], _, call) => geometry && reprojectGeometry(geometry, call),
      ofNull: null,
    },
  ],
  ['mincircle', define((each) => computeSmallestCircle(each) ?? null)],
  ['octagonalenvelope', define((each) => computeOctagon(each) ?? null)],
  ['area', define(computeArea)],
  ['area2', define(computeArea)],
  ['geomlength', define(computeLength)],
  ['length', define(computeLength)],
  ['geometrytype', define(({ type }) => type)],
  ['dimension', define(computeDimension)],
  ['boundarydimension', define((each) => computeBoundaryDimension(each))],
  ['startangle', define((each) => computeEndAngle(each, 'start') ?? null)],
  ['endangle', define((each) => computeEndAngle(each, 'end') ?? null)],
  ['getx', define(({ type, ordinates: [x] }) => (type === 'Point' ? (x ?? null) : null))],
  ['gety', define(({ type, ordinates: [, y] }) => (type === 'Point' ? (y ?? null) : null))],
  ['getz', define(({ dimension, ordinates: [, , z] }) => (dimension.includes('Z') ? (z ?? null) : null))],
  ['isclosed', define((each) => everyLine(each, isClosedLine))],
  ['isempty', define((each) => countPositions(each) === 0)],
  ['numgeometries', define((each) => toSimpleParts(each).length)],
  ['numinteriorring', define((each) => toSimpleParts(each).reduce((sum, { lines }) => sum + lines.length - 1, 0))],
  ['numpoint', define(countPositions)],
  ['numpoints', define(countPositions)],
  ['towkt', define(encodeWkt)],
]);

function apply<T>(value: number | undefined, compute: (value: number) => T): T | null {
  return value === undefined || Math.abs(value) > MAX_DISTANCE ? null : compute(value);
}

function toPositive(value: StyleValue | undefined): number | undefined {
  const number = toNumber(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function buffer(
  used: GeometryOperations,
  geometry: Geometry,
  distance: StyleValue | undefined,
  segments: StyleValue | undefined = QUADRANT_SEGMENTS,
): FunctionValue {
  const count = Math.min(MAX_SEGMENTS, Math.max(1, Math.round(toNumber(segments) ?? QUADRANT_SEGMENTS)));
  return apply(toNumber(distance), (by) => used.buffer(geometry, by, count));
}

function offset(geometry: Geometry, x: StyleValue | undefined, y: StyleValue | undefined): FunctionValue {
  return apply(toNumber(x), (right) =>
    apply(toNumber(y), (up) => mapPositions(geometry, (px, py) => [px + right, py + up])),
  );
}

function densifyWithin(geometry: Geometry, distance: number): Geometry | null {
  return countDensified(geometry, distance) > MAX_POSITIONS ? null : densify(geometry, distance);
}

function isWithinDistance(
  used: GeometryOperations,
  one: Geometry,
  other: Geometry,
  distance: StyleValue | undefined,
): FunctionValue {
  const limit = toNumber(distance);
  const found = used.computeDistance(one, other);
  return limit === undefined || found === null ? found && false : found <= limit;
}

function areEqual(one: Geometry, other: Geometry, tolerance: number | undefined): boolean {
  const [first, second] = [listPositions(one), listPositions(other)];
  return (
    one.type === other.type &&
    tolerance !== undefined &&
    first.length === second.length &&
    first.every(([x, y], at) => {
      const [otherX, otherY] = second[at] ?? [Number.NaN, Number.NaN];
      return Math.hypot(x - otherX, y - otherY) <= tolerance;
    })
  );
}

/** Counts from 0; negative from the end. */
function pickOne<T>(items: readonly T[], index: number | undefined): readonly T[] {
  const found = index === undefined ? undefined : items.at(Math.trunc(index));
  return found === undefined ? [] : [found];
}

function pickPosition(geometry: Geometry, index: number | undefined): Geometry | null {
  const [found] = pickOne(listPositions(geometry), index);
  return found === undefined ? null : createPoint(...found);
}

function fromPositions(positions: readonly (readonly [number, number])[]): Geometry {
  return fromSimpleParts(positions.map((position) => ({ dimension: 0, lines: [Float64Array.from(position)] })));
}

function fromParts(parts: readonly SimplePart[]): Geometry | null {
  return parts.length === 0 ? null : fromSimpleParts(parts);
}

function pickRings(
  geometry: Geometry,
  pick: (rings: readonly Float64Array[]) => readonly Float64Array[],
): Geometry | null {
  const rings = toSimpleParts(geometry).flatMap(({ dimension, lines }) => (dimension === 2 ? pick(lines) : []));
  return fromParts(rings.map((ring) => ({ dimension: 1, lines: [ring] })));
}

function computeEnvelope(geometry: Geometry): Geometry | null {
  const bounds = computeGeometryBounds(geometry);
  if (bounds === undefined) return null;
  const { minX, minY, maxX, maxY } = bounds;
  const ring = Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY);
  return fromSimpleParts([{ dimension: 2, lines: [ring] }]);
}

function everyLine(geometry: Geometry, test: (line: Float64Array) => boolean): boolean {
  return toSimpleParts(geometry).every(({ lines }) => lines.every(test));
}

function computeDimension(geometry: Geometry): number | null {
  const dimensions = toSimpleParts(geometry).map(({ dimension }) => dimension);
  return dimensions.length === 0 ? null : Math.max(...dimensions);
}

/** Returns -1 for a geometry without a boundary. */
function computeBoundaryDimension(geometry: Geometry): number {
  return computeDimension(computeBoundary(geometry)) ?? -1;
}

/** Returns null for text that is not well-known text. */
export function parseWkt(text: string): Geometry | null {
  if (text.length > MAX_WKT_LENGTH) return null;
  try {
    return decodeWkt(text.replace(/^\s*SRID=\d+;/i, ''));
  } catch (error) {
    if (error instanceof WktError) return null;
    throw error;
  }
}
