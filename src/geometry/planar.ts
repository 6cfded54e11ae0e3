/** Measures and simple derivations of geometries in the plane. */
import type { Geometry } from './geometry.ts';
import { createPoint, fromSimpleParts, type SimplePart, toSimpleParts } from './simple-parts.ts';

type Position = readonly [number, number];

export function computeArea(geometry: Geometry): number {
  return toSimpleParts(geometry).reduce((sum, part) => sum + computePartArea(part), 0);
}

function computePartArea({ dimension, lines }: SimplePart): number {
  if (dimension < 2) return 0;
  const [outer = 0, ...holes] = lines.map((ring) => Math.abs(computeSignedArea(ring)));
  return holes.reduce((area, hole) => area - hole, outer);
}

function computeSignedArea(ring: Float64Array): number {
  // Relative to the first position, so that large coordinates keep their precision.
  const [x0 = 0, y0 = 0] = ring;
  let doubled = 0;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x, y] = [(ring[at] ?? 0) - x0, (ring[at + 1] ?? 0) - y0];
    doubled += x * ((ring[at + 3] ?? 0) - y0) - ((ring[at + 2] ?? 0) - x0) * y;
  }
  return doubled / 2;
}

/** Returns the length of lines, and the length of the rings of polygons. */
export function computeLength(geometry: Geometry): number {
  return toSimpleParts(geometry)
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + computeLineLength(line), 0);
}

function computeLineLength(line: Float64Array): number {
  let length = 0;
  for (let at = 0; at + 3 < line.length; at += 2)
    length += Math.hypot((line[at + 2] ?? 0) - (line[at] ?? 0), (line[at + 3] ?? 0) - (line[at + 1] ?? 0));
  return length;
}

/** Returns the centre of gravity of the parts with the highest dimension; undefined for an empty geometry. */
export function computeCentroid(geometry: Geometry): Geometry | undefined {
  const parts = toSimpleParts(geometry);
  const dimension = Math.max(...parts.map((part) => part.dimension));
  const weighted = parts.filter((part) => part.dimension === dimension).map(computeMoment);
  const total = weighted.reduce((sum, [, , weight]) => sum + weight, 0);
  const [first] = weighted;
  if (first === undefined) return undefined;
  if (total === 0) return createPoint(first[0], first[1]);
  return createPoint(
    weighted.reduce((sum, [x, , weight]) => sum + x * weight, 0) / total,
    weighted.reduce((sum, [, y, weight]) => sum + y * weight, 0) / total,
  );
}

/** Returns the centre of a part, and its weight. */
function computeMoment({ dimension, lines }: SimplePart): readonly [number, number, number] {
  const [first = new Float64Array(2)] = lines;
  const [x0 = 0, y0 = 0] = first;
  if (dimension === 0) return [x0, y0, 1];
  let [sumX, sumY, total] = [0, 0, 0];
  for (const [index, line] of lines.entries()) {
    // Holes count negatively, whatever their direction.
    const sign = dimension === 2 ? Math.sign(computeSignedArea(line)) * (index === 0 ? 1 : -1) : 1;
    for (let at = 0; at + 3 < line.length; at += 2) {
      const [x, y] = [(line[at] ?? 0) - x0, (line[at + 1] ?? 0) - y0];
      const [toX, toY] = [(line[at + 2] ?? 0) - x0, (line[at + 3] ?? 0) - y0];
      const weight = dimension === 1 ? Math.hypot(toX - x, toY - y) : ((x * toY - toX * y) / 2) * sign;
      const share = dimension === 1 ? 2 : 3;
      sumX += ((x + toX) / share) * weight;
      sumY += ((y + toY) / share) * weight;
      total += weight;
    }
  }
  return total === 0 ? [x0, y0, 0] : [x0 + sumX / total, y0 + sumY / total, total];
}

