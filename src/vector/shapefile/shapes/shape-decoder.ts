/** Decodes the bytes of a record to a geometry. */

import type { Dimension, Geometry } from '../../../geometry/geometry.ts';
import { createOrdinateBlocks } from '../../../geometry/ordinate-blocks.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { assemblePolygons } from './assemble-polygons.ts';
import type { FileWindow } from './file-window.ts';
import { RECORD_HEADER_BYTES } from './record-positions.ts';
import { NO_MEASURE, NULL_SHAPE, type ShapeType } from './shape-types.ts';

/** Decodes the record at a file position; all its bytes must be loaded. */
export type ShapeDecoder = (position: number, end: number) => Geometry | null;

interface Layout {
  readonly stride: number;
  readonly zIndex: number;
  readonly mIndex: number;
}

const layouts: Readonly<Record<Dimension, Layout>> = {
  XY: { stride: 2, zIndex: -1, mIndex: -1 },
  XYZ: { stride: 3, zIndex: 2, mIndex: -1 },
  XYM: { stride: 3, zIndex: -1, mIndex: 2 },
  XYZM: { stride: 4, zIndex: 2, mIndex: 3 },
};

const NO_ENDS: readonly number[] = [];
const ONE_RING: readonly number[] = [1];

const TYPE_BYTES = 4;
const BOX_BYTES = 32;

export function createShapeDecoder(
  window: FileWindow,
  type: ShapeType,
  typeNumber: number,
  dimension: Dimension,
): ShapeDecoder {
  const reader = new RecordReader(window, type, dimension);
  return (position, endInFile) => {
    const content = position - window.start + RECORD_HEADER_BYTES;
    const end = endInFile - window.start;
    if (end === content) return null;
    if (end - content < TYPE_BYTES)
      throw createMalformedProblem(window, position, 'the record is too short for a shape');
    const number = window.view.getInt32(content, true);
    if (number === NULL_SHAPE) return null;
    if (number !== typeNumber) {
      const reason = `the record has shape type ${number}, but the file has type ${typeNumber}`;
      throw createMalformedProblem(window, position, reason);
    }
    switch (type.form) {
      case 'point':
        return reader.decodePoint(content, end, position);
      case 'multipoint':
        return reader.decodeMultiPoint(content, end, position);
      default:
        return reader.decodeParts(content, end, position);
    }
  };
}

/** Reads shapes from the window: `content` and `end` are offsets in it, `position` is the offset in the file. */
class RecordReader {
  readonly #window: FileWindow;
  readonly #type: ShapeType;
  readonly #dimension: Dimension;
  readonly #layout: Layout;
  readonly #takeOrdinates = createOrdinateBlocks();

  constructor(window: FileWindow, type: ShapeType, dimension: Dimension) {
    this.#window = window;
    this.#type = type;
    this.#dimension = dimension;
    this.#layout = layouts[dimension];
  }

