/**
 * Thin lines, of which maps have very many: two sides that follow the line, with a corner each where it turns. What the
 * sides do where a line turns within its own width is too small to be seen.
 */
import type { ScanlineRasterizer } from './scanline-rasterizer.ts';

/** Corners with less than this (the cosine of the turn, plus one) are cut off: a tip would be longer than the line is wide. */
const SHARP = 0.5;

/** The sides of a line, the second in the direction of the line too. They are used again for the next one. */
let one = new Float64Array(512);
let other = new Float64Array(512);

/**
 * A line through places of an array (x and y by turns, in pixels), from one of them to before another; all differ from
 * those before. Its ends are cut straight.
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
    coverage.addRing(one, 0, length, true);
    coverage.addRing(other, 0, length, false);
    return;
  }
  // Along one side and back along the other.
  for (let at = 0; at < length; at += 2) {
    one[length + at] = other[length - at - 2] ?? 0;
    one[length + at + 1] = other[length - at - 1] ?? 0;
  }
  coverage.addRing(one, 0, length * 2, true);
}

function ensureCapacity(size: number): void {
  if (one.length >= size) return;
  one = new Float64Array(size * 2);
  other = new Float64Array(size * 2);
}

/** Where the sides go; tells how many numbers that is. */
function followSides(places: ArrayLike<number>, start: number, end: number, isClosed: boolean, half: number): number {
  const whole = 1 / (2 * half * half);
  let x = places[start] ?? 0;
  let y = places[start + 1] ?? 0;
  // From the line to its side, in the stretch before a place; a line that is open has none before its first.
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
    // The square of what two sides make together is twice this, in squares of a side.
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
