/** Buffers, overlays and relations of geometries, computed by JSTS, which is loaded before it is used. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { buildShapes, type JtsConstructors, type JtsShape, toGeometry } from '../../../geometry/jts-shapes.ts';
import { countPositions } from '../../../geometry/simple-parts.ts';
import type { SpatialOperator } from '../../model/filter.ts';

/** A buffer of so many positions takes half a second. */
const MAX_POSITIONS = 10_000;

export type OverlayName = 'intersection' | 'union' | 'difference' | 'symDifference';

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
  readonly enclose: Readonly<Record<Enclosure, (shape: JtsShape) => JtsShape>>;
}

export type Enclosure = 'minRectangle' | 'minimumDiameter';

let library: Library | undefined;
let loading: Promise<Library> | undefined;

/** Must be called before a function of this module is used. */
export async function loadGeometryLibrary(): Promise<void> {
  loading ??= importLibrary();
  library = await loading;
}

async function importLibrary(): Promise<Library> {
  const [factory, coordinate, buffer, overlay, snap, relate, distance, simple, valid, diameter] = await Promise.all([
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
    enclose: {
      minRectangle: (shape) => new diameter.default(shape).getMinimumRectangle(),
      minimumDiameter: (shape) => new diameter.default(shape).getDiameter(),
    },
  };
}

/**
 * Runs an operation of the library. Returns undefined if it is not loaded, and null for geometries that are too large
 * or invalid, for which the library throws.
 */
function run<T>(geometries: readonly Geometry[], operate: (used: Library, shapes: readonly JtsShape[]) => T) {
  if (library === undefined) return undefined;
  if (geometries.reduce((sum, each) => sum + countPositions(each), 0) > MAX_POSITIONS) return null;
  try {
    const shapes = geometries.flatMap((each) => mergeShapes(each, library as Library) ?? []);
    return shapes.length < geometries.length ? null : operate(library, shapes);
  } catch {
    return null;
  }
}

/** The library cannot combine collections, so their members are united first. */
function mergeShapes(geometry: Geometry, used: Library): JtsShape | undefined {
  const shapes = buildShapes(geometry, used).filter((shape) => !shape.isEmpty());
  const [first, ...others] = shapes;
  return first && others.reduce((sum, shape) => used.overlay(sum, shape, 'union'), first);
}

export function computeBuffer(geometry: Geometry, distance: number, segments: number): Geometry | null | undefined {
  return run([geometry], (used, [shape]) => shape && toGeometry(used.buffer(shape, distance, segments)));
}

export function computeOverlay(name: OverlayName, one: Geometry, other: Geometry): Geometry | null | undefined {
  return run([one, other], (used, [a, b]) => a && b && toGeometry(used.overlay(a, b, name)));
}

export function computeEnclosure(name: Enclosure, geometry: Geometry): Geometry | null | undefined {
  return run([geometry], (used, [shape]) => shape && toGeometry(used.enclose[name](shape)));
}

export function computeMatrix(one: Geometry, other: Geometry): string | null | undefined {
  return run([one, other], (used, [a, b]) => a && b && used.relate(a, b).toString());
}

export function matchesPattern(one: Geometry, other: Geometry, pattern: string): boolean | null | undefined {
  return run([one, other], (used, [a, b]) => a && b && used.relate(a, b).matches(pattern));
}

/** The patterns of the relations; one match suffices. Those of crosses and overlaps depend on the dimensions. */
const patterns: Readonly<Record<SpatialOperator, (one: number, other: number) => readonly string[]>> = {
  equals: () => ['T*F**FFF*'],
  disjoint: () => ['FF*FF****'],
  intersects: () => ['T********', '*T*******', '***T*****', '****T****'],
  touches: () => ['FT*******', 'F**T*****', 'F***T****'],
  contains: () => ['T*****FF*'],
  within: () => ['T*F**F***'],
  crosses: (one, other) => (one < other ? ['T*T******'] : one > other ? ['T*****T**'] : one === 1 ? ['0********'] : []),
  overlaps: (one, other) => (one !== other ? [] : one === 1 ? ['1*T***T**'] : ['T*T***T**']),
};

export function isRelated(operator: SpatialOperator, one: Geometry, other: Geometry): boolean | null | undefined {
  return run([one, other], (used, [a, b]) => {
    if (a === undefined || b === undefined) return undefined;
    const matrix = used.relate(a, b);
    return patterns[operator](a.getDimension(), b.getDimension()).some((pattern) => matrix.matches(pattern));
  });
}

export function computeDistance(one: Geometry, other: Geometry): number | null | undefined {
  return run([one, other], (used, [a, b]) => a && b && used.computeDistance(a, b));
}

export function isSimple(geometry: Geometry): boolean | null | undefined {
  return run([geometry], (used, [shape]) => shape && used.isSimple(shape));
}

export function isValid(geometry: Geometry): boolean | null | undefined {
  if (library === undefined) return undefined;
  const shapes = buildShapes(geometry, library);
  try {
    return shapes.every((shape) => library?.isValid(shape));
  } catch {
    return false;
  }
}
