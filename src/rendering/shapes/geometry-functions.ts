/** Resolves the geometry that a symbolizer draws: another attribute, or the result of a geometry function. */
import type { Expression } from '../../filter/model/expression.ts';
import { readLiteralNumber } from '../../filter/model/literal.ts';
import { type GeometryFunctionName, geometryFunctionNames } from '../../styling/content/unsupported-styling.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { LINES, POINTS, POLYGONS } from '../../vector/port/packed-features.ts';
import type { Frame } from './frame.ts';
import type { PixelShape } from './pixel-shape.ts';
import { closeRing, computeHull } from './rings.ts';
import { forEachMiddle } from './shape-middles.ts';

export interface ResolvedGeometry {
  /** The name as written; undefined for the default geometry. */
  readonly attribute: string | undefined;
  /** Replaces the shape in place; undefined to draw it unchanged. */
  readonly change: ((shape: PixelShape, frame: Frame) => void) | undefined;
}

type ShapeChange = (shape: PixelShape, frame: Frame, numbers: readonly number[]) => void;

const shapeChanges: Readonly<Record<GeometryFunctionName, ShapeChange>> = {
  centroid: (shape) => shape.replace(POINTS, [computeMiddles(shape)]),
  interiorpoint: (shape) => shape.replace(POINTS, [computeMiddles(shape)]),
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

/** Returns undefined for an unsupported geometry, which is not drawn. */
export function resolveGeometry({ geometry }: Pick<Symbolizer, 'geometry'>): ResolvedGeometry | undefined {
  if (geometry === undefined) return { attribute: undefined, change: undefined };
  if (geometry.kind === 'property') return { attribute: geometry.name, change: undefined };
  if (geometry.kind !== 'function') return undefined;
  const name = geometryFunctionNames.find((each) => each === geometry.name.toLowerCase());
  const change = name && shapeChanges[name];
  const [first, ...rest] = geometry.arguments;
  const inner = first && resolveGeometry({ geometry: first });
  if (change === undefined || inner === undefined) return undefined;
  const numbers = rest.map((each: Expression) => readLiteralNumber(each) ?? 0);
  return {
    attribute: inner.attribute,
    change: (shape, frame) => {
      inner.change?.(shape, frame);
      if (shape.rings > 0) change(shape, frame, numbers);
    },
  };
}

function copyPositions({ places, ends, rings }: PixelShape): Float64Array {
  return places.slice(0, (ends[rings - 1] ?? 0) * 2);
}

function computeMiddles(shape: PixelShape): Float64Array {
  const middles: number[] = [];
  forEachMiddle(shape, (x, y) => middles.push(x, y));
  return Float64Array.from(middles);
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
