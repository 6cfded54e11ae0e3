/** Resolves the geometry that a symbolizer draws: another attribute, or the result of a geometry function. */
import { evaluateGeometry, type FeatureValues, isKnownFunction } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { readLiteralNumber } from '../../filter/model/literal.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { toSimpleParts } from '../../geometry/simple-parts.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { type FeatureBatch, LINES, POINTS, POLYGONS } from '../../vector/port/packed-features.ts';
import type { Frame } from './frame.ts';
import type { PixelShape } from './pixel-shape.ts';
import { closeRing, computeHull } from './rings.ts';
import { computeCentroid } from './shape-middles.ts';

export interface ResolvedGeometry {
  /** The name as written; undefined for the default geometry. */
  readonly attribute: string | undefined;
  /** Replaces the shape in place. */
  readonly change?: (shape: PixelShape, frame: Frame) => void;
  /** Computes the geometry to draw, in the coordinates of the data, or undefined. */
  readonly compute?: (feature: FeatureValues) => FeatureBatch | undefined;
}

type ShapeChange = (shape: PixelShape, frame: Frame, numbers: readonly number[]) => void;

/** Functions that are computed in pixels, which is faster than in the coordinates of the data. */
const shapeChanges: Readonly<Record<string, ShapeChange>> = {
  centroid: (shape) => shape.replace(POINTS, [Float64Array.of(...computeCentroid(shape))]),
  startpoint: (shape) => shape.replace(POINTS, [shape.places.slice(0, 2)]),
  endpoint: (shape) => shape.replace(POINTS, [copyPositions(shape).slice(-2)]),
  vertices: (shape) => shape.replace(POINTS, [copyPositions(shape)]),
  boundary: (shape) =>
    shape.replace(
      LINES,
      listClosedRings(shape, () => true),
    ),
  exteriorring: (shape) =>
    shape.replace(
      LINES,
      listClosedRings(shape, (ring) => shape.isOuter[ring] === 1),
    ),
  envelope: (shape) => {
    const { minX, minY, maxX, maxY } = shape;
    shape.replace(POLYGONS, [Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY)]);
  },
  convexhull: (shape) => shape.replace(POLYGONS, [computeHull(copyPositions(shape))]),
  offset: (shape, { xx, xy, yx, yy }, [x = 0, y = 0]) => {
    const [right, down] = [xx * x + xy * y, yx * x + yy * y];
    shape.move(right, down);
  },
};

/** Returns the index of the geometry attribute. Unknown attributes are not drawn. */
export function findGeometrySlot(geometries: readonly string[], attribute: string | undefined): number {
  if (attribute === undefined) return 0;
  const local = attribute.slice(Math.max(attribute.lastIndexOf('/'), attribute.lastIndexOf(':')) + 1);
  return geometries.findIndex((name) => name === attribute || name === local);
}

/** Returns undefined for an unsupported geometry, which is not drawn. */
export function resolveGeometry({ geometry }: Pick<Symbolizer, 'geometry'>): ResolvedGeometry | undefined {
  if (geometry === undefined) return { attribute: undefined };
  return resolveInPixels(geometry) ?? resolveInData(geometry);
}

function resolveInPixels(geometry: Expression): ResolvedGeometry | undefined {
  if (geometry.kind === 'property') return { attribute: geometry.name };
  if (geometry.kind !== 'function') return undefined;
  const name = geometry.name.toLowerCase();
  if (name === 'geometry') return { attribute: undefined };
  const change = Object.hasOwn(shapeChanges, name) ? shapeChanges[name] : undefined;
  const [first, ...rest] = geometry.arguments;
  const inner = first && resolveInPixels(first);
  const numbers = rest.map((each: Expression) => readLiteralNumber(each));
  if (change === undefined || inner === undefined || !numbers.every((each) => each !== undefined)) return undefined;
  return {
    attribute: inner.attribute,
    change: (shape, frame) => {
      inner.change?.(shape, frame);
      if (shape.rings > 0) change(shape, frame, numbers);
    },
  };
}

function resolveInData(geometry: Expression): ResolvedGeometry | undefined {
  if (geometry.kind === 'function' && !isKnownFunction(geometry.name)) return undefined;
  return {
    attribute: undefined,
    compute: (feature) => {
      const result = evaluateGeometry(geometry, feature);
      return result ? packGeometry(result) : undefined;
    },
  };
}

/** Packs a geometry as a batch of one feature, with one shape for each kind of part. */
function packGeometry(geometry: Geometry): FeatureBatch {
  const parts = toSimpleParts(geometry);
  const shapes: number[] = [];
  const ends: number[] = [];
  const isOuter: number[] = [];
  const lines: Float64Array[] = [];
  let end = 0;
  for (const kind of [POINTS, LINES, POLYGONS]) {
    const first = ends.length;
    for (const part of parts) {
      if (part.dimension !== kind) continue;
      for (const [index, line] of part.lines.entries()) {
        end += line.length / 2;
        ends.push(end);
        isOuter.push(index === 0 ? 1 : 0);
        lines.push(line);
      }
    }
    if (ends.length > first) shapes.push(0, 0, kind, first, ends.length);
  }
  const ordinates = new Float64Array(end * 2);
  let at = 0;
  for (const line of lines) {
    ordinates.set(line, at);
    at += line.length;
  }
  return {
    count: 1,
    ordinates,
    ends: Uint32Array.from(ends),
    isOuter: Uint8Array.from(isOuter),
    shapes: Uint32Array.from(shapes),
    columns: [],
    ids: undefined,
  };
}

function copyPositions({ places, ends, rings }: PixelShape): Float64Array {
  return places.slice(0, (ends[rings - 1] ?? 0) * 2);
}

function listClosedRings(shape: PixelShape, isWanted: (ring: number) => boolean): readonly Float64Array[] {
  const { places, ends, rings, kind } = shape;
  return Array.from({ length: rings }, (_, ring) => ring)
    .filter(isWanted)
    .map((ring) => {
      const line = places.slice((ring === 0 ? 0 : (ends[ring - 1] ?? 0)) * 2, (ends[ring] ?? 0) * 2);
      return kind === POLYGONS ? closeRing(line) : line;
    });
}
