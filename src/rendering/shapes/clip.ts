/**
 * Clips lines and rings to a box: distant parts are expensive to draw, and may have no position in the CRS of a map.
 */
import type { Bounds } from '../../crs/bounds.ts';

/**
 * Returns the part of a ring inside the box, closed along the edges of the box; empty if none is inside. Rings do not
 * repeat their first position.
 */
export function clipRing(places: Float64Array, box: Bounds): Float64Array {
  if (isInside(places, box)) return places;
  let ring: ArrayLike<number> = places;
  for (const edge of listEdges(box)) ring = clipAtEdge(ring, edge);
  return ring instanceof Float64Array ? ring : Float64Array.from(ring);
}

/** Returns the parts of a line inside the box. */
export function clipLine(places: Float64Array, box: Bounds): readonly Float64Array[] {
  if (isInside(places, box)) return [places];
  const lines: Float64Array[] = [];
  let line: number[] = [];
  const finish = (): void => {
    if (line.length >= 4) lines.push(Float64Array.from(line));
    line = [];
  };
  for (let at = 0; at + 3 < places.length; at += 2) {
    const [x, y, toX, toY] = [places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0, places[at + 3] ?? 0];
    const [from, to] = clipSegment(x, y, toX, toY, box);
    if (!(from < to)) {
      finish();
      continue;
    }
    if (from > 0) finish();
    if (line.length === 0) line.push(x + (toX - x) * from, y + (toY - y) * from);
    line.push(x + (toX - x) * to, y + (toY - y) * to);
    if (to < 1) finish();
  }
  finish();
  return lines;
}

/** The number of pieces of a segment that is as long as the area is wide. */
const PIECES_PER_SIDE = 64;

/**
 * Inserts positions into long segments. A segment longer than half the world crosses the antimeridian instead of
 * running around the Earth, unless it is the edge of the area itself.
 */
export function densifyLine(places: Float64Array, isClosed: boolean, area: Bounds, world: number): Float64Array {
  const longest = Math.max(area.maxX - area.minX, area.maxY - area.minY) / PIECES_PER_SIDE;
  const dense: number[] = [];
  let isChanged = false;
  for (let at = 0; at < places.length; at += 2) {
    const x = places[at] ?? 0;
    const y = places[at + 1] ?? 0;
    dense.push(x, y);
    const isLast = at + 2 >= places.length;
    if (isLast && !isClosed) break;
    const [toX, toY] = [places[isLast ? 0 : at + 2] ?? 0, places[isLast ? 1 : at + 3] ?? 0];
    const isEdge = y === toY && (y === area.minY || y === area.maxY);
    if (Math.abs(toX - x) > world / 2 && !isEdge) continue;
    const pieces = Math.ceil(Math.max(Math.abs(toX - x), Math.abs(toY - y)) / longest);
    for (let piece = 1; piece < pieces; piece += 1) {
      dense.push(x + ((toX - x) * piece) / pieces, y + ((toY - y) * piece) / pieces);
      isChanged = true;
    }
  }
  return isChanged ? Float64Array.from(dense) : places;
}

/**
 * Returns the fractions of a segment between which it is inside the box; the first is not below the second if it is
 * outside.
 */
export function clipSegment(x: number, y: number, toX: number, toY: number, box: Bounds): readonly [number, number] {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [
    [x, toX - x, box.minX, box.maxX],
    [y, toY - y, box.minY, box.maxY],
  ] as const) {
    if (delta === 0) {
      if (start < low || start > high) return [1, 1];
      continue;
    }
    const [one, other] = [(low - start) / delta, (high - start) / delta];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to ? [from, to] : [1, 1];
}

function isInside(places: Float64Array, { minX, minY, maxX, maxY }: Bounds): boolean {
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at] ?? 0, places[at + 1] ?? 0];
    if (!(x >= minX && x <= maxX && y >= minY && y <= maxY)) return false;
  }
  return true;
}

/** A straight border: positions beyond `limit` on its axis, in the direction of its sign, are outside. */
interface Edge {
  readonly axis: 0 | 1;
  readonly limit: number;
  readonly sign: 1 | -1;
}

function listEdges({ minX, minY, maxX, maxY }: Bounds): readonly Edge[] {
  return [
    { axis: 0, limit: minX, sign: -1 },
    { axis: 0, limit: maxX, sign: 1 },
    { axis: 1, limit: minY, sign: -1 },
    { axis: 1, limit: maxY, sign: 1 },
  ];
}

function clipAtEdge(ring: ArrayLike<number>, { axis, limit, sign }: Edge): readonly number[] {
  const kept: number[] = [];
  const count = ring.length / 2;
  for (let index = 0; index < count; index += 1) {
    const last = ((index + count - 1) % count) * 2;
    const [fromX, fromY] = [ring[last] ?? 0, ring[last + 1] ?? 0];
    const [x, y] = [ring[index * 2] ?? 0, ring[index * 2 + 1] ?? 0];
    const [before, here] = axis === 0 ? [fromX, x] : [fromY, y];
    const [wasOut, isOut] = [(before - limit) * sign > 0, (here - limit) * sign > 0];
    if (wasOut !== isOut) {
      const share = (limit - before) / (here - before);
      kept.push(axis === 0 ? limit : fromX + (x - fromX) * share, axis === 1 ? limit : fromY + (y - fromY) * share);
    }
    if (!isOut) kept.push(x, y);
  }
  return kept;
}
