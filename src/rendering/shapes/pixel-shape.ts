/** One geometry in pixels, in arrays that are reused for the next: a map has many shapes, and each is used once. */
import type { Bounds } from '../../crs/bounds.ts';
import {
  type FeatureBatch,
  POINTS,
  POLYGONS,
  SHAPE_FIELDS,
  type ShapeKind,
} from '../../vector/port/packed-features.ts';
import { clipLine, clipRing, densifyLine } from './clip.ts';
import type { Frame } from './frame.ts';
import { placeInArea } from './place-in-area.ts';

/** Projects coordinates (alternating x and y) from `start` to before `end` of one array into another. */
export type Projector = (from: Float64Array, start: number, end: number, into: Float64Array) => void;

/** The projection of features to the CRS of the map. */
export interface Projection {
  readonly project: Projector;
  /** The valid area in the CRS of the features; geometries are clipped to it first. Undefined for no limit. */
  readonly area: Bounds | undefined;
  /** The width of the Earth in that CRS; infinite if the CRS does not wrap around. */
  readonly world: number;
  /** The left edge of a map whose edges do not meet, in that CRS; undefined for others. */
  readonly seam: number | undefined;
}

/** Positions of lines and rings closer than this, in pixels, are merged: the difference is invisible. */
const NEAR = 0.2;

/** The maximum size of a small shape in pixels, and the distance within which its positions are merged. */
const SMALL = 4;
const NEAR_IN_SMALL = 0.9;

export class PixelShape {
  kind: ShapeKind = POINTS;
  /** Alternating x and y. */
  places = new Float64Array(1_024);
  /** The end of each ring, line or group of points, in positions. */
  ends = new Uint32Array(64);
  isOuter = new Uint8Array(64);
  rings = 0;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  #projected = new Float64Array(1_024);

  /** Loads a geometry from a batch. `shiftX` is in map units. Returns false if no part has a position on the map. */
  load(batch: FeatureBatch, index: number, projection: Projection | undefined, frame: Frame, shiftX: number): boolean {
    const { shapes, ends, ordinates } = batch;
    const at = index * SHAPE_FIELDS;
    this.kind = (shapes[at + 2] ?? POINTS) as ShapeKind;
    const firstRing = shapes[at + 3] ?? 0;
    const lastRing = shapes[at + 4] ?? 0;
    const first = firstRing === 0 ? 0 : (ends[firstRing - 1] ?? 0);
    this.#ensureCapacity((ends[lastRing - 1] ?? first) - first, lastRing - firstRing);
    this.#begin();
    let start = first;
    for (let ring = firstRing; ring < lastRing; ring += 1) {
      const end = ends[ring] ?? start;
      const isOuter = batch.isOuter[ring] ?? 0;
      if (projection === undefined) this.#addRing(ordinates, start * 2, end * 2, isOuter, frame, shiftX);
      else this.#addProjected(ordinates, start * 2, end * 2, isOuter, projection, frame, shiftX);
      start = end;
    }
    if (this.kind !== POINTS && this.maxX - this.minX < SMALL && this.maxY - this.minY < SMALL) this.#thin();
    return this.rings > 0;
  }

  /** Returns whether the shape, or a copy of it at a distance in pixels, intersects the picture with a margin. */
  isNear({ width, height }: Frame, margin: number, right = 0, down = 0): boolean {
    const isBeside = this.maxX + right < -margin || this.minX + right > width + margin;
    return !isBeside && this.maxY + down >= -margin && this.minY + down <= height + margin;
  }

