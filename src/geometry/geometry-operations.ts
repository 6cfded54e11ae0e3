/** Buffers, overlays and relations of geometries, computed by JSTS, which is loaded on first use. */
import type { Geometry } from './geometry.ts';
import { buildShapes, type JtsConstructors, type JtsShape, toGeometry } from './jts-shapes.ts';

export type OverlayName = 'intersection' | 'union' | 'difference' | 'symDifference';

export type Enclosure = 'minRectangle' | 'minimumDiameter';

export type SpatialRelation =
  | 'equals'
  | 'disjoint'
  | 'intersects'
  | 'touches'
  | 'contains'
  | 'within'
  | 'crosses'
  | 'overlaps';

/** Results are null for empty or invalid geometries; a computed geometry may be empty. */
export interface GeometryOperations {
  /** The distance is in units of the coordinates; a negative one shrinks polygons. */
  buffer(geometry: Geometry, distance: number, quadrantSegments?: number): Geometry | null;
  overlay(name: OverlayName, one: Geometry, other: Geometry): Geometry | null;
  enclose(name: Enclosure, geometry: Geometry): Geometry | null;
  /** Rings do not cross afterwards. */
  simplifyTopology(geometry: Geometry, tolerance: number): Geometry | null;
  /** Returns the intersection matrix of nine characters. */
  computeMatrix(one: Geometry, other: Geometry): string | null;
  matchesPattern(one: Geometry, other: Geometry, pattern: string): boolean | null;
  isRelated(relation: SpatialRelation, one: Geometry, other: Geometry): boolean | null;
  computeDistance(one: Geometry, other: Geometry): number | null;
  isSimple(geometry: Geometry): boolean | null;
  isValid(geometry: Geometry): boolean;
}

interface Matrix {
  matches(pattern: string): boolean;
  toString(): string;
}

interface Library extends JtsConstructors {
  readonly buffer: (shape: JtsShape, distance: number, segments: number) => JtsShape;
  readonly overlay: (one: JtsShape, other: JtsShape, name: OverlayName) => JtsShape;
  readonly relate: (one: JtsShape, other: JtsShape) => Matrix;
  readonly computeDistance: (one: JtsShape, other: JtsShape) => number;
  readonly isSimple: (shape: JtsShape) => boolean;
  readonly isValid: (shape: JtsShape) => boolean;
  readonly simplify: (shape: JtsShape, tolerance: number) => JtsShape;
  readonly enclose: Readonly<Record<Enclosure, (shape: JtsShape) => JtsShape>>;
}

/** JTS uses eight segments for a quarter of a circle. */
export const QUADRANT_SEGMENTS = 8;

let loading: Promise<GeometryOperations> | undefined;

export function loadGeometryOperations(): Promise<GeometryOperations> {
  loading ??= importLibrary().then(createOperations);
  return loading;
}

async function importLibrary(): Promise<Library> {
  const [factory, coordinate, buffer, overlay, snap, relate, distance, simple, valid, diameter, simplifier] =
    await Promise.all([
      import('jsts/org/locationtech/jts/geom/GeometryFactory.js'),
      import('jsts/org/locationtech/jts/geom/Coordinate.js'),
      import('jsts/org/locationtech/jts/operation/buffer/BufferOp.js'),
      import('jsts/org/locationtech/jts/operation/overlay/OverlayOp.js'),
      import('jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'),
      import('jsts/org/locationtech/jts/operation/relate/RelateOp.js'),
      import('jsts/org/locationtech/jts/operation/distance/DistanceOp.js'),
      import('jsts/org/locationtech/jts/operation/IsSimpleOp.js'),
      import('jsts/org/locationtech/jts/operation/valid/IsValidOp.js'),
      import('jsts/org/locationtech/jts/algorithm/MinimumDiameter.js'),
      import('jsts/org/locationtech/jts/simplify/TopologyPreservingSimplifier.js'),
    ]);
  const codes: Readonly<Record<OverlayName, number>> = {
    intersection: overlay.default.INTERSECTION,
    union: overlay.default.UNION,
    difference: overlay.default.DIFFERENCE,
    symDifference: overlay.default.SYMDIFFERENCE,
  };
  return {
    factory: new factory.default(),
    Coordinate: coordinate.default,
    buffer: (shape, width, segments) => buffer.default.bufferOp(shape, width, segments),
    overlay: (one, other, name) => snap.default.overlayOp(one, other, codes[name]),
    relate: (one, other) => relate.default.relate(one, other),
    computeDistance: (one, other) => distance.default.distance(one, other),
    isSimple: (shape) => new simple.default(shape).isSimple(),
    isValid: (shape) => new valid.default(shape).isValid(),
    simplify: (shape, tolerance) => simplifier.default.simplify(shape, tolerance),
    enclose: {
      minRectangle: (shape) => new diameter.default(shape).getMinimumRectangle(),
      minimumDiameter: (shape) => new diameter.default(shape).getDiameter(),
    },
  };
}

