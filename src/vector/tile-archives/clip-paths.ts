/**
 * Cuts lines and rings to the square of a tile. Tiles contain a margin of their neighbours, which would be drawn twice
 * in a map of several tiles.
 */

type Path = readonly number[];

/** Points on the right and lower edges belong to the next tile. */
export function clipPoints(points: Path, extent: number): Path {
  const kept: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]];
    if (x >= 0 && y >= 0 && x < extent && y < extent) kept.push(x, y);
  }
  return kept;
}

/** Returns the parts of a line inside the square. */
export function clipLine(line: Path, extent: number): readonly Path[] {
  if (isInside(line, extent)) return [line];
  const parts: number[][] = [];
  let part: number[] | undefined;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.slice(at, at + 4);
    const cut = clipSegment([x1, y1, x2, y2], extent);
    if (cut === undefined) {
      part = undefined;
      continue;
    }
    const [from, to] = cut;
    const [dx, dy] = [x2 - x1, y2 - y1];
    if (part === undefined || from > 0) {
      part = [x1 + dx * from, y1 + dy * from];
      parts.push(part);
    }
    part.push(x1 + dx * to, y1 + dy * to);
    if (to < 1) part = undefined;
  }
  return parts;
}

/** Returns the shares of a segment between which it is inside; undefined if it is outside. */
function clipSegment(
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  extent: number,
): readonly [number, number] | undefined {
  let [from, to] = [0, 1];
  for (const [start, step] of [
    [x1, x2 - x1],
    [y1, y2 - y1],
  ] as const) {
    if (step === 0) {
      if (start < 0 || start > extent) return undefined;
      continue;
    }
    const [first, second] = [-start / step, (extent - start) / step];
    from = Math.max(from, Math.min(first, second));
    to = Math.min(to, Math.max(first, second));
  }
  return from < to ? [from, to] : undefined;
}

/** Returns the closed part of a ring inside the square; empty if it has no area there. */
export function clipRing(ring: Path, extent: number): Path {
  if (isInside(ring, extent)) return ring;
  let open: Path = ring.slice(0, -2);
  for (const axis of [0, 1] as const) {
    open = cutBelow(open, axis, 0, 1);
    open = cutBelow(open, axis, -extent, -1);
  }
  return open.length < 6 ? [] : [...open, open[0] ?? 0, open[1] ?? 0];
}

/** Keeps the part of an open ring where `sign * ordinate >= limit`. */
function cutBelow(ring: Path, axis: 0 | 1, limit: number, sign: 1 | -1): Path {
  const kept: number[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[next], ring[next + 1]];
    const [first, second] = [sign * (axis === 0 ? x1 : y1) - limit, sign * (axis === 0 ? x2 : y2) - limit];
    if (first >= 0) kept.push(x1, y1);
    if (first >= 0 !== second >= 0) {
      const share = first / (first - second);
      kept.push(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share);
    }
  }
  return kept;
}

function isInside(path: Path, extent: number): boolean {
  return path.every((ordinate) => ordinate >= 0 && ordinate <= extent);
}
