/** Converts geometries to those of JSTS and back. The library is passed in, because it is loaded on first use. */
import type { Geometry } from './geometry.ts';
import { fromSimpleParts, type SimplePart } from './simple-parts.ts';

/** A geometry of the library. */
export interface JtsShape {
  getDimension(): number;
  isEmpty(): boolean;
  getNumGeometries(): number;
  getGeometryN(index: number): JtsShape;
  getCoordinates(): readonly JtsPosition[];
  getExteriorRing?(): JtsShape;
  getNumInteriorRing?(): number;
  getInteriorRingN?(index: number): JtsShape;
}

export interface JtsPosition {
  readonly x: number;
  readonly y: number;
}

export interface JtsFactory {
  createPoint(position?: object): JtsShape;
  createLineString(positions: readonly object[]): JtsShape;
  createLinearRing(positions: readonly object[]): JtsShape;
  createPolygon(shell?: JtsShape, holes?: readonly JtsShape[]): JtsShape;
  createMultiPoint(members: readonly JtsShape[]): JtsShape;
  createMultiLineString(members: readonly JtsShape[]): JtsShape;
  createMultiPolygon(members: readonly JtsShape[]): JtsShape;
}

export interface JtsConstructors {
  readonly factory: JtsFactory;
  readonly Coordinate: new (x: number, y: number) => object;
}

/** Returns the members of a collection, or a single shape. */
export function buildShapes(geometry: Geometry, used: JtsConstructors): readonly JtsShape[] {
  if (geometry.type === 'GeometryCollection')
    return (geometry.members ?? []).flatMap((each) => buildShapes(each, used));
  return [buildShape(geometry, used)];
}

const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const;

function buildShape(
  { type, dimension, ordinates, ends, parts }: Geometry,
  { factory, Coordinate }: JtsConstructors,
): JtsShape {
  const size = orders[dimension];
  const buildPositions = (from: number, to: number): readonly object[] => {
    const found: object[] = [];
    for (let at = from * size; at < to * size; at += size) {
      const [x = Number.NaN, y = Number.NaN] = [ordinates[at], ordinates[at + 1]];
      // An empty point is encoded with NaN.
      if (!Number.isNaN(x)) found.push(new Coordinate(x, y));
    }
    return found;
  };
  const buildLine = (index: number): readonly object[] => buildPositions(ends[index - 1] ?? 0, ends[index] ?? 0);
  const buildPolygon = (from: number, to: number): JtsShape => {
    if (from >= to) return factory.createPolygon();
    const rings: JtsShape[] = [];
    for (let ring = from; ring < to; ring += 1) rings.push(factory.createLinearRing(buildLine(ring)));
    const [shell, ...holes] = rings;
    return factory.createPolygon(shell, holes);
  };
  switch (type) {
    case 'Point':
      return factory.createPoint(buildPositions(0, 1)[0]);
    case 'LineString':
      return factory.createLineString(buildLine(0));
    case 'Polygon':
      return buildPolygon(0, ends.length);
    case 'MultiPoint':
      return factory.createMultiPoint(
        buildPositions(0, ordinates.length / size).map((position) => factory.createPoint(position)),
      );
    case 'MultiLineString':
      return factory.createMultiLineString(ends.map((_, index) => factory.createLineString(buildLine(index))));
    default:
      return factory.createMultiPolygon(parts.map((part, index) => buildPolygon(parts[index - 1] ?? 0, part)));
  }
}

/** Returns the points, lines and polygons of a shape. */
export function toGeometry(shape: JtsShape): Geometry {
  return fromSimpleParts(listParts(shape));
}

function listParts(shape: JtsShape): readonly SimplePart[] {
  const count = shape.getNumGeometries();
  if (count !== 1 || shape.getGeometryN(0) !== shape)
    return Array.from({ length: count }, (_, index) => shape.getGeometryN(index)).flatMap(listParts);
  if (shape.isEmpty()) return [];
  const dimension = shape.getDimension();
  if (dimension < 2) return [{ dimension: dimension === 0 ? 0 : 1, lines: [copyCoordinates(shape)] }];
  const outer = shape.getExteriorRing?.();
  const holes = Array.from({ length: shape.getNumInteriorRing?.() ?? 0 }, (_, index) =>
    shape.getInteriorRingN?.(index),
  );
  return [{ dimension: 2, lines: [outer, ...holes].flatMap((ring) => (ring ? [copyCoordinates(ring)] : [])) }];
}

function copyCoordinates(shape: JtsShape): Float64Array {
  const positions = shape.getCoordinates();
  const ordinates = new Float64Array(positions.length * 2);
  for (const [index, { x, y }] of positions.entries()) {
    ordinates[index * 2] = x;
    ordinates[index * 2 + 1] = y;
  }
  return ordinates;
}
