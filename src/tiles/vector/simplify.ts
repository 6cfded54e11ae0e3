/** Simplifies geometries of tiles by the method of Douglas and Peucker. */
import { computeDoubleArea, type Line, type TileGeometry } from './tile-geometry.ts';

/** The result is at most `tolerance` tile units away from the geometry. Points are unchanged. */
export function simplifyGeometry(geometry: TileGeometry, tolerance: number): TileGeometry {
  switch (geometry.type) {
    case 'point':
      return geometry;
    case 'line':
      return { type: 'line', parts: geometry.parts.map((part) => simplifyLine(part, tolerance)) };
    case 'polygon':
      return { type: 'polygon', parts: simplifyRings(geometry.parts, tolerance) };
  }
}

/** Outer rings that would collapse are kept, holes are omitted. Outer rings have a positive area. */
function simplifyRings(rings: readonly Line[], tolerance: number): readonly Line[] {
  return rings.flatMap((ring) => {
    const simple = simplifyRing(ring, tolerance);
    const area = computeDoubleArea(ring);
    const isKept = simple.length >= 6 && computeDoubleArea(simple) * area > 0;
    if (isKept) return [simple];
    return area > 0 ? [ring] : [];
  });
}

/** Splits the ring at the position farthest from its first one, so that each half is a line with distinct ends. */
function simplifyRing(ring: Line, tolerance: number): Line {
  const [x = 0, y = 0] = ring;
  let [farthest, distance] = [0, 0];
  for (let at = 2; at < ring.length; at += 2) {
    const each = Math.hypot((ring[at] ?? 0) - x, (ring[at + 1] ?? 0) - y);
    if (each > distance) [farthest, distance] = [at, each];
  }
  const there = simplifyLine(ring.slice(0, farthest + 2), tolerance);
  const back = simplifyLine([...ring.slice(farthest), x, y], tolerance);
  return [...there, ...back.slice(2, -2)];
}

/** Ordinates that are simplified together: the cost of some shapes grows with the square of their length. */
const MAX_STRETCH = 1_024;

function simplifyLine(line: Line, tolerance: number): Line {
  const last = line.length - 2;
  if (last < 4) return line;
  const isKept = new Uint8Array(line.length / 2);
  const open: [number, number][] = [];
  isKept[0] = 1;
  for (let start = 0; start < last; start += MAX_STRETCH) {
    const end = Math.min(last, start + MAX_STRETCH);
    isKept[end / 2] = 1;
    open.push([start, end]);
  }
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    const [start, end] = stretch;
    let [farthest, distance] = [start, tolerance];
    for (let at = start + 2; at < end; at += 2) {
      const each = computeDistance(line, at, start, end);
      if (each > distance) [farthest, distance] = [at, each];
    }
    if (farthest === start) continue;
    isKept[farthest / 2] = 1;
    open.push([start, farthest], [farthest, end]);
  }
  return line.filter((_, at) => isKept[at >> 1] === 1);
}

/** Returns the distance of a position from the segment between two others. */
function computeDistance(line: Line, at: number, start: number, end: number): number {
  const [x = 0, y = 0] = [line[at], line[at + 1]];
  const [startX = 0, startY = 0] = [line[start], line[start + 1]];
  const [dx, dy] = [(line[end] ?? 0) - startX, (line[end + 1] ?? 0) - startY];
  const squared = dx * dx + dy * dy;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - startX) * dx + (y - startY) * dy) / squared));
  return Math.hypot(x - startX - share * dx, y - startY - share * dy);
}