  decodePoint(content: number, end: number, position: number): Geometry | null {
    const { hasZ } = this.#type;
    const { stride, zIndex, mIndex } = this.#layout;
    const zAt = content + 20;
    const mAt = hasZ ? content + 28 : content + 20;
    if (end - content < (hasZ ? 28 : 20))
      throw createMalformedProblem(this.#window, position, 'the record is too short for a point');
    const { view } = this.#window;
    const x = view.getFloat64(content + TYPE_BYTES, true);
    const y = view.getFloat64(content + TYPE_BYTES + 8, true);
    // Some writers use NaN for a missing point.
    if (Number.isNaN(x) || Number.isNaN(y)) return null;
    const ordinates = this.#takeOrdinates(stride);
    ordinates[0] = x;
    ordinates[1] = y;
    if (zIndex > 0) ordinates[zIndex] = view.getFloat64(zAt, true);
    if (mIndex > 0) ordinates[mIndex] = mAt + 8 <= end ? readMeasure(view, mAt) : Number.NaN;
    return { type: 'Point', dimension: this.#dimension, ordinates, ends: NO_ENDS, parts: NO_ENDS };
  }

  decodeMultiPoint(content: number, end: number, position: number): Geometry | null {
    const countAt = content + TYPE_BYTES + BOX_BYTES;
    if (countAt + 4 > end)
      throw createMalformedProblem(this.#window, position, 'the record is too short for a multipoint');
    const count = this.#window.view.getUint32(countAt, true);
    if (countAt + 4 + count * 16 > end)
      throw createMalformedProblem(this.#window, position, `the record is too short for its ${count} points`);
    if (count === 0) return null;
    const ordinates = this.#readPositions(countAt + 4, count, end, position);
    return { type: 'MultiPoint', dimension: this.#dimension, ordinates, ends: NO_ENDS, parts: NO_ENDS };
  }

  /** Decodes the lines of a polyline or the rings of a polygon. */
  decodeParts(content: number, end: number, position: number): Geometry | null {
    const dimension = this.#dimension;
    const { stride } = this.#layout;
    const countsAt = content + TYPE_BYTES + BOX_BYTES;
    const { view } = this.#window;
    if (countsAt + 8 > end)
      throw createMalformedProblem(this.#window, position, 'the record is too short for lines or rings');
    const parts = view.getUint32(countsAt, true);
    const points = view.getUint32(countsAt + 4, true);
    const partsAt = countsAt + 8;
    const pointsAt = partsAt + parts * 4;
    if (pointsAt + points * 16 > end) {
      const reason = `the record is too short for its ${parts} parts and ${points} points`;
      throw createMalformedProblem(this.#window, position, reason);
    }
    if (parts === 0 || points === 0) return null;
    const ends = this.#readPartEnds(partsAt, parts, points, position);
    const ordinates = this.#readPositions(pointsAt, points, end, position);
    if (this.#type.form === 'polyline') return { type: 'MultiLineString', dimension, ordinates, ends, parts: NO_ENDS };
    if (ends.length === 1 && isClosed(ordinates, stride)) {
      return { type: 'MultiPolygon', dimension, ordinates, ends, parts: ONE_RING };
    }
    return assemblePolygons({ ordinates, ends, dimension, stride });
  }

  #readPartEnds(partsAt: number, parts: number, points: number, position: number): readonly number[] {
    const { view } = this.#window;
    const ends: number[] = [];
    if (view.getUint32(partsAt, true) !== 0)
      throw createMalformedProblem(this.#window, position, 'the first part does not begin with the first point');
    for (let part = 1, before = 0; part <= parts; part += 1) {
      const partEnd = part === parts ? points : view.getUint32(partsAt + part * 4, true);
      if (partEnd < before || partEnd > points) {
        const reason = `part ${part} ends at point ${partEnd}, after ${before} of ${points}`;
        throw createMalformedProblem(this.#window, position, reason);
      }
      // Parts without points are dropped.
      if (partEnd > before) ends.push(partEnd);
      before = partEnd;
    }
    return ends;
  }

  /** Reads x and y, then all z, then all m, into positions; `at` is the start of x and y. */
  #readPositions(at: number, count: number, end: number, position: number): Float64Array {
    const { hasZ } = this.#type;
    const { stride, zIndex, mIndex } = this.#layout;
    const { view } = this.#window;
    const ordinates = this.#takeOrdinates(count * stride);
    const zAt = at + count * 16 + 16;
    const mAt = hasZ ? zAt + count * 8 + 16 : zAt;
    if (hasZ && zAt + count * 8 > end) {
      const reason = `the record is too short for the heights of ${count} points`;
      throw createMalformedProblem(this.#window, position, reason);
    }
    if (stride === 2) {
      for (let index = 0, from = at; index < ordinates.length; index += 1, from += 8) {
        ordinates[index] = view.getFloat64(from, true);
      }
      return ordinates;
    }
    const hasMeasures = mIndex > 0 && mAt + count * 8 <= end;
    for (let point = 0, to = 0; point < count; point += 1, to += stride) {
      ordinates[to] = view.getFloat64(at + point * 16, true);
      ordinates[to + 1] = view.getFloat64(at + point * 16 + 8, true);
      if (zIndex > 0) ordinates[to + zIndex] = view.getFloat64(zAt + point * 8, true);
      if (mIndex > 0) ordinates[to + mIndex] = hasMeasures ? readMeasure(view, mAt + point * 8) : Number.NaN;
    }
    return ordinates;
  }
}

function createMalformedProblem({ file }: FileWindow, offset: number, reason: string): Error {
  return problem('vector-file-malformed', { file: file.name, offset, reason });
}

function readMeasure(view: DataView, at: number): number {
  const value = view.getFloat64(at, true);
  return value < NO_MEASURE ? Number.NaN : value;
}

function isClosed(ordinates: Float64Array, stride: number): boolean {
  const last = ordinates.length - stride;
  return ordinates[0] === ordinates[last] && ordinates[1] === ordinates[last + 1];
}
