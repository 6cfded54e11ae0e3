/**
 * Thin lines, of which maps have very many: two sides that follow the line, with a corner each where it turns. What the
 * sides do where a line turns within its own width is too small to be seen.
 */
import type { Coverage } from './coverage.ts';

/** Corners with less than this (the cosine of the turn, plus one) are cut off: a tip would be longer than the line is wide. */
const SHARP = 0.5;

/** A line through places (x and y by turns, in pixels) that all differ from those before; its ends are cut straight. */
export function addThinOutline(coverage: Coverage, line: ArrayLike<number>, isClosed: boolean, width: number): void {
  const count = line.length / 2;
  const stretches = isClosed ? count : count - 1;
  const sides = sidesOf(line, stretches, width / 2);
  const corners = cornersOf(sides, count, isClosed, width / 2);
  for (let index = 0; index < stretches; index += 1) {
    const from = index * 2;
    const to = from + 2 === line.length ? 0 : from + 2;
    const [x, y] = [line[from] ?? 0, line[from + 1] ?? 0];
    const [toX, toY] = [line[to] ?? 0, line[to + 1] ?? 0];
    const [sideX, sideY] = [sides[from] ?? 0, sides[from + 1] ?? 0];
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

/** From the line to its side, for each stretch. */
function sidesOf(line: ArrayLike<number>, stretches: number, half: number): Float64Array {
  const sides = new Float64Array(stretches * 2);
  for (let at = 0; at < sides.length; at += 2) {
    const next = at + 2 === line.length ? 0 : at + 2;
    const x = (line[next] ?? 0) - (line[at] ?? 0);
    const y = (line[next + 1] ?? 0) - (line[at + 1] ?? 0);
    const scale = half / Math.sqrt(x * x + y * y);
    sides[at] = -y * scale;
    sides[at + 1] = x * scale;
  }
  return sides;
}

/** Stands for a corner without a tip. */
const CUT = Number.POSITIVE_INFINITY;

/** From each place to where the sides meet. */
function cornersOf(sides: Float64Array, count: number, isClosed: boolean, half: number): Float64Array {
  const corners = new Float64Array(count * 2);
  for (let at = 0; at < corners.length; at += 2) {
    const before = at === 0 ? (isClosed ? sides.length - 2 : -1) : at - 2;
    const isEnd = before < 0 || at >= sides.length;
    const x = (sides[before] ?? 0) + (sides[at] ?? 0);
    const y = (sides[before + 1] ?? 0) + (sides[at + 1] ?? 0);
    // The square of what two sides make together is twice this, in squares of a side.
    const bend = (x * x + y * y) / (2 * half * half);
    corners[at] = isEnd || bend < SHARP ? CUT : x / bend;
    corners[at + 1] = y / bend;
  }
  return corners;
}
