/**
 * Computes the exact pixel coverage of a shape: each edge records in each pixel its change of the area to the right,
 * and one sweep over the rows accumulates the changes. Plain fills and outlines take a tenth of the time of a drawing
 * library, whose cost is per edge and per call.
 *
 * The fill rule is `nonzero`: overlaps count once, and both lobes of a self-crossing shape are covered. Holes must
 * have the opposite orientation of their outer ring.
 */

import type { Ink, Picture } from './picture.ts';

/** Receives the covered spans of a shape, row by row and from left to right; coverage is above 0 and at most 1. */
export type SpanTarget = (row: number, start: number, end: number, coverage: number) => void;

/** Full coverage in integer steps; eight bits do not resolve more. */
const WHOLE = 256;

/** Masks every other byte of a pixel, and adds one half to each of them for rounding. */
const TWO_CHANNELS = 0x00ff00ff;
const HALVES = 0x00800080;

/** Less coverage than this is invisible in eight bits. */
const MIN_COVERAGE = 1 / 512;

export class ScanlineRasterizer {
  readonly width: number;
  readonly height: number;
  /** Whether pixels are covered completely or not at all, so that shapes have no intermediate colours. */
  isSharp = false;
  /** A row has two more cells than pixels, for the changes of edges right of the picture. */
  readonly #stride: number;
  readonly #changes: Float32Array;
  /** The cells that areas have changed. */
  #left: number;
  #right = -1;
  #top: number;
  #bottom = -1;
  /** The rows that edges and lines have changed, and the first and last changed cell of each. */
  #edgeTop: number;
  #edgeBottom = -1;
  readonly #rowLeft: Int32Array;
  readonly #rowRight: Int32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#stride = width + 2;
    this.#changes = new Float32Array(this.#stride * height);
    this.#left = width;
    this.#top = height;
    this.#edgeTop = height;
    this.#rowLeft = new Int32Array(height).fill(width);
    this.#rowRight = new Int32Array(height).fill(-1);
  }

  /** Adds an edge of the shape in pixel coordinates, with y downwards. The order of edges is irrelevant. */
  addEdge(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY < toY) this.#addDownwards(fromX, fromY, toX, toY, 1);
    else if (fromY > toY) this.#addDownwards(toX, toY, fromX, fromY, -1);
  }

  /**
   * Adds a closed line: the positions (alternating x and y) from `start` to before `end`, forwards or backwards. Set
   * `isNarrow` for outlines of lines, which cover little of their bounds: a sweep then skips most of it.
   */
  addRing(places: Float64Array, start: number, end: number, isForward: boolean, isNarrow = false): void {
    if (end <= start) return;
    let minX = places[start] ?? 0;
    let minY = places[start + 1] ?? 0;
    let maxX = minX;
    let maxY = minY;
    for (let at = start + 2; at < end; at += 2) {
      const x = places[at] ?? 0;
      const y = places[at + 1] ?? 0;
      if (x < minX) minX = x;
      else if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      else if (y > maxY) maxY = y;
    }
    if (minX >= 0 && maxX <= this.width && minY >= 0 && maxY <= this.height) {
      // Rounding may move an edge into a neighbouring pixel, but its contribution there is invisible.
      const [top, bottom] = [minY | 0, Math.ceil(maxY) - 1];
      if (isNarrow) {
        if (top < this.#edgeTop) this.#edgeTop = top;
        if (bottom > this.#edgeBottom) this.#edgeBottom = bottom;
      } else {
        this.#widen(minX | 0, (maxX | 0) + 1, top, bottom);
      }
      this.#addRingInside(places, start, end, isForward ? 1 : -1, isNarrow);
      return;
    }
    let [x, y] = [places[end - 2] ?? 0, places[end - 1] ?? 0];
    for (let at = start; at < end; at += 2) {
      const toX = places[at] ?? 0;
      const toY = places[at + 1] ?? 0;
      if (isForward) this.addEdge(x, y, toX, toY);
      else this.addEdge(toX, toY, x, y);
      x = toX;
      y = toY;
    }
  }

  /** Paints the covered pixels and clears the buffer. Equivalent to `sweep`, without a call for each span. */
  paintInto({ pixels, width }: Picture, ink: Ink): void {
    const changes = this.#changes;
    const { isSharp } = this;
    const { alpha, pixel } = ink;
    const [pixelEven, pixelOdd] = [pixel & TWO_CHANNELS, (pixel >>> 8) & TWO_CHANNELS];
    const last = Math.max(this.#bottom, this.#edgeBottom);
    for (let row = Math.min(this.#top, this.#edgeTop); row <= last; row += 1) {
      this.#takeRow(row);
      const end = this.#rowEnd;
      const right = Math.min(end, width - 1);
      const offset = row * this.#stride;
      const first = row * width;
      let sum = 0;
      let column = this.#rowStart;
      while (column <= right) {
        sum += changes[offset + column] ?? 0;
        changes[offset + column] = 0;
        // Neighbouring pixels differ, so a branch here would often be predicted wrongly.
        let share = Math.min(WHOLE, Math.abs(sum) * WHOLE + 0.5) | 0;
        if (isSharp) share = share >= WHOLE / 2 ? WHOLE : 0;
        const start = column;
        column += 1;
        while (column <= right && changes[offset + column] === 0) column += 1;
        if (share === 0) continue;
        const remainder = WHOLE - (alpha === 255 ? share : ((share * alpha + 127) / 255) | 0);
        // Process two channels at a time, with a byte between them. Rounding to the nearest step keeps opaque pixels
        // opaque, and no channel overflows into the next: the error of the sum is below the half that is added.
        const even = Math.imul(pixelEven, share) + HALVES;
        const odd = Math.imul(pixelOdd, share) + HALVES;
        for (let at = first + start; at < first + column; at += 1) {
          const below = pixels[at] ?? 0;
          const mixedEven = (even + Math.imul(below & TWO_CHANNELS, remainder)) >>> 8;
          const mixedOdd = odd + Math.imul((below >>> 8) & TWO_CHANNELS, remainder);
          pixels[at] = (mixedEven & TWO_CHANNELS) | (mixedOdd & ~TWO_CHANNELS);
        }
      }
      for (let column = right + 1; column <= end; column += 1) changes[offset + column] = 0;
    }
    this.#clear();
  }

  /** Reports the covered spans and clears the buffer. */
  sweep(target: SpanTarget): void {
    const changes = this.#changes;
    const { width } = this;
    const last = Math.max(this.#bottom, this.#edgeBottom);
    for (let row = Math.min(this.#top, this.#edgeTop); row <= last; row += 1) {
      this.#takeRow(row);
      const end = this.#rowEnd;
      const offset = row * this.#stride;
      let sum = 0;
      let start = this.#rowStart;
      let coverage = 0;
      for (let column = start; column <= end; column += 1) {
        const change = changes[offset + column] ?? 0;
        if (change === 0) continue;
        changes[offset + column] = 0;
        if (coverage >= MIN_COVERAGE) target(row, start, Math.min(column, width), coverage);
        sum += change;
        coverage = sum < 0 ? -sum : sum;
        if (coverage > 1) coverage = 1;
        start = column;
      }
      if (coverage >= MIN_COVERAGE && start < width) target(row, start, Math.min(end + 1, width), coverage);
    }
    this.#clear();
  }

  /** The first and last changed cell of the row that a sweep visits. */
  #rowStart = 0;
  #rowEnd = -1;

  /** Finds the changed cells of a row, and clears the record of them. */
  #takeRow(row: number): void {
    let start = this.#rowLeft[row] ?? 0;
    let end = this.#rowRight[row] ?? -1;
    this.#rowLeft[row] = this.width;
    this.#rowRight[row] = -1;
    if (row >= this.#top && row <= this.#bottom) {
      if (this.#left < start) start = this.#left;
      if (this.#right > end) end = this.#right;
    }
    this.#rowStart = start;
    this.#rowEnd = end;
  }

  /** Extends the range of columns and rows that a sweep visits. */
  #widen(left: number, right: number, top: number, bottom: number): void {
    if (left < this.#left) this.#left = left;
    if (right > this.#right) this.#right = right;
    if (top < this.#top) this.#top = top;
    if (bottom > this.#bottom) this.#bottom = bottom;
  }

  #clear(): void {
    this.#left = this.width;
    this.#right = -1;
    this.#top = this.height;
    this.#bottom = -1;
    this.#edgeTop = this.height;
    this.#edgeBottom = -1;
  }

  /** Inlines all edges and rows, which is twice as fast as a call for each: maps spend most of their time here. */
  #addRingInside(places: Float64Array, start: number, end: number, turn: number, isNarrow: boolean): void {
    const changes = this.#changes;
    const [rowLeft, rowRight] = [this.#rowLeft, this.#rowRight];
    const stride = this.#stride;
    let nextX = places[end - 2] ?? 0;
    let nextY = places[end - 1] ?? 0;
    for (let place = start; place < end; place += 2) {
      const beforeX = nextX;
      const beforeY = nextY;
      nextX = places[place] ?? 0;
      nextY = places[place + 1] ?? 0;
      if (beforeY === nextY) continue;
      const isDown = beforeY < nextY;
      const direction = isDown ? turn : -turn;
      const topX = isDown ? beforeX : nextX;
      const topY = isDown ? beforeY : nextY;
      const bottomX = isDown ? nextX : beforeX;
      const bottomY = isDown ? nextY : beforeY;
      // All values are non-negative here, so `| 0` is the fastest truncation.
      let row = topY | 0;
      const endRow = bottomY | 0;
      const lastRow = endRow === bottomY ? endRow - 1 : endRow;
      const slope = row < lastRow ? (bottomX - topX) / (bottomY - topY) : 0;
      let x = topX;
      let y = topY;
      for (;;) {
        const endX = row < lastRow ? topX + slope * (row + 1 - topY) : bottomX;
        const endY = row < lastRow ? row + 1 : bottomY;
        const area = direction * (endY - y);
        const low = Math.min(x, endX);
        const high = Math.max(x, endX);
        const first = low | 0;
        const at = row * stride + first;
        if (isNarrow) {
          const beyond = (high | 0) + 1;
          if (first < (rowLeft[row] ?? 0)) rowLeft[row] = first;
          if (beyond > (rowRight[row] ?? 0)) rowRight[row] = beyond;
        }
        if (high <= first + 1) {
          // Within one pixel: the area right of the centre of the edge is covered.
          const beside = ((low + high) / 2 - first) * area;
          changes[at] = (changes[at] ?? 0) + area - beside;
          changes[at + 1] = (changes[at + 1] ?? 0) + beside;
        } else if (high <= first + 2) {
          // Within two pixels: a triangle of the first is covered, and all but a triangle of the second.
          const perPixel = area / (high - low) / 2;
          const covered = (first + 1 - low) * (first + 1 - low) * perPixel;
          const left = (high - first - 1) * (high - first - 1) * perPixel;
          changes[at] = (changes[at] ?? 0) + covered;
          changes[at + 1] = (changes[at + 1] ?? 0) + area - left - covered;
          changes[at + 2] = (changes[at + 2] ?? 0) + left;
        } else {
          this.#addAcross(at, low - first, high - first, area);
        }
        if (row >= lastRow) break;
        x = endX;
        y = endY;
        row += 1;
      }
    }
  }

  #addDownwards(x: number, y: number, endX: number, endY: number, direction: number): void {
    const { width, height } = this;
    if (y >= 0 && endY <= height && x >= 0 && x <= width && endX >= 0 && endX <= width) {
      this.#addInside(x, y, endX, endY, direction);
      return;
    }
    if (!(endY > 0 && y < height)) return;
    const slope = (endX - x) / (endY - y);
    const startY = Math.max(y, 0);
    const stopY = Math.min(endY, height);
    this.#addBeside(x + (startY - y) * slope, startY, endX - (endY - stopY) * slope, stopY, slope, direction);
  }

  /**
   * Adds an edge within the rows. Parts left of the picture change its first column; parts right of it change no
   * pixel.
   */
  #addBeside(x: number, y: number, endX: number, endY: number, slope: number, direction: number): void {
    const { width } = this;
    if (Math.max(x, endX) <= 0) {
      this.#addInside(0, y, 0, endY, direction);
    } else if (Math.min(x, endX) >= width) {
      this.#addInside(width, y, width, endY, direction);
    } else if (Math.min(x, endX) >= 0 && Math.max(x, endX) <= width) {
      this.#addInside(x, y, endX, endY, direction);
    } else {
      // The edge crosses a border: split it, since each half may cross the other border.
      const border = Math.min(x, endX) < 0 ? 0 : width;
      const middleY = Math.min(endY, Math.max(y, y + (border - x) / slope));
      if (middleY > y) this.#addBeside(x, y, border, middleY, slope, direction);
      if (endY > middleY) this.#addBeside(border, middleY, endX, endY, slope, direction);
    }
  }

  #addInside(fromX: number, fromY: number, endX: number, endY: number, direction: number): void {
    // All values are non-negative here, so `| 0` is the fastest truncation.
    const row = fromY | 0;
    const endRow = endY | 0;
    const lastRow = endRow === endY ? endRow - 1 : endRow;
    if (row < this.#edgeTop) this.#edgeTop = row;
    if (lastRow > this.#edgeBottom) this.#edgeBottom = lastRow;
    if (row >= lastRow) {
      this.#addInRow(lastRow, fromX, endX, direction * (endY - fromY));
      return;
    }
    const slope = (endX - fromX) / (endY - fromY);
    let x = fromX;
    let y = fromY;
    for (let each = row; each <= lastRow; each += 1) {
      const isLast = each === lastRow;
      const nextY = isLast ? endY : each + 1;
      const nextX = isLast ? endX : Math.min(this.width, Math.max(0, fromX + slope * (nextY - fromY)));
      this.#addInRow(each, x, nextX, direction * (nextY - y));
      x = nextX;
      y = nextY;
    }
  }

  /** Adds the part of an edge within one row. `area` is its signed height. */
  #addInRow(row: number, x: number, endX: number, area: number): void {
    const changes = this.#changes;
    const low = Math.min(x, endX);
    const high = Math.max(x, endX);
    const first = low | 0;
    const at = row * this.#stride + first;
    if (first < (this.#rowLeft[row] ?? 0)) this.#rowLeft[row] = first;
    if (high <= first + 1) {
      // Within one pixel: the area right of the centre of the edge is covered.
      const beside = ((low + high) / 2 - first) * area;
      if (first + 1 > (this.#rowRight[row] ?? 0)) this.#rowRight[row] = first + 1;
      changes[at] = (changes[at] ?? 0) + area - beside;
      changes[at + 1] = (changes[at + 1] ?? 0) + beside;
      return;
    }
    const last = Math.ceil(high);
    if (last > (this.#rowRight[row] ?? 0)) this.#rowRight[row] = last;
    this.#addAcross(at, low - first, high - first, area);
  }

  /** Adds an edge across several pixels of a row. `low` and `high` are relative to the first of them. */
  #addAcross(at: number, low: number, high: number, area: number): void {
    const changes = this.#changes;
    const count = Math.ceil(high);
    const perPixel = area / (high - low);
    // Compute the coverage of each pixel; its change is the difference to the previous pixel.
    let before = 0;
    for (let index = 0; index < count; index += 1) {
      const start = Math.max(low, index);
      const end = Math.min(high, index + 1);
      // The triangle below the edge in this pixel, plus the height of the edge before it.
      const fallen = (start - low) * perPixel;
      const covered = fallen + (end - start) * perPixel * (index + 1 - (start + end) / 2);
      changes[at + index] = (changes[at + index] ?? 0) + (covered - before);
      before = covered;
    }
    changes[at + count] = (changes[at + count] ?? 0) + (area - before);
  }
}
