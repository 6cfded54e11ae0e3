/** One geometry in pixels, in arrays that are used again for the next: a map has very many, and each is looked at once. */

import { type FeatureBatch, POINTS, POLYGONS, SHAPE_FIELDS, type ShapeKind } from './feature-batch.ts';
import type { Frame } from './frame.ts';

/** Turns coordinates (x and y by turns) into those of the map, from one place of an array to before another, into a second. */
export type Projector = (from: Float64Array, start: number, end: number, into: Float64Array) => void;

/** Places of lines and rings nearer to each other than this, in pixels, are one: nobody sees more. */
const NEAR = 0.2;

export class PixelShape {
  kind: ShapeKind = POINTS;
  /** x and y by turns. */
  places = new Float64Array(1_024);
  /** Where each ring, line or group of points ends, counted in places. */
  ends = new Uint32Array(64);
  isOuter = new Uint8Array(64);
  rings = 0;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  #projected = new Float64Array(1_024);

  /** Takes a geometry out of a batch; `shiftX` is in units of the map. False if none of it has a place on the map. */
  load(batch: FeatureBatch, index: number, project: Projector | undefined, frame: Frame, shiftX: number): boolean {
    const { shapes, ends } = batch;
    const at = index * SHAPE_FIELDS;
    this.kind = (shapes[at + 2] ?? POINTS) as ShapeKind;
    const firstRing = shapes[at + 3] ?? 0;
    const lastRing = shapes[at + 4] ?? 0;
    const first = firstRing === 0 ? 0 : (ends[firstRing - 1] ?? 0);
    const last = ends[lastRing - 1] ?? first;
    this.#makeRoom(last - first, lastRing - firstRing);
    let source = batch.ordinates;
    let offset = 0;
    if (project !== undefined) {
      project(batch.ordinates, first * 2, last * 2, this.#projected);
      source = this.#projected;
      offset = -first * 2;
    }
    this.#begin();
    let start = first;
    for (let ring = firstRing; ring < lastRing; ring += 1) {
      const end = ends[ring] ?? start;
      this.isOuter[this.rings] = batch.isOuter[ring] ?? 0;
      this.#addRing(source, start * 2 + offset, end * 2 + offset, frame, shiftX);
      start = end;
    }
    return this.rings > 0;
  }

  /** Whether some of it is within the picture, with so many pixels around that. */
  isNear({ width, height }: Frame, margin: number): boolean {
    return this.maxX >= -margin && this.minX <= width + margin && this.maxY >= -margin && this.minY <= height + margin;
  }

  /** Becomes another shape, of these rings, lines or points. */
  replace(kind: ShapeKind, parts: readonly Float64Array[]): void {
    const total = parts.reduce((sum, part) => sum + part.length / 2, 0);
    // The parts may be views of the places that are written here.
    const copies = parts.map((part) => part.slice());
    this.#makeRoom(total, parts.length);
    this.#begin();
    this.kind = kind;
    for (const part of copies) {
      this.isOuter[this.rings] = 1;
      this.#addRing(part, 0, part.length, asItIs, 0);
    }
  }

  move(right: number, down: number): void {
    const last = (this.ends[this.rings - 1] ?? 0) * 2;
    for (let at = 0; at < last; at += 2) {
      this.places[at] = (this.places[at] ?? 0) + right;
      this.places[at + 1] = (this.places[at + 1] ?? 0) + down;
    }
    this.minX += right;
    this.maxX += right;
    this.minY += down;
    this.maxY += down;
  }

  #begin(): void {
    this.rings = 0;
    this.minX = Number.POSITIVE_INFINITY;
    this.minY = Number.POSITIVE_INFINITY;
    this.maxX = Number.NEGATIVE_INFINITY;
    this.maxY = Number.NEGATIVE_INFINITY;
  }

  #makeRoom(positions: number, rings: number): void {
    if (this.places.length < positions * 2) {
      this.places = new Float64Array(positions * 3);
      this.#projected = new Float64Array(positions * 3);
    }
    if (this.ends.length < rings) {
      this.ends = new Uint32Array(rings * 2);
      this.isOuter = new Uint8Array(rings * 2);
    }
  }

  /** Leaves out what cannot be told from the place before it, but never the end of a line, nor what would leave no ring. */
  #addRing(source: Float64Array, start: number, end: number, frame: ToPixels, shiftX: number): void {
    const { xx, xy, x0, yx, yy, y0 } = frame;
    const { places, kind } = this;
    const isThinned = kind !== POINTS && end - start > 8;
    const from = this.rings === 0 ? 0 : (this.ends[this.rings - 1] ?? 0) * 2;
    let to = from;
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let at = start; at < end; at += 2) {
      const x = (source[at] ?? Number.NaN) + shiftX;
      const y = source[at + 1] ?? Number.NaN;
      const pixelX = xx * x + xy * y + x0;
      const pixelY = yx * x + yy * y + y0;
      // What has no place is left out, and the rest is drawn.
      if (!(Math.abs(pixelX) < FAR && Math.abs(pixelY) < FAR)) continue;
      if (
        isThinned &&
        pixelX - lastX < NEAR &&
        pixelX - lastX > -NEAR &&
        pixelY - lastY < NEAR &&
        pixelY - lastY > -NEAR &&
        at + 2 < end
      ) {
        continue;
      }
      places[to] = pixelX;
      places[to + 1] = pixelY;
      to += 2;
      lastX = pixelX;
      lastY = pixelY;
      if (pixelX < this.minX) this.minX = pixelX;
      if (pixelX > this.maxX) this.maxX = pixelX;
      if (pixelY < this.minY) this.minY = pixelY;
      if (pixelY > this.maxY) this.maxY = pixelY;
    }
    // The first place of a ring is written again as its last: a ring is closed in any case.
    if (kind === POLYGONS && to - from > 2 && places[from] === lastX && places[from + 1] === lastY) to -= 2;
    if (to === from) return;
    this.ends[this.rings] = to / 2;
    this.rings += 1;
  }
}

type ToPixels = Pick<Frame, 'xx' | 'xy' | 'x0' | 'yx' | 'yy' | 'y0'>;

/** Of what is in pixels already. */
const asItIs: ToPixels = { xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0 };

/** Places farther away than this, in pixels, are nowhere; it is far more than any map that can be drawn. */
const FAR = 1e12;
