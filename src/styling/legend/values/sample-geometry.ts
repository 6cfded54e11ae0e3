/** The sample geometries of a swatch. */
import type { CanvasLibrary, Path } from '../canvas/canvas.ts';
import type { Box } from '../canvas/drawing.ts';

export type Position = readonly [number, number];

export interface Polyline {
  readonly positions: readonly Position[];
  readonly isClosed: boolean;
}

/** Bends closer than this number of line widths blur. */
const penWidthsPerBend = 4;

/** In samples of fewer line widths, a bent line is a blob. */
const penWidthsPerSample = 5;

/**
 * Creates a line from left to right, inset by its own width, with two bends, or one if it is short. A thick line is
 * straight and crosses the whole sample.
 */
export function createSampleLine({ width, height }: Box, penPixels: number): Polyline {
  if (penPixels * penWidthsPerSample > Math.min(width, height)) {
    const middle = height / 2;
    return {
      positions: [
        [0, middle],
        [width, middle],
      ],
      isClosed: false,
    };
  }
  const inset = Math.min(penPixels / 2 + 1, width / 4, height / 4);
  const swing = Math.min(height * 0.22, Math.max((height - penPixels) / 2 - 1, 0) * 0.7);
  const [low, high] = [height / 2 + swing, height / 2 - swing];
  const isShort = width < 3 * penWidthsPerBend * penPixels || width < height * 1.3;
  const bends: readonly Position[] = isShort
    ? [[width * 0.45, high]]
    : [
        [width * 0.36, high],
        [width * 0.64, low],
      ];
  const end: Position = [width - inset, isShort ? height / 2 + swing / 3 : high];
  return { positions: [[inset, low], ...bends, end], isClosed: false };
}

/** Creates a rectangle inset by its outline, with counter-clockwise corners, so that left is inside. */
export function createSamplePolygon({ width, height }: Box, penPixels: number): Polyline {
  const inset = Math.min(penPixels, width / 4, height / 4);
  const [right, bottom] = [width - inset, height - inset];
  const positions = [
    [inset, inset],
    [inset, bottom],
    [right, bottom],
    [right, inset],
  ] as const;
  return { positions, isClosed: true };
}

export function toPath(library: CanvasLibrary, { positions, isClosed }: Polyline): Path {
  const path = new library.Path2D();
  for (const [index, [x, y]] of positions.entries()) {
    if (index === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  if (isClosed) path.closePath();
  return path;
}

/** Offsets a line to its left by a distance in pixels; to its right if negative. */
export function offsetToLeft({ positions, isClosed }: Polyline, distance: number): Polyline {
  const count = positions.length;
  const moved = positions.map((position, index) => {
    const before = positions[index - 1] ?? (isClosed ? positions[count - 1] : undefined);
    const after = positions[index + 1] ?? (isClosed ? positions[0] : undefined);
    return moveCorner(position, before, after, distance);
  });
  return { positions: moved, isClosed };
}

/** Keeps the distance of a corner to both of its sides, up to three times the distance. */
function moveCorner(
  [x, y]: Position,
  before: Position | undefined,
  after: Position | undefined,
  distance: number,
): Position {
  const [x1, y1] = computeLeftNormal(before ?? [x, y], before ? [x, y] : (after ?? [x, y]));
  const [x2, y2] = computeLeftNormal(after ? [x, y] : (before ?? [x, y]), after ?? [x, y]);
  const [sumX, sumY] = [x1 + x2, y1 + y2];
  const squared = sumX * sumX + sumY * sumY;
  const stretch = Math.min(2 / Math.max(squared, Number.EPSILON), 3 / Math.max(Math.sqrt(squared), Number.EPSILON));
  return [x + sumX * stretch * distance, y + sumY * stretch * distance];
}

/** Returns the unit normal to the left of the segment between two positions, y downwards. */
function computeLeftNormal([x1, y1]: Position, [x2, y2]: Position): Position {
  const length = Math.hypot(x2 - x1, y2 - y1);
  return length > 0 ? [(y2 - y1) / length, -(x2 - x1) / length] : [0, 0];
}

/** A point on a line, with the direction of the line there. */
export interface Waypoint {
  readonly position: Position;
  readonly radians: number;
}

/** Returns points along a line at equal distances, starting at a distance from its start. */
export function listWaypoints(line: Polyline, start: number, step: number, max: number): readonly Waypoint[] {
  const [first] = line.positions;
  const positions = line.isClosed && first ? [...line.positions, first] : line.positions;
  const places: Waypoint[] = [];
  let next = start;
  let passed = 0;
  for (const [index, [x1, y1]] of positions.slice(0, -1).entries()) {
    const [x2, y2] = positions[index + 1] ?? [x1, y1];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const radians = Math.atan2(y2 - y1, x2 - x1);
    while (next <= passed + length && places.length < max) {
      const share = length > 0 ? (next - passed) / length : 0;
      if (share >= 0) places.push({ position: [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share], radians });
      next += step;
    }
    passed += length;
  }
  return places;
}