  /** Replaces the shape by rings, lines or points. */
  replace(kind: ShapeKind, parts: readonly Float64Array[], isOuter?: Uint8Array): void {
    const total = parts.reduce((sum, part) => sum + part.length / 2, 0);
    // The parts may be views of the array that is written here.
    const copies = parts.map((part) => part.slice());
    this.#ensureCapacity(total, parts.length);
    this.#begin();
    this.kind = kind;
    for (const [index, part] of copies.entries())
      this.#addRing(part, 0, part.length, isOuter?.[index] ?? 1, identityTransform, 0);
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

  /** Reserves space for additional positions and rings. */
  #ensureCapacity(positions: number, rings: number): void {
    const used = this.rings === 0 ? 0 : (this.ends[this.rings - 1] ?? 0) * 2;
    if (this.places.length < used + positions * 2) {
      const places = new Float64Array((used + positions * 2) * 2);
      places.set(this.places.subarray(0, used));
      this.places = places;
    }
    if (this.#projected.length < positions * 2) this.#projected = new Float64Array(positions * 3);
    if (this.ends.length < this.rings + rings) {
      const [ends, isOuter] = [new Uint32Array((this.rings + rings) * 2), new Uint8Array((this.rings + rings) * 2)];
      ends.set(this.ends.subarray(0, this.rings));
      isOuter.set(this.isOuter.subarray(0, this.rings));
      this.ends = ends;
      this.isOuter = isOuter;
    }
  }

  /** Simplifies a small shape further, because its corners are invisible. */
  #thin(): void {
    const { places, ends } = this;
    let start = 0;
    let to = 0;
    for (let ring = 0; ring < this.rings; ring += 1) {
      const end = (ends[ring] ?? 0) * 2;
      // Keep a position at each quarter at least, so that a ring still has an area.
      const quarter = 2 * Math.ceil((end - start) / 8);
      for (let at = start; at < end; at += 2) {
        const x = places[at] ?? 0;
        const y = places[at + 1] ?? 0;
        const isNear =
          (at - start) % quarter !== 0 &&
          at + 2 < end &&
          Math.abs(x - (places[to - 2] ?? 0)) < NEAR_IN_SMALL &&
          Math.abs(y - (places[to - 1] ?? 0)) < NEAR_IN_SMALL;
        if (isNear) continue;
        places[to] = x;
        places[to + 1] = y;
        to += 2;
      }
      ends[ring] = to / 2;
      start = end;
    }
  }

  #addProjected(
    ordinates: Float64Array,
    start: number,
    end: number,
    isOuter: number,
    { project, area, world, seam }: Projection,
    frame: Frame,
    shiftX: number,
  ): void {
    if (area === undefined || this.kind === POINTS) {
      project(ordinates, start, end, this.#projected);
      this.#addRing(this.#projected, 0, end - start, isOuter, frame, shiftX);
      return;
    }
    const part = ordinates.subarray(start, end);
    const isRing = this.kind === POLYGONS;
    const placed = placeInArea(part, isRing, { area, world, seam });
    // A line between the edges of the map may have longitudes beyond those of the area.
    const within = seam === undefined ? area : { ...area, minX: seam, maxX: seam + world };
    const pieces = (placed ?? [part]).flatMap((each) => (isRing ? [clipRing(each, within)] : clipLine(each, within)));
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      // Straight lines become curves in another CRS. A placed line has no jumps.
      const bent = densifyLine(piece, isRing, area, placed === undefined ? world : Number.POSITIVE_INFINITY);
      this.#ensureCapacity(bent.length / 2, 1);
      project(bent, 0, bent.length, this.#projected);
      this.#addRing(this.#projected, 0, bent.length, isOuter, frame, shiftX);
    }
  }

  /**
   * Skips positions that are indistinguishable from the previous one, except the end of a line and the minimum for a
   * ring.
   */
  #addRing(source: Float64Array, start: number, end: number, isOuter: number, frame: ToPixels, shiftX: number): void {
    const { xx, xy, x0, yx, yy, y0 } = frame;
    const { places, kind } = this;
    const isThinned = kind !== POINTS && end - start > 8;
    const from = this.rings === 0 ? 0 : (this.ends[this.rings - 1] ?? 0) * 2;
    let to = from;
    let lastX = Number.NaN;
    let lastY = Number.NaN;
    let { minX, minY, maxX, maxY } = this;
    for (let at = start; at < end; at += 2) {
      const x = (source[at] ?? Number.NaN) + shiftX;
      const y = source[at + 1] ?? Number.NaN;
      const pixelX = xx * x + xy * y + x0;
      const pixelY = yx * x + yy * y + y0;
      // Skip positions without an image on the map, and draw the rest.
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
      if (pixelX < minX) minX = pixelX;
      if (pixelX > maxX) maxX = pixelX;
      if (pixelY < minY) minY = pixelY;
      if (pixelY > maxY) maxY = pixelY;
    }
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    // Drop the repeated first position of a ring: rings are closed implicitly.
    if (kind === POLYGONS && to - from > 2 && places[from] === lastX && places[from + 1] === lastY) to -= 2;
    if (to === from) return;
    this.ends[this.rings] = to / 2;
    this.isOuter[this.rings] = isOuter;
    this.rings += 1;
  }
}

type ToPixels = Pick<Frame, 'xx' | 'xy' | 'x0' | 'yx' | 'yy' | 'y0'>;

/** For shapes that are in pixels already. */
const identityTransform: ToPixels = { xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0 };

/** Positions beyond this, in pixels, are invalid; it exceeds any map that can be drawn. */
const FAR = 1e12;
