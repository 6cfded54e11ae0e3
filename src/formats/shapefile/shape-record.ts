/** Encodes the content of a .shp record and determines the type of its file. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { isEmptyGeometry } from '../writing/writable-geometry.ts';

export type ShapeForm = 'point' | 'multipoint' | 'line' | 'polygon';

const formNumbers: Readonly<Record<ShapeForm, number>> = { point: 1, line: 3, polygon: 5, multipoint: 8 };

export const shapeForms = {
  Geometry: undefined,
  Point: 'point',
  LineString: 'line',
  Polygon: 'polygon',
  MultiPoint: 'multipoint',
  MultiLineString: 'line',
  MultiPolygon: 'polygon',
  GeometryCollection: undefined,
} as const;

/** The no-data value for measures. */
const NO_MEASURE = -1e39;

export function getShapeNumber(form: ShapeForm, dimension: Dimension): number {
  return formNumbers[form] + (dimension.includes('Z') ? 10 : dimension.includes('M') ? 20 : 0);
}

/** A record, with the values that the file header summarises. */
export interface ShapeRecord {
  readonly content: Buffer;
  readonly bounds: Bounds;
  readonly heights: readonly [min: number, max: number];
  readonly measures: readonly [min: number, max: number];
}

/** Returns undefined for an empty geometry. Collections are not allowed. */
export function encodeShapeRecord(geometry: Geometry, form: ShapeForm): ShapeRecord | undefined {
  const bounds = isEmptyGeometry(geometry) ? undefined : computeGeometryBounds(geometry);
  if (bounds === undefined) return undefined;
  const { dimension } = geometry;
  const type = getShapeNumber(form, dimension);
  const order = form === 'polygon' ? computeOrientedOrder(geometry) : undefined;
  const heights = dimension.includes('Z') ? selectOrdinates(geometry, 2, order, 0) : undefined;
  const measures = dimension.includes('M')
    ? selectOrdinates(geometry, dimension === 'XYM' ? 2 : 3, order, NO_MEASURE)
    : undefined;
  const content = new ContentWriter();
  content.writeInt(type);
  if (form === 'point') {
    content.writeDoubles([bounds.minX, bounds.minY, ...(heights ?? [])]);
    // Points with heights always have a measure field.
    if (type > 10) content.writeDoubles(measures ?? [NO_MEASURE]);
  } else {
    const count = geometry.ordinates.length / dimension.length;
    content.writeDoubles([bounds.minX, bounds.minY, bounds.maxX, bounds.maxY]);
    if (form !== 'multipoint') content.writeInt(geometry.ends.length);
    content.writeInt(count);
    if (form !== 'multipoint')
      for (let line = 0; line < geometry.ends.length; line += 1) content.writeInt(geometry.ends[line - 1] ?? 0);
    content.writeDoubles(selectPositions(geometry, order));
    for (const values of [heights, measures]) {
      if (values === undefined) continue;
      content.writeDoubles(computeRange(values));
      content.writeDoubles(values);
    }
  }
  return {
    content: content.finish(),
    bounds,
    heights: computeRange(heights ?? [0]),
    measures: computeRange(measures ?? [0]),
  };
}

/** Writes int32 values and doubles, little-endian. */
class ContentWriter {
  #parts: Buffer[] = [];

  writeInt(value: number): void {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeInt32LE(value);
    this.#parts.push(bytes);
  }

  writeDoubles(values: ArrayLike<number>): void {
    const bytes = Buffer.allocUnsafe(values.length * 8);
    for (let index = 0; index < values.length; index += 1) bytes.writeDoubleLE(values[index] ?? 0, index * 8);
    this.#parts.push(bytes);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function computeRange(values: ArrayLike<number>): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 0];
}

/**
 * Returns the order of positions that makes outlines clockwise and holes counterclockwise; undefined if no change is
 * needed.
 */
function computeOrientedOrder(geometry: Geometry): Uint32Array | undefined {
  const { ends, parts, ordinates, dimension } = geometry;
  const outlines = new Set(geometry.type === 'Polygon' ? [0] : [0, ...parts]);
  let order: Uint32Array | undefined;
  for (let ring = 0; ring < ends.length; ring += 1) {
    const [start, end] = [ends[ring - 1] ?? 0, ends[ring] ?? 0];
    const area = computeSignedArea(ordinates, dimension.length, start, end);
    const isRight = outlines.has(ring) ? area <= 0 : area >= 0;
    if (isRight) continue;
    order ??= Uint32Array.from({ length: ordinates.length / dimension.length }, (_, index) => index);
    order.subarray(start, end).reverse();
  }
  return order;
}

function computeSignedArea(ordinates: Float64Array, size: number, start: number, end: number): number {
  const [originX, originY] = [ordinates[start * size] ?? 0, ordinates[start * size + 1] ?? 0];
  let area = 0;
  for (let at = (start + 1) * size; at + size < end * size; at += size) {
    const [x1, y1] = [(ordinates[at] ?? 0) - originX, (ordinates[at + 1] ?? 0) - originY];
    const [x2, y2] = [(ordinates[at + size] ?? 0) - originX, (ordinates[at + size + 1] ?? 0) - originY];
    area += x1 * y2 - x2 * y1;
  }
  return area;
}

function selectPositions({ ordinates, dimension }: Geometry, order: Uint32Array | undefined): Float64Array {
  const size = dimension.length;
  if (size === 2 && order === undefined) return ordinates;
  const count = ordinates.length / size;
  const positions = new Float64Array(count * 2);
  for (let index = 0; index < count; index += 1) {
    const at = (order?.[index] ?? index) * size;
    positions[index * 2] = ordinates[at] ?? 0;
    positions[index * 2 + 1] = ordinates[at + 1] ?? 0;
  }
  return positions;
}

/** Returns the ordinates of one axis, with a substitute for NaN. */
function selectOrdinates(
  { ordinates, dimension }: Geometry,
  axis: number,
  order: Uint32Array | undefined,
  missing: number,
): Float64Array {
  const size = dimension.length;
  return Float64Array.from({ length: ordinates.length / size }, (_, index) => {
    const value = ordinates[(order?.[index] ?? index) * size + axis] ?? Number.NaN;
    return Number.isFinite(value) ? value : missing;
  });
}