/** Returns a point on the geometry: in the middle of the widest stretch of a polygon, on a position of a line. */
export function computeInteriorPoint(geometry: Geometry): Geometry | undefined {
  const parts = toSimpleParts(geometry);
  const polygons = parts.filter(({ dimension }) => dimension === 2);
  const [largest] = polygons.toSorted((one, other) => computePartArea(other) - computePartArea(one));
  const inside = largest && findWidestMiddle(largest);
  if (inside !== undefined) return createPoint(...inside);
  const [line] = parts;
  const positions = line?.lines[0];
  if (positions === undefined) return undefined;
  const middle = Math.floor(positions.length / 4) * 2;
  return createPoint(positions[middle] ?? 0, positions[middle + 1] ?? 0);
}

/** Cuts a polygon at half its height; returns undefined if it has no area there. */
function findWidestMiddle({ lines }: SimplePart): Position | undefined {
  const [outer = new Float64Array()] = lines;
  const ys = outer.filter((_, index) => index % 2 === 1);
  const level = (ys.reduce((a, b) => Math.min(a, b), Infinity) + ys.reduce((a, b) => Math.max(a, b), -Infinity)) / 2;
  const crossings: number[] = [];
  for (const line of lines) {
    for (let at = 0; at + 3 < line.length; at += 2) {
      const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
      if (y < level !== toY < level) crossings.push(x + ((level - y) / (toY - y)) * (toX - x));
    }
  }
  crossings.sort((a, b) => a - b);
  let best: Position | undefined;
  let widest = 0;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [from = 0, to = 0] = [crossings[at], crossings[at + 1]];
    if (to - from <= widest) continue;
    widest = to - from;
    best = [(from + to) / 2, level];
  }
  return best;
}

/** Returns the angle of the first or last segment in degrees, clockwise on a map, 0 to the right. */
export function computeEndAngle(geometry: Geometry, end: 'start' | 'end'): number | undefined {
  const lines = toSimpleParts(geometry).flatMap(({ lines }) => lines.filter(({ length }) => length > 2));
  const line = end === 'start' ? lines[0] : lines.at(-1);
  if (line === undefined) return undefined;
  const at = end === 'start' ? 0 : line.length - 4;
  const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
  return (-Math.atan2(toY - y, toX - x) * 180) / Math.PI;
}

/** Returns the boundary: the rings of polygons, the ends of open lines. */
export function computeBoundary(geometry: Geometry): Geometry {
  return fromSimpleParts(
    toSimpleParts(geometry).flatMap(({ dimension, lines }): readonly SimplePart[] => {
      if (dimension === 2) return lines.map((line) => ({ dimension: 1, lines: [line] }));
      const [line] = lines;
      if (dimension === 0 || line === undefined || isClosedLine(line)) return [];
      return [line.slice(0, 2), line.slice(-2)].map((position) => ({ dimension: 0, lines: [position] }));
    }),
  );
}

export function isClosedLine(line: Float64Array): boolean {
  const last = line.length - 2;
  return last >= 0 && line[0] === line[last] && line[1] === line[last + 1];
}

/** Applies a function to all positions. */
export function mapPositions(geometry: Geometry, map: (x: number, y: number) => Position): Geometry {
  const { members, ordinates, dimension } = geometry;
  if (members !== undefined) return { ...geometry, members: members.map((member) => mapPositions(member, map)) };
  const moved = ordinates.slice();
  for (let at = 0; at < moved.length; at += dimension.length) {
    const [x, y] = map(moved[at] ?? 0, moved[at + 1] ?? 0);
    moved[at] = x;
    moved[at + 1] = y;
  }
  return { ...geometry, ordinates: moved };
}

/** Returns a parallelogram for each edge, between the edge and the edge moved up by the height. */
export function extrude(geometry: Geometry, height: number): Geometry {
  const walls: SimplePart[] = [];
  for (const line of toSimpleParts(geometry).flatMap(({ lines }) => lines)) {
    for (let at = 0; at + 3 < line.length; at += 2) {
      const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
      const ring = Float64Array.of(x, y, toX, toY, toX, toY + height, x, y + height, x, y);
      walls.push({ dimension: 2, lines: [ring] });
    }
  }
  return fromSimpleParts(walls);
}

