/**
 * Adds thin lines, the most frequent shape in maps: two sides parallel to the line, with one corner at each turn.
 * Artefacts of turns within the line width are too small to be visible.
 */
import type { ScanlineRasterizer } from './scanline-rasterizer.ts';

/** Sharper corners (cosine of the turn, plus one) are bevelled: their tip would be longer than the line width. */
const SHARP = 0.5;

/** The two sides of a line, both in its direction. The buffers are reused for the next line. */
let one = new Float64Array(512);
let other = new Float64Array(512);

/**
 * Adds a line through positions of an array (alternating x and y, in pixels), from `start` to before `end`, without
 * repeated positions. Its caps are flat.
 */
export function addThinOutline(
  coverage: ScanlineRasterizer,
  places: ArrayLike<number>,
  start: number,
  end: number,
  isClosed: boolean,
  width: number,
): void {
  ensureCapacity((end - start) * 4);
  const length = followSides(places, start, end, isClosed, width / 2);
  if (isClosed) {
    coverage.addRing(one, 0, length, true, true);
    coverage.addRing(other, 0, length, false, true);
    return;
  }
  // Go along one side and back along the other.
  for (let at = 0; at < length; at += 2) {
    one[length + at] = other[length - at - 2] ?? 0;
    one[length + at + 1] = other[length - at - 1] ?? 0;
  }
  coverage.addRing(one, 0, length * 2, true, true);
}

function ensureCapacity(size: number): void {
  if (one.length >= size) return;
  one = new Float64Array(size * 2);
  other = new Float64Array(size * 2);
}

/** Computes the sides and returns the number of coordinates. */
function followSides(places: ArrayLike<number>, start: number, end: number, isClosed: boolean, half: number): number {
  const whole = 1 / (2 * half * half);
  let x = places[start] ?? 0;
  let y = places[start + 1] ?? 0;
  // The offset from the line to its side in the previous segment; the first position of an open line has none.
  const beforeX = x - (places[end - 2] ?? 0);
  const beforeY = y - (places[end - 1] ?? 0);
  const toSide = isClosed ? half / Math.sqrt(beforeX * beforeX + beforeY * beforeY) : 0;
  let sideX = -beforeY * toSide;
  let sideY = beforeX * toSide;
  let to = 0;
  for (let at = start; at < end; at += 2) {
    const isLast = at + 2 >= end;
    const next = isLast ? start : at + 2;
    const nextX = places[next] ?? 0;
    const nextY = places[next + 1] ?? 0;
    const alongX = nextX - x;
    const alongY = nextY - y;
    const scale = half / Math.sqrt(alongX * alongX + alongY * alongY);
    const nextSideX = isLast && !isClosed ? sideX : -alongY * scale;
    const nextSideY = isLast && !isClosed ? sideY : alongX * scale;
    const isEnd = !isClosed && at === start;
    const sumX = isEnd ? nextSideX * 2 : sideX + nextSideX;
    const sumY = isEnd ? nextSideY * 2 : sideY + nextSideY;
    // The squared sum of two side offsets is twice this value, in units of a squared side offset.
    const bend = (sumX * sumX + sumY * sumY) * whole;
    if (bend < SHARP) {
      one[to] = x + sideX;
      one[to + 1] = y + sideY;
      other[to] = x - sideX;
      other[to + 1] = y - sideY;
      to += 2;
    }
    const cornerX = bend < SHARP ? nextSideX : sumX / bend;
    const cornerY = bend < SHARP ? nextSideY : sumY / bend;
    one[to] = x + cornerX;
    one[to + 1] = y + cornerY;
    other[to] = x - cornerX;
    other[to + 1] = y - cornerY;
    to += 2;
    x = nextX;
    y = nextY;
    sideX = nextSideX;
    sideY = nextSideY;
  }
  return to;
}
