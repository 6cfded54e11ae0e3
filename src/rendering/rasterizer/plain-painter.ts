/** Paints plain fills, lines and marks into a picture by pixel coverage. */

import { LINES, POINTS } from '../../vector/port/packed-features.ts';
import { splitIntoDashes } from '../shapes/dashes.ts';
import { computeRingArea, offsetOutwards, offsetToSide } from '../shapes/offset-line.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { MarkStamps } from './mark-stamps.ts';
import { addOutline } from './outline.ts';
import type { Ink, Picture } from './picture.ts';
import type { AreaPaint, LinePaint, MarkPaint } from './plain-paint.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

export class PlainPainter {
  readonly #picture: Picture;
  readonly #coverage: ScanlineRasterizer;
  readonly #stamps = new MarkStamps((paint, into, x, y) => this.#paintStamp(paint, into, x, y));

  /** `coverage` can be shared, because it is empty after each painted shape. */
  constructor(picture: Picture, coverage: ScanlineRasterizer) {
    this.#picture = picture;
    this.#coverage = coverage;
  }

  paintArea(shape: PixelShape, paint: AreaPaint): void {
    if (shape.kind === POINTS) return;
    const { fill, line, offset, shiftX, shiftY } = paint;
    if (offset !== 0 || shiftX !== 0 || shiftY !== 0) {
      this.#paintMoved(shape, paint);
      return;
    }
    if (fill !== undefined && !isHidden(shape, line)) {
      this.#addRings(shape);
      this.#sweep(fill);
    }
    if (line === undefined) return;
    let start = 0;
    for (let ring = 0; ring < shape.rings; ring += 1) {
      const end = shape.ends[ring] ?? start;
      this.#addLine(shape.places, start * 2, end * 2, shape.kind !== LINES, line);
      start = end;
    }
    this.#sweep(line.ink);
  }

  /** Paints a mark at each point of a shape, or at the centre of each line and polygon. */
  paintMarks(shape: PixelShape, paint: MarkPaint): void {
    if (shape.kind !== POINTS) {
      forEachMiddle(shape, (x, y) => this.#paintMark(paint, x, y));
      return;
    }
    const { places } = shape;
    const end = (shape.ends[shape.rings - 1] ?? 0) * 2;
    for (let at = 0; at < end; at += 2) this.#paintMark(paint, places[at] ?? 0, places[at + 1] ?? 0);
  }

  #paintMark(paint: MarkPaint, atX: number, atY: number): void {
    const x = atX + paint.shift[0];
    const y = atY + paint.shift[1];
    if (!this.#stamps.paint(paint, x, y, this.#picture)) this.paintMarkExactly(paint, x, y);
  }

  /** Paints a mark without a stamp: its edges are computed again for each position. */
  paintMarkExactly({ outline, fill, line }: MarkPaint, x: number, y: number): void {
    if (fill !== undefined && !outline.isLine) {
      for (const { places } of outline.lines) this.#addPolygon(places, x, y);
      this.#sweep(fill);
    }
    if (line === undefined) return;
    for (const { places, isClosed } of outline.lines) {
      const moved = places.map((place, at) => place + (at % 2 === 0 ? x : y));
      this.#addLine(moved, 0, moved.length, isClosed, line);
    }
    this.#sweep(line.ink);
  }

  /** Paints a shape with an offset: its outlines become new lines, and a fill grows with them. */
  #paintMoved(shape: PixelShape, paint: AreaPaint): void {
    const { fill, line } = paint;
    const isClosed = shape.kind !== LINES;
    const moved: Float64Array[] = [];
    let start = 0;
    for (let ring = 0; ring < shape.rings; ring += 1) {
      const end = shape.ends[ring] ?? start;
      const places = shape.places.subarray(start * 2, end * 2);
      moved.push(
        isClosed ? offsetOutwards(places, shape.isOuter[ring] === 1, paint) : offsetToSide(places, false, paint),
      );
      start = end;
    }
    if (fill !== undefined) {
      for (const [ring, places] of moved.entries()) this.#addRing(places, 0, places.length, shape.isOuter[ring] === 1);
      this.#sweep(fill);
    }
    if (line === undefined) return;
    for (const places of moved) this.#addLine(places, 0, places.length, isClosed, line);
    this.#sweep(line.ink);
  }

  #addRings({ places, ends, isOuter, rings }: PixelShape): void {
    let start = 0;
    for (let ring = 0; ring < rings; ring += 1) {
      const end = ends[ring] ?? start;
      this.#addRing(places, start * 2, end * 2, isOuter[ring] === 1);
      start = end;
    }
  }

  /** Adds outer rings in one direction and holes in the other, independent of their orientation in the data. */
  #addRing(places: Float64Array, start: number, end: number, isOuter: boolean): void {
    if (end - start < 6) return;
    this.#coverage.addRing(places, start, end, computeRingArea(places, start, end) > 0 === isOuter);
  }

  #addPolygon(places: Float64Array, x: number, y: number): void {
    const { length } = places;
    for (let at = 0, last = length - 2; at < length; last = at, at += 2) {
      this.#coverage.addEdge(
        (places[last] ?? 0) + x,
        (places[last + 1] ?? 0) + y,
        (places[at] ?? 0) + x,
        (places[at + 1] ?? 0) + y,
      );
    }
  }

  #addLine(places: Float64Array, start: number, end: number, isClosed: boolean, line: LinePaint): void {
    const { pen } = line;
    if (line.dashes.length === 0) {
      addOutline(this.#coverage, places, isClosed, pen, start, end);
      return;
    }
    const { width, height } = this.#picture;
    const margin = pen.width * 10;
    const window = { minX: -margin, minY: -margin, maxX: width + margin, maxY: height + margin };
    for (const dash of splitIntoDashes(places.subarray(start, end), isClosed, line, window)) {
      addOutline(this.#coverage, dash, false, pen);
    }
  }

  #sweep(ink: Ink): void {
    this.#coverage.paintInto(this.#picture, ink);
  }

  #paintStamp(paint: MarkPaint, into: Picture, x: number, y: number): void {
    const coverage = new ScanlineRasterizer(into.width, into.height);
    coverage.isSharp = this.#coverage.isSharp;
    new PlainPainter(into, coverage).paintMarkExactly(paint, x, y);
  }
}

/** Returns whether a shape is no wider than its outline, which then hides the fill. */
function isHidden({ minX, minY, maxX, maxY }: PixelShape, line: LinePaint | undefined): boolean {
  if (line === undefined || line.ink.alpha < 255 || line.dashes.length > 0) return false;
  return maxX - minX <= line.pen.width || maxY - minY <= line.pen.width;
}
