/** Relations and distances of geometries in the plane, by JSTS, which is loaded with the first. */
import type { Geometry } from '../../vector/geometry.ts';
import type { SpatialOperator } from '../filter.ts';
import { createSegmentTests, type SegmentTests } from './segments.ts';

/** A geometry as the library has it; nobody else looks into it. */
interface Shape {
  getDimension(): number;
  isEmpty(): boolean;
}

interface Matrix {
  matches(pattern: string): boolean;
  isIntersects(): boolean;
  isDisjoint(): boolean;
  isContains(): boolean;
  isWithin(): boolean;
  isTouches(dimension: number, otherDimension: number): boolean;
  isCrosses(dimension: number, otherDimension: number): boolean;
  isOverlaps(dimension: number, otherDimension: number): boolean;
  isEquals(dimension: number, otherDimension: number): boolean;
}

interface Factory {
  createPoint(position?: object): Shape;
  createLineString(positions: readonly object[]): Shape;
  createLinearRing(positions: readonly object[]): Shape;
  createPolygon(shell?: Shape, holes?: readonly Shape[]): Shape;
  createMultiPoint(members: readonly Shape[]): Shape;
  createMultiLineString(members: readonly Shape[]): Shape;
  createMultiPolygon(members: readonly Shape[]): Shape;
}

interface Library {
  readonly factory: Factory;
  readonly Coordinate: new (x: number, y: number) => object;
  readonly relate: (one: Shape, other: Shape) => Matrix;
  readonly distance: (one: Shape, other: Shape) => number;
  readonly validity: (shape: Shape) => string | undefined;
  readonly segmentTests: SegmentTests;
}

/** A collection is taken for its members; everything else is one shape. */
export interface TopologyShape {
  readonly shapes: readonly Shape[];
  readonly isCollection: boolean;
}

export interface Topology {
  shapeOf(geometry: Geometry): TopologyShape;
  /**
   * What is not valid may stand in no relation, which is false then. So may a collection, in any but intersecting and
   * being disjoint: nobody agrees on its inside and its boundary.
   */
  relates(relation: SpatialOperator | { readonly pattern: string }, one: TopologyShape, other: TopologyShape): boolean;
  /** Undefined for what is empty. */
  distance(one: TopologyShape, other: TopologyShape): number | undefined;
  readonly segmentTests: SegmentTests;
}

let loading: Promise<Library> | undefined;

async function load(): Promise<Library> {
  const [factory, coordinate, relateOp, distanceOp, validOp, doubleDouble] = await Promise.all([
    import('jsts/org/locationtech/jts/geom/GeometryFactory.js'),
    import('jsts/org/locationtech/jts/geom/Coordinate.js'),
    import('jsts/org/locationtech/jts/operation/relate/RelateOp.js'),
    import('jsts/org/locationtech/jts/operation/distance/DistanceOp.js'),
    import('jsts/org/locationtech/jts/operation/valid/IsValidOp.js'),
    import('jsts/org/locationtech/jts/algorithm/CGAlgorithmsDD.js'),
  ]);
  return {
    factory: new factory.default(),
    Coordinate: coordinate.default,
    relate: (one, other) => relateOp.default.relate(one, other),
    distance: (one, other) => distanceOp.default.distance(one, other),
    validity: (shape) => {
      const check = new validOp.default(shape);
      return check.isValid() ? undefined : String(check.getValidationError()?.getMessage() ?? 'it is not simple');
    },
    segmentTests: createSegmentTests((ax, ay, bx, by, cx, cy) =>
      doubleDouble.default.orientationIndex({ x: ax, y: ay }, { x: bx, y: by }, { x: cx, y: cy }),
    ),
  };
}

function library(): Promise<Library> {
  loading ??= load();
  return loading;
}

/** Why a geometry is none that relations can be told of, in the words of the library; undefined if it is. */
export async function invalidity(geometry: Geometry): Promise<string | undefined> {
  const used = await library();
  for (const shape of shapesOf(geometry, used)) {
    try {
      const reason = used.validity(shape);
      if (reason !== undefined) return reason.toLowerCase();
    } catch {
      return 'its form is broken';
    }
  }
  return undefined;
}

