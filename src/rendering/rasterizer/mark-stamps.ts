/**
 * Caches a mark as small pictures, one for each position within a pixel, and copies them: a map of many points paints
 * its mark a few hundred times at most.
 */
import { Picture } from './picture.ts';
import type { MarkPaint } from './plain-paint.ts';

/**
 * Positions within a pixel along each axis. Marks move by up to a 32nd of a pixel, which changes the coverage of a
 * pixel at an edge by up to 4%.
 */
const STEPS = 16;
const STEP_BITS = 4;

/** Larger marks are rare, and their pictures would use much memory. */
const MAX_SIDE_PIXELS = 64;

/** The maximum memory of the stamps of a map: 4 MB. */
const MAX_TOTAL_PIXELS = 1_048_576;

/** Masks every other byte of a pixel, and adds one half to each of them for rounding. */
const TWO_CHANNELS = 0x00ff00ff;
const HALVES = 0x00800080;

/** A picture of a mark without its empty borders, relative to the pixel of its position. */
interface Stamp {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Int32Array;
}

/** Paints a mark at a position into an empty picture. */
export type PaintMark = (paint: MarkPaint, into: Picture, x: number, y: number) => void;

/** The stamps of all marks of one map. */
export class MarkStamps {
  readonly #draw: PaintMark;
  readonly #byPaint = new Map<MarkPaint, StampSet | undefined>();
  #room = MAX_TOTAL_PIXELS;

  constructor(draw: PaintMark) {
    this.#draw = draw;
  }

  /** Paints a mark; returns false if the mark has no stamp and is not painted. */
  paint(paint: MarkPaint, x: number, y: number, into: Picture): boolean {
    let set = this.#byPaint.get(paint);
    if (set === undefined) {
      if (this.#byPaint.has(paint)) return false;
      set = createStampSet(paint);
      this.#byPaint.set(paint, set);
      if (set === undefined) return false;
    }
    const { reach, stamps } = set;
    // Marks outside the picture have no valid pixel numbers.
    if (!(x > -reach && y > -reach && x < into.width + reach && y < into.height + reach)) return true;
    const stepX = Math.floor(x * STEPS + 0.5);
    const stepY = Math.floor(y * STEPS + 0.5);
    const key = ((stepY & (STEPS - 1)) << STEP_BITS) | (stepX & (STEPS - 1));
    let stamp = stamps[key];
    if (stamp === undefined) {
      if (this.#room < 0) return false;
      stamp = createStamp(key, reach, (whole, atX, atY) => this.#draw(paint, whole, atX, atY));
      stamps[key] = stamp;
      this.#room -= stamp.pixels.length;
    }
    copyStamp(stamp, stepX >> STEP_BITS, stepY >> STEP_BITS, into);
    return true;
  }
}

interface StampSet {
  /** The maximum distance that the mark extends from its position, in whole pixels. */
  readonly reach: number;
  readonly stamps: (Stamp | undefined)[];
}

/** Sharp corners extend farther than the sides of a line: by the miter limit at most. */
const MITER_REACH = 5;

function createStampSet({ outline, line }: MarkPaint): StampSet | undefined {
  let extent = 0;
  for (const { places } of outline.lines) for (const place of places) extent = Math.max(extent, Math.abs(place));
  const reach = Math.ceil(extent + (line?.pen.width ?? 0) * MITER_REACH) + 2;
  if (!(reach * 2 <= MAX_SIDE_PIXELS)) return undefined;
  return { reach, stamps: new Array<Stamp | undefined>(STEPS * STEPS).fill(undefined) };
}

function createStamp(key: number, reach: number, draw: (into: Picture, x: number, y: number) => void): Stamp {
  const side = reach * 2;
  const whole = new Picture(side, side);
  draw(whole, reach + (key & (STEPS - 1)) / STEPS, reach + (key >> STEP_BITS) / STEPS);
  let [left, top, right, bottom] = [side, side, -1, -1];
  for (let row = 0, at = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1, at += 1) {
      if (whole.pixels[at] === 0) continue;
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      bottom = row;
    }
  }
  const [width, height] = [Math.max(0, right - left + 1), Math.max(0, bottom - top + 1)];
  const pixels = new Int32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (top + row) * side + left;
    pixels.set(whole.pixels.subarray(start, start + width), row * width);
  }
  return { left: left - reach, top: top - reach, width, height, pixels };
}

/** Composites a stamp over the picture at a pixel. */
function copyStamp({ left, top, width, height, pixels }: Stamp, column: number, row: number, into: Picture): void {
  const target = into.pixels;
  const [x, y] = [column + left, row + top];
  const [firstX, lastX] = [Math.max(0, -x), Math.min(width, into.width - x)];
  const [firstY, lastY] = [Math.max(0, -y), Math.min(height, into.height - y)];
  for (let each = firstY; each < lastY; each += 1) {
    let to = (y + each) * into.width + x + firstX;
    const end = each * width + lastX;
    for (let at = each * width + firstX; at < end; at += 1, to += 1) {
      const pixel = pixels[at] ?? 0;
      const opacity = pixel >>> 24;
      if (opacity === 255) {
        target[to] = pixel;
      } else if (opacity !== 0) {
        const below = target[to] ?? 0;
        const remainder = 255 - opacity;
        // Process two channels at a time, with a byte between them; the additions divide by 255 with rounding.
        const even = Math.imul(below & TWO_CHANNELS, remainder) + HALVES;
        const odd = Math.imul((below >>> 8) & TWO_CHANNELS, remainder) + HALVES;
        const keptEven = ((even + ((even >>> 8) & TWO_CHANNELS)) >>> 8) & TWO_CHANNELS;
        const keptOdd = (odd + ((odd >>> 8) & TWO_CHANNELS)) & ~TWO_CHANNELS;
        target[to] = pixel + (keptEven | keptOdd);
      }
    }
  }
}