function createOperations(used: Library): GeometryOperations {
  const useOne = <T>(geometry: Geometry, operate: (shape: JtsShape) => T): T | null => {
    try {
      const shape = mergeShapes(geometry, used);
      return shape === undefined ? null : operate(shape);
    } catch {
      // The library throws for invalid geometries.
      return null;
    }
  };
  const useTwo = <T>(one: Geometry, other: Geometry, operate: (a: JtsShape, b: JtsShape) => T): T | null =>
    useOne(one, (a) => useOne(other, (b) => operate(a, b)));
  return {
    buffer: (geometry, distance, segments = QUADRANT_SEGMENTS) =>
      useOne(geometry, (shape) => toGeometry(used.buffer(shape, distance, segments))),
    overlay: (name, one, other) => useTwo(one, other, (a, b) => toGeometry(used.overlay(a, b, name))),
    enclose: (name, geometry) => useOne(geometry, (shape) => toGeometry(used.enclose[name](shape))),
    simplifyTopology: (geometry, tolerance) => useOne(geometry, (shape) => toGeometry(used.simplify(shape, tolerance))),
    computeMatrix: (one, other) => useTwo(one, other, (a, b) => used.relate(a, b).toString()),
    matchesPattern: (one, other, pattern) => useTwo(one, other, (a, b) => used.relate(a, b).matches(pattern)),
    isRelated: (relation, one, other) =>
      useTwo(one, other, (a, b) => {
        const matrix = used.relate(a, b);
        return patterns[relation](a.getDimension(), b.getDimension()).some((pattern) => matrix.matches(pattern));
      }),
    computeDistance: (one, other) => useTwo(one, other, used.computeDistance),
    isSimple: (geometry) => useOne(geometry, used.isSimple),
    isValid: (geometry) => {
      try {
        return buildShapes(geometry, used).every(used.isValid);
      } catch {
        return false;
      }
    },
  };
}

/** The library cannot combine collections, so their members are united first. */
function mergeShapes(geometry: Geometry, used: Library): JtsShape | undefined {
  const shapes = buildShapes(geometry, used).filter((shape) => !shape.isEmpty());
  const [first, ...others] = shapes;
  return first && others.reduce((sum, shape) => used.overlay(sum, shape, 'union'), first);
}

/** The patterns of the relations; one match suffices. Those of crosses and overlaps depend on the dimensions. */
const patterns: Readonly<Record<SpatialRelation, (one: number, other: number) => readonly string[]>> = {
  equals: () => ['T*F**FFF*'],
  disjoint: () => ['FF*FF****'],
  intersects: () => ['T********', '*T*******', '***T*****', '****T****'],
  touches: () => ['FT*******', 'F**T*****', 'F***T****'],
  contains: () => ['T*****FF*'],
  within: () => ['T*F**F***'],
  crosses: (one, other) => (one < other ? ['T*T******'] : one > other ? ['T*****T**'] : one === 1 ? ['0********'] : []),
  overlaps: (one, other) => (one !== other ? [] : one === 1 ? ['1*T***T**'] : ['T*T***T**']),
};
