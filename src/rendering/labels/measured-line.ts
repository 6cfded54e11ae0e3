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
  readonly #distances: Float64Array;
  #reversed: MeasuredLine | undefined;

  constructor(places: Float64Array) {
    this.#places = places;
    this.#distances = new Float64Array(places.length / 2);
    for (let corner = 1; corner < this.#distances.length; corner += 1) {
      const { dx, dy } = this.#getSegment(corner);
      this.#distances[corner] = (this.#distances[corner - 1] ?? 0) + Math.hypot(dx, dy);
    }
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
    const corner = this.#findCorner((along) => along >= distance);
    const { x, y, dx, dy } = this.#getSegment(corner);
    const begin = this.#distances[corner - 1] ?? 0;
    const length = (this.#distances[corner] ?? 0) - begin;
    const share = length > 0 ? Math.min(1, Math.max(0, (distance - begin) / length)) : 0;
    return { x: x + dx * share, y: y + dy * share, radians: Math.atan2(dy, dx) };
  }

  /** Returns the middle of a stretch, with the direction from its start to its end. */
  getChord(start: number, end: number): OrientedPoint {
    const middle = this.getPointAt((start + end) / 2);
    const [from, to] = [this.getPointAt(start), this.getPointAt(end)];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    return dx === 0 && dy === 0 ? middle : { ...middle, radians: Math.atan2(dy, dx) };
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
    let before: number | undefined;
    for (let index = 0; index < steps; index += 1) {
      const { radians } = this.getChord(start + index * length, start + (index + 1) * length);
      if (before !== undefined && measureTurn(before, radians) > most) return true;
      before = radians;
    }
    return false;
  }

  #hasSharpCorner(start: number, end: number, most: number, step: number): boolean {
    let before: number | undefined;
    for (let corner = this.#findCorner((along) => along > start); corner < this.#distances.length; corner += 1) {
      const { dx, dy } = this.#getSegment(corner);
      if (dx === 0 && dy === 0) continue;
      if (before !== undefined && (this.#distances[corner - 1] ?? 0) >= end) return false;
      const angle = Math.hypot(dx, dy) < step ? undefined : Math.atan2(dy, dx);
      if (before !== undefined && angle !== undefined && measureTurn(before, angle) > most) return true;
      before = angle;
    }
    return false;
  }

  /** Returns the first corner that satisfies the condition, but never the start; the last corner if none does. */
  #findCorner(isFar: (along: number) => boolean): number {
    let [from, to] = [1, Math.max(1, this.#distances.length - 1)];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isFar(this.#distances[middle] ?? 0)) to = middle;
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
function measureTurn(one: number, other: number): number {
  const turn = other - one;
  return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
}
