/**
 * Thin lines, of which maps have very many: two sides that follow the line, with a corner each where it turns. What the
 * sides do where a line turns within its own width is too small to be seen.
 */
import type { Coverage } from './coverage.ts';

/** Corners with less than this (the cosine of the turn, plus one) are cut off: a tip would be longer than the line is wide. */
const SHARP = 0.5;

/** Stands for a corner without a tip. */
const CUT = Number.POSITIVE_INFINITY;

/** From the line to its side, for each stretch; and from each place to where the sides meet. They are used again for the next line. */
let sides = new Float64Array(256);
let corners = new Float64Array(256);

/** A line through places (x and y by turns, in pixels) that all differ from those before; its ends are cut straight. */
export function addThinOutline(coverage: Coverage, line: ArrayLike<number>, isClosed: boolean, width: number): void {
  const { length } = line;
  const last = isClosed ? length : length - 2;
  if (sides.length < length) {
    sides = new Float64Array(length * 2);
    corners = new Float64Array(length * 2);
  }
  findSides(line, last, width / 2);
  findCorners(length, last, isClosed, width / 2);
  for (let from = 0; from < last; from += 2) {
    const to = from + 2 === length ? 0 : from + 2;
    const x = line[from] ?? 0;
    const y = line[from + 1] ?? 0;
    const toX = line[to] ?? 0;
    const toY = line[to + 1] ?? 0;
    const sideX = sides[from] ?? 0;
    const sideY = sides[from + 1] ?? 0;
    const hasTip = corners[from] !== CUT;
    const hasTipAtEnd = corners[to] !== CUT;
    const startX = hasTip ? (corners[from] ?? 0) : sideX;
    const startY = hasTip ? (corners[from + 1] ?? 0) : sideY;
    const endX = hasTipAtEnd ? (corners[to] ?? 0) : sideX;
    const endY = hasTipAtEnd ? (corners[to + 1] ?? 0) : sideY;
    coverage.addEdge(x + startX, y + startY, toX + endX, toY + endY);
    coverage.addEdge(toX - endX, toY - endY, x - startX, y - startY);
    // Its ends are closed; where the next stretch begins with a tip too, the two would take each other away.
    if (!hasTip) coverage.addEdge(x - startX, y - startY, x + startX, y + startY);
    if (!hasTipAtEnd) coverage.addEdge(toX + endX, toY + endY, toX - endX, toY - endY);
  }
}

function findSides(line: ArrayLike<number>, last: number, half: number): void {
  let x = line[0] ?? 0;
  let y = line[1] ?? 0;
  for (let at = 0; at < last; at += 2) {
    const next = at + 2 === line.length ? 0 : at + 2;
    const nextX = line[next] ?? 0;
    const nextY = line[next + 1] ?? 0;
    const alongX = nextX - x;
    const alongY = nextY - y;
    const scale = half / Math.sqrt(alongX * alongX + alongY * alongY);
    sides[at] = -alongY * scale;
    sides[at + 1] = alongX * scale;
    x = nextX;
    y = nextY;
  }
}

function findCorners(length: number, last: number, isClosed: boolean, half: number): void {
  const whole = 1 / (2 * half * half);
  for (let at = 0; at < length; at += 2) {
    const before = at > 0 ? at - 2 : last - 2;
    if (!isClosed && (at === 0 || at >= last)) {
      corners[at] = CUT;
      continue;
    }
    const x = (sides[before] ?? 0) + (sides[at] ?? 0);
    const y = (sides[before + 1] ?? 0) + (sides[at + 1] ?? 0);
    // The square of what two sides make together is twice this, in squares of a side.
    const bend = (x * x + y * y) * whole;
    corners[at] = bend < SHARP ? CUT : x / bend;
    corners[at + 1] = y / bend;
  }
}
