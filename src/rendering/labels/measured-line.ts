/**
 * A line with the distance of each corner from the start. Labels request many points, so points are found by binary
 * search.
 */
import { reverseLine } from './join-lines.ts';

/** A point of a line with the direction of the line there. */
export interface OrientedPoint {
  readonly x: number;
  readonly y: number;
  readonly radians: number;
}

/** Longer labels are tested less closely. */
const MAX_STEPS = 100;

export class MeasuredLine {
  readonly #places: Float64Array;
  /** The distance of each corner from the start. */
  readonly #distances: readonly number[];
  #reversed: MeasuredLine | undefined;

  constructor(places: Float64Array) {
    this.#places = places;
    // An array is on the heap, unlike the buffer of a typed array, which costs more to allocate and to collect.
    const distances = [0];
    let distance = 0;
    for (let at = 2; at + 1 < places.length; at += 2) {
      const dx = (places[at] ?? 0) - (places[at - 2] ?? 0);
      const dy = (places[at + 1] ?? 0) - (places[at - 1] ?? 0);
      distance += Math.sqrt(dx * dx + dy * dy);
      distances.push(distance);
    }
    this.#distances = distances;
  }

  get length(): number {
    return this.#distances.at(-1) ?? 0;
  }

  /** The same line from its other end. */
  get reversed(): MeasuredLine {
    this.#reversed ??= new MeasuredLine(reverseLine(this.#places));
    return this.#reversed;
  }

  /** Clamps distances beyond the ends to the ends. */
  getPointAt(distance: number): OrientedPoint {
    const corner = this.#findCorner(distance);
    const share = this.#getShare(corner, distance);
    const { x, y, dx, dy } = this.#getSegment(corner);
    return { x: x + dx * share, y: y + dy * share, radians: Math.atan2(dy, dx) };
  }

  /** Returns the middle of a stretch, with the direction from its start to its end. */
  getChord(start: number, end: number): OrientedPoint {
    const middle = this.getPointAt((start + end) / 2);
    const [from, to] = [this.#findCorner(start), this.#findCorner(end)];
    // Most letters are on one segment, and have its direction.
    if (from === to) return middle;
    const dx = this.#getOrdinate(to, end, 0) - this.#getOrdinate(from, start, 0);
    const dy = this.#getOrdinate(to, end, 1) - this.#getOrdinate(from, start, 1);
    return dx === 0 && dy === 0 ? middle : { ...middle, radians: Math.atan2(dy, dx) };
  }

  /** Returns the share of the segment that ends at the corner, up to the distance. */
  #getShare(corner: number, distance: number): number {
    const begin = this.#distances[corner - 1] ?? 0;
    const length = (this.#distances[corner] ?? 0) - begin;
    return length > 0 ? Math.min(1, Math.max(0, (distance - begin) / length)) : 0;
  }

  /** Returns x (axis 0) or y (axis 1) of the point at the distance, which is on the segment that ends at the corner. */
  #getOrdinate(corner: number, distance: number, axis: 0 | 1): number {
    const from = this.#places[corner * 2 - 2 + axis] ?? 0;
    const to = this.#places[corner * 2 + axis] ?? from;
    return from + (to - from) * this.#getShare(corner, distance);
  }

  /**
   * Returns whether a stretch turns by more than `most` radians, at a corner or from one step to the next. Corners of
   * segments that are shorter than a step do not count alone: they are the noise of digitised lines.
   */
  hasSharperBend(start: number, end: number, most: number, step: number): boolean {
    return this.#hasSharpCorner(start, end, most, step) || this.#hasSharpStep(start, end, most, step);
  }

  #hasSharpStep(start: number, end: number, most: number, step: number): boolean {
    const steps = Math.max(1, Math.min(MAX_STEPS, Math.round((end - start) / step)));
    const length = (end - start) / steps;
    let corner = this.#findCorner(start);
    let x = this.#getOrdinate(corner, start, 0);
    let y = this.#getOrdinate(corner, start, 1);
    let [beforeX, beforeY] = [0, 0];
    for (let index = 1; index <= steps; index += 1) {
      const distance = start + index * length;
      while (corner < this.#distances.length - 1 && (this.#distances[corner] ?? 0) < distance) corner += 1;
      const toX = this.#getOrdinate(corner, distance, 0);
      const toY = this.#getOrdinate(corner, distance, 1);
      const [dx, dy] = [toX - x, toY - y];
      if (dx === 0 && dy === 0) continue;
      const isTurn = beforeX !== 0 || beforeY !== 0;
      if (isTurn && measureTurn(beforeX, beforeY, dx, dy) > most) return true;
      [x, y, beforeX, beforeY] = [toX, toY, dx, dy];
    }
    return false;
  }

  #hasSharpCorner(start: number, end: number, most: number, step: number): boolean {
    let [beforeX, beforeY] = [0, 0];
    // A corner at the start does not belong to the stretch.
    let corner = this.#findCorner(start);
    if ((this.#distances[corner] ?? 0) <= start) corner += 1;
    for (; corner < this.#distances.length && (this.#distances[corner - 1] ?? 0) < end; corner += 1) {
      const { dx, dy } = this.#getSegment(corner);
      if (dx === 0 && dy === 0) continue;
      const isLong = dx * dx + dy * dy >= step * step;
      const wasLong = beforeX !== 0 || beforeY !== 0;
      if (isLong && wasLong && measureTurn(beforeX, beforeY, dx, dy) > most) return true;
      [beforeX, beforeY] = isLong ? [dx, dy] : [0, 0];
    }
    return false;
  }

  /** Returns the first corner after the start that is at the distance or beyond it, or else the last corner. */
  #findCorner(distance: number): number {
    let [from, to] = [1, Math.max(1, this.#distances.length - 1)];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#distances[middle] ?? 0) >= distance) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Returns the segment that ends at the corner. */
  #getSegment(corner: number): { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number } {
    const at = corner * 2;
    const [x, y] = [this.#places[at - 2] ?? 0, this.#places[at - 1] ?? 0];
    return { x, y, dx: (this.#places[at] ?? x) - x, dy: (this.#places[at + 1] ?? y) - y };
  }
}

/** Returns the angle between two directions, from 0 to half a turn. */
function measureTurn(x: number, y: number, toX: number, toY: number): number {
  return Math.abs(Math.atan2(x * toY - y * toX, x * toX + y * toY));
}
