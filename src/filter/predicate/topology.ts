/** Spatial relations and distances in the plane, computed by JSTS, which is loaded on first use. */
import type { Geometry } from '../../geometry/geometry.ts';
import { buildShapes, type JtsConstructors, type JtsShape } from '../../geometry/jts-shapes.ts';
import type { SpatialOperator } from '../model/filter.ts';
import { createSegmentTests, type SegmentTests } from './segments.ts';

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

interface Library extends JtsConstructors {
  readonly relate: (one: JtsShape, other: JtsShape) => Matrix;
  readonly computeDistance: (one: JtsShape, other: JtsShape) => number;
  readonly findInvalidity: (shape: JtsShape) => string | undefined;
  readonly segmentTests: SegmentTests;
}

/** The members of a collection, or a single shape. */
export interface TopologyShape {
  readonly shapes: readonly JtsShape[];
  readonly isCollection: boolean;
}

export interface Topology {
  createShape(geometry: Geometry): TopologyShape;
  /**
   * Invalid geometries have no relation, so the result is false. Collections support only intersects and disjoint,
   * because implementations disagree on their interior and boundary.
   */
  isRelated(
    relation: SpatialOperator | { readonly pattern: string },
    one: TopologyShape,
    other: TopologyShape,
  ): boolean;
  /** Returns undefined for an empty geometry. */
  computeDistance(one: TopologyShape, other: TopologyShape): number | undefined;
  readonly segmentTests: SegmentTests;
}

let loading: Promise<Library> | undefined;

async function importLibrary(): Promise<Library> {
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
    computeDistance: (one, other) => distanceOp.default.distance(one, other),
    findInvalidity: (shape) => {
      const check = new validOp.default(shape);
      return check.isValid() ? undefined : String(check.getValidationError()?.getMessage() ?? 'not simple');
    },
    segmentTests: createSegmentTests((ax, ay, bx, by, cx, cy) =>
      doubleDouble.default.orientationIndex({ x: ax, y: ay }, { x: bx, y: by }, { x: cx, y: cy }),
    ),
  };
}

function getLibrary(): Promise<Library> {
  loading ??= importLibrary();
  return loading;
}

/** Returns the reason why a geometry is invalid, in the words of the library, or undefined if it is valid. */
export async function findInvalidity(geometry: Geometry): Promise<string | undefined> {
  const used = await getLibrary();
  for (const shape of buildShapes(geometry, used)) {
    try {
      const reason = used.findInvalidity(shape);
      if (reason !== undefined) return reason.toLowerCase();
    } catch {
      return 'malformed geometry';
    }
  }
  return undefined;
}

export async function loadTopology(): Promise<Topology> {
  const used = await getLibrary();
  return {
    createShape: (geometry) => ({
      shapes: buildShapes(geometry, used).filter((shape) => !shape.isEmpty()),
      isCollection: geometry.type === 'GeometryCollection',
    }),
    isRelated: (relation, one, other) => isRelated(used, relation, one, other),
    segmentTests: used.segmentTests,
    computeDistance(one, other) {
      let least: number | undefined;
      for (const first of one.shapes)
        for (const second of other.shapes) least = Math.min(least ?? Infinity, used.computeDistance(first, second));
      return least;
    },
  };
}

function isRelated(
  { relate }: Library,
  relation: SpatialOperator | { readonly pattern: string },
  one: TopologyShape,
  other: TopologyShape,
): boolean {
  const computeMatrix = (first: JtsShape, second: JtsShape): Matrix | undefined => {
    try {
      return relate(first, second);
    } catch {
      // The library throws for contradictory sides of an invalid geometry.
      return undefined;
    }
  };
  if (relation === 'intersects' || relation === 'disjoint') {
    const meets = one.shapes.some((first) =>
      other.shapes.some((second) => computeMatrix(first, second)?.isIntersects() ?? false),
    );
    return meets === (relation === 'intersects');
  }
  const [first] = one.shapes;
  const [second] = other.shapes;
  if (first === undefined || second === undefined || one.isCollection || other.isCollection) return false;
  const matrix = computeMatrix(first, second);
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
