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

  /** Returns whether a stretch has a corner that turns by more than `most` radians. */
  hasSharperBend(start: number, end: number, most: number): boolean {
    let before: number | undefined;
    for (let corner = this.#findCorner((along) => along > start); corner < this.#distances.length; corner += 1) {
      const { dx, dy } = this.#getSegment(corner);
      if (dx === 0 && dy === 0) continue;
      if (before !== undefined && (this.#distances[corner - 1] ?? 0) >= end) return false;
      const angle = Math.atan2(dy, dx);
      const turn = before === undefined ? 0 : angle - before;
      if (Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) > most) return true;
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
