/** Transforms boxes to another CRS, where their edges are curves and parts of them may be outside the domain. */
import type { Bounds } from '../crs/bounds.ts';
import type { Convert } from '../crs/conversion.ts';
import type { Position } from '../crs/transformer.ts';
import type { Geometry } from './geometry.ts';

/** The number of sampled positions per axis: the edges are curves in another CRS, and the inside may reach further. */
const STEPS = 21;

export function convertBounds({ minX, minY, maxX, maxY }: Bounds, convert: Convert): Bounds | undefined {
  const [xs, ys] = [interpolateSteps(minX, maxX), interpolateSteps(minY, maxY)];
  const found = [
    ...xs.map((x) => ys.map((y): Position => [x, y])),
    ...ys.map((y) => xs.map((x): Position => [x, y])),
  ].flatMap((line) => convertLine(line, convert));
  if (found.length === 0) return undefined;
  return {
    minX: Math.min(...found.map(([x]) => x)),
    minY: Math.min(...found.map(([, y]) => y)),
    maxX: Math.max(...found.map(([x]) => x)),
    maxY: Math.max(...found.map(([, y]) => y)),
  };
}

/** Returns the positions inside the domain, and the last position inside the domain where the line leaves it. */
function convertLine(line: readonly Position[], convert: Convert): readonly Position[] {
  const placed = line.map(([x, y]) => convert(x, y));
  return line.flatMap((position, index) => {
    const own = placed[index];
    if (own === undefined) return [];
    const edges = [index - 1, index + 1].flatMap((beside) => {
      const other = line[beside];
      return other === undefined || placed[beside] !== undefined
        ? []
        : [findLastConvertible(position, other, convert) ?? own];
    });
    return [own, ...edges];
  });
}

/** The number of bisection steps between two positions. */
const HALVINGS = 20;

function findLastConvertible(from: Position, to: Position, convert: Convert): Position | undefined {
  let [[x1, y1], [x2, y2]] = [from, to];
  let found: Position | undefined;
  for (let step = 0; step < HALVINGS; step += 1) {
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const placed = convert(x, y);
    if (placed === undefined) [x2, y2] = [x, y];
    else [x1, y1, found] = [x, y, placed];
  }
  return found;
}

function interpolateSteps(low: number, high: number): readonly number[] {
  return Array.from({ length: STEPS }, (_, step) => low + ((high - low) * step) / (STEPS - 1));
}

/**
 * A box around a pole is a disc or a ring in some projections, which has no single outline: it is split into this many
 * columns.
 */
const COLUMNS = 4;

/** Returns the area of a box as polygons that do not overlap; none if it is outside the domain. */
export function convertArea(bounds: Bounds, convert: Convert): readonly Geometry[] {
  const whole = convertOutline(bounds, convert);
  if (whole !== undefined) return [createPolygon(whole)];
  const columns = splitColumns(bounds).map((column) => convertOutline(column, convert));
  if (columns.every((each) => each !== undefined)) return columns.map(createPolygon);
  // If only a part is inside the domain, the bounding box of that part is used.
  const around = convertBounds(bounds, convert);
  return around === undefined ? [] : [createPolygon(listCorners(around))];
}

function splitColumns({ minX, maxX, ...rest }: Bounds): readonly Bounds[] {
  const computeEdge = (index: number): number => minX + ((maxX - minX) * index) / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, index) => ({
    ...rest,
    minX: computeEdge(index),
    maxX: computeEdge(index + 1),
  }));
}

/** Returns undefined if the outline leaves the domain or intersects itself. */
function convertOutline({ minX, minY, maxX, maxY }: Bounds, convert: Convert): readonly Position[] | undefined {
  const [xs, ys] = [interpolateSteps(minX, maxX), interpolateSteps(minY, maxY)];
  const written: readonly Position[] = [
    ...xs.map((x): Position => [x, minY]),
    ...ys.map((y): Position => [maxX, y]),
    ...xs.toReversed().map((x): Position => [x, maxY]),
    ...ys.toReversed().map((y): Position => [minX, y]),
  ];
  const placed = written.map(([x, y]) => convert(x, y));
  if (!placed.every((each) => each !== undefined)) return undefined;
  const size = Math.max(computeSpan(placed, 0), computeSpan(placed, 1));
  const isSame = ([x1, y1]: Position, [x2, y2]: Position): boolean =>
    Math.abs(x1 - x2) <= size * SAME_PLACE && Math.abs(y1 - y2) <= size * SAME_PLACE;
  // Corners are duplicated, and an edge at a pole is a single position.
  const outline = placed.filter((each, index) => {
    const before = placed[index - 1];
    return before === undefined || !isSame(each, before);
  });
  const [first, last] = [outline[0], outline.at(-1)];
  const open = first !== undefined && last !== undefined && isSame(first, last) ? outline.slice(0, -1) : outline;
  const keys = new Set(
    open.map(([x, y]) => `${Math.round(x / (size * SAME_PLACE))} ${Math.round(y / (size * SAME_PLACE))}`),
  );
  return open.length < 3 || keys.size < open.length || first === undefined ? undefined : [...open, first];
}

/** Two positions closer than this fraction of their box are the same. */
const SAME_PLACE = 1e-9;

function computeSpan(positions: readonly Position[], axis: 0 | 1): number {
  const values = positions.map((each) => each[axis]);
  return Math.max(...values) - Math.min(...values);
}

function listCorners({ minX, minY, maxX, maxY }: Bounds): readonly Position[] {
  return [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
    [minX, minY],
  ];
}

function createPolygon(ring: readonly Position[]): Geometry {
  return {
    type: 'Polygon',
    dimension: 'XY',
    ordinates: Float64Array.from(ring.flat()),
    ends: [ring.length],
    parts: [],
  };
}