export async function loadTopology(): Promise<Topology> {
  const used = await library();
  return {
    shapeOf: (geometry) => ({
      shapes: shapesOf(geometry, used).filter((shape) => !shape.isEmpty()),
      isCollection: geometry.type === 'GeometryCollection',
    }),
    relates: (relation, one, other) => relates(used, relation, one, other),
    segmentTests: used.segmentTests,
    distance(one, other) {
      let least: number | undefined;
      for (const first of one.shapes)
        for (const second of other.shapes) least = Math.min(least ?? Infinity, used.distance(first, second));
      return least;
    },
  };
}

function relates(
  { relate }: Library,
  relation: SpatialOperator | { readonly pattern: string },
  one: TopologyShape,
  other: TopologyShape,
): boolean {
  const matrixOf = (first: Shape, second: Shape): Matrix | undefined => {
    try {
      return relate(first, second);
    } catch {
      // The sides of something that is not valid contradict each other.
      return undefined;
    }
  };
  if (relation === 'intersects' || relation === 'disjoint') {
    const meets = one.shapes.some((first) =>
      other.shapes.some((second) => matrixOf(first, second)?.isIntersects() ?? false),
    );
    return meets === (relation === 'intersects');
  }
  const [first] = one.shapes;
  const [second] = other.shapes;
  if (first === undefined || second === undefined || one.isCollection || other.isCollection) return false;
  const matrix = matrixOf(first, second);
  if (matrix === undefined) return false;
  if (typeof relation === 'object') return matrix.matches(relation.pattern);
  const [dimension, otherDimension] = [first.getDimension(), second.getDimension()];
  switch (relation) {
    case 'contains':
      return matrix.isContains();
    case 'within':
      return matrix.isWithin();
    case 'touches':
      return matrix.isTouches(dimension, otherDimension);
    case 'crosses':
      return matrix.isCrosses(dimension, otherDimension);
    case 'overlaps':
      return matrix.isOverlaps(dimension, otherDimension);
    case 'equals':
      return matrix.isEquals(dimension, otherDimension);
  }
}

/** Of a collection those of its members, else one. */
function shapesOf(geometry: Geometry, used: Library): readonly Shape[] {
  if (geometry.type === 'GeometryCollection') return (geometry.members ?? []).flatMap((each) => shapesOf(each, used));
  return [shapeOf(geometry, used)];
}

const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const;

function shapeOf({ type, dimension, ordinates, ends, parts }: Geometry, { factory, Coordinate }: Library): Shape {
  const size = orders[dimension];
  const positions = (from: number, to: number): readonly object[] => {
    const found: object[] = [];
    for (let at = from * size; at < to * size; at += size) {
      const [x = Number.NaN, y = Number.NaN] = [ordinates[at], ordinates[at + 1]];
      // An empty point is written with numbers that are none.
      if (!Number.isNaN(x)) found.push(new Coordinate(x, y));
    }
    return found;
  };
  const line = (index: number): readonly object[] => positions(ends[index - 1] ?? 0, ends[index] ?? 0);
  const polygon = (from: number, to: number): Shape => {
    if (from >= to) return factory.createPolygon();
    const rings: Shape[] = [];
    for (let ring = from; ring < to; ring += 1) rings.push(factory.createLinearRing(line(ring)));
    const [shell, ...holes] = rings;
    return factory.createPolygon(shell, holes);
  };
  switch (type) {
    case 'Point':
      return factory.createPoint(positions(0, 1)[0]);
    case 'LineString':
      return factory.createLineString(line(0));
    case 'Polygon':
      return polygon(0, ends.length);
    case 'MultiPoint':
      return factory.createMultiPoint(
        positions(0, ordinates.length / size).map((position) => factory.createPoint(position)),
      );
    case 'MultiLineString':
      return factory.createMultiLineString(ends.map((_, index) => factory.createLineString(line(index))));
    default:
      return factory.createMultiPolygon(parts.map((part, index) => polygon(parts[index - 1] ?? 0, part)));
  }
}