/** Adds positions so that no segment is longer than the distance. */
export function densify(geometry: Geometry, distance: number): Geometry {
  return fromSimpleParts(
    toSimpleParts(geometry).map((part) =>
      part.dimension === 0 ? part : { ...part, lines: part.lines.map((line) => densifyLine(line, distance)) },
    ),
  );
}

export function countDensified(geometry: Geometry, distance: number): number {
  return computeLength(geometry) / distance;
}

function densifyLine(line: Float64Array, distance: number): Float64Array {
  const positions: number[] = [line[0] ?? 0, line[1] ?? 0];
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
    const pieces = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / distance));
    for (let piece = 1; piece <= pieces; piece += 1)
      positions.push(x + ((toX - x) * piece) / pieces, y + ((toY - y) * piece) / pieces);
  }
  return Float64Array.from(positions);
}

/** Returns the smallest polygon with sides in the eight main directions; undefined for an empty geometry. */
export function computeOctagon(geometry: Geometry): Geometry | undefined {
  const [x, y, sum, difference] = [createRange(), createRange(), createRange(), createRange()];
  for (const line of toSimpleParts(geometry).flatMap(({ lines }) => lines)) {
    for (let at = 0; at < line.length; at += 2) {
      const [px, py] = [line[at] ?? 0, line[at + 1] ?? 0];
      extendRange(x, px);
      extendRange(y, py);
      extendRange(sum, px + py);
      extendRange(difference, px - py);
    }
  }
  if (x.min > x.max) return undefined;
  const corners: readonly Position[] = [
    [x.min, sum.min - x.min],
    [sum.min - y.min, y.min],
    [difference.max + y.min, y.min],
    [x.max, x.max - difference.max],
    [x.max, sum.max - x.max],
    [sum.max - y.max, y.max],
    [difference.min + y.max, y.max],
    [x.min, x.min - difference.min],
    [x.min, sum.min - x.min],
  ];
  return fromSimpleParts([{ dimension: 2, lines: [Float64Array.from(corners.flat())] }]);
}

interface Range {
  min: number;
  max: number;
}

function createRange(): Range {
  return { min: Infinity, max: -Infinity };
}

function extendRange(range: Range, value: number): void {
  range.min = Math.min(range.min, value);
  range.max = Math.max(range.max, value);
}

/** Returns the convex hull, by Andrew's monotone chain. */
export function computeConvexHull(geometry: Geometry): Geometry {
  const all = listPositions(geometry).toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const places = all.filter(([x, y], index) => index === 0 || x !== all[index - 1]?.[0] || y !== all[index - 1]?.[1]);
  if (places.length < 3) {
    const line = Float64Array.from(places.flat());
    return fromSimpleParts(places.length === 0 ? [] : [{ dimension: places.length === 1 ? 0 : 1, lines: [line] }]);
  }
  const ring = [...buildHalf(places), ...buildHalf(places.toReversed())];
  const [first] = ring;
  return fromSimpleParts([{ dimension: 2, lines: [Float64Array.from([...ring, ...(first ? [first] : [])].flat())] }]);
}

/** Returns one side of the hull without its last position. */
function buildHalf(places: readonly Position[]): readonly Position[] {
  const half: Position[] = [];
  for (const [x, y] of places) {
    for (;;) {
      const [one, two] = [half.at(-2), half.at(-1)];
      if (one === undefined || two === undefined) break;
      if ((two[0] - one[0]) * (y - one[1]) - (two[1] - one[1]) * (x - one[0]) > 0) break;
      half.pop();
    }
    half.push([x, y]);
  }
  return half.slice(0, -1);
}

export function listPositions(geometry: Geometry): readonly Position[] {
  return toSimpleParts(geometry)
    .flatMap(({ lines }) => lines)
    .flatMap((line) =>
      Array.from({ length: line.length / 2 }, (_, at): Position => [line[at * 2] ?? 0, line[at * 2 + 1] ?? 0]),
    );
}
