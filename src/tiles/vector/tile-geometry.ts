/** Converts geometries to integer tile coordinates: clipped, simplified and with normalized ring orientation. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';

/** The width of a tile in units: sixteen per pixel. */
export const EXTENT = 4_096;

/** The buffer around a tile, because symbols and lines at its edge extend into the next tile. */
export const BUFFER = 256;

/** Half a pixel: the tolerance for shapes of tiles that would be too large. */
export const SIMPLIFIED_UNITS = 8;

/** Half a pixel; smaller areas become a dot. */
const TINY = 8;

/** Extends the bounds of a tile by its buffer. */
export function addTileBuffer({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const x = ((maxX - minX) * BUFFER) / EXTENT;
  const y = ((maxY - minY) * BUFFER) / EXTENT;
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}

/** Parts in tile units, with alternating x and y. */
export type TileGeometry =
  | { readonly type: 'point'; readonly parts: readonly [Line] }
  | { readonly type: 'line'; readonly parts: readonly Line[] }
  | { readonly type: 'polygon'; readonly parts: readonly Line[] };

export type Line = readonly number[];

/** Remembers the dots of tiny areas, so that thousands of them in a pixel become one. */
export class TileFrame {
  readonly #bounds: Bounds;
  readonly #scaleX: number;
  readonly #scaleY: number;
  readonly #dots = new Set<number>();

  /** In the CRS of the tile. */
  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#scaleX = EXTENT / (bounds.maxX - bounds.minX);
    this.#scaleY = EXTENT / (bounds.maxY - bounds.minY);
  }

  /** Returns an empty list for a geometry outside the tile; collections have parts of several types. */
  projectGeometry(geometry: Geometry): readonly TileGeometry[] {
    const { type, members } = geometry;
    switch (type) {
      case 'GeometryCollection':
        return (members ?? []).flatMap((member) => this.projectGeometry(member));
      case 'Point':
      case 'MultiPoint':
        return this.#projectPoints(geometry);
      case 'LineString':
      case 'MultiLineString':
        return this.#projectLines(geometry);
      case 'Polygon':
      case 'MultiPolygon':
        return this.#projectPolygons(geometry);
    }
  }

  /** Returns the centre and the size of a geometry with these bounds in tile units, also of the parts outside the tile. */
  scaleBox({ minX, minY, maxX, maxY }: Bounds): { readonly x: number; readonly y: number; readonly size: number } {
    const [left, right] = [minX, maxX].map((x) => (x - this.#bounds.minX) * this.#scaleX) as [number, number];
    const [bottom, top] = [minY, maxY].map((y) => (this.#bounds.maxY - y) * this.#scaleY) as [number, number];
    return { x: (left + right) / 2, y: (top + bottom) / 2, size: Math.max(right - left, bottom - top) };
  }

  #projectPoints(geometry: Geometry): readonly TileGeometry[] {
    const places: number[] = [];
    const all = this.#scalePositions(geometry, 0, geometry.ordinates.length / geometry.dimension.length);
    for (let at = 0; at < all.length; at += 2) {
      const [x = Number.NaN, y = Number.NaN] = [all[at], all[at + 1]];
      // Points in the buffer are included, because symbols have an extent.
      if (isNear(x) && isNear(y)) places.push(Math.round(x), Math.round(y));
    }
    return places.length === 0 ? [] : [{ type: 'point', parts: [places] }];
  }

  #projectLines(geometry: Geometry): readonly TileGeometry[] {
    const parts: Line[] = [];
    let start = 0;
    for (const end of geometry.ends) {
      for (const line of clipLine(this.#scalePositions(geometry, start, end))) {
        const rounded = roundLine(line);
        if (rounded.length >= 4) parts.push(rounded);
      }
      start = end;
    }
    return parts.length === 0 ? [] : [{ type: 'line', parts }];
  }

  #projectPolygons(geometry: Geometry): readonly TileGeometry[] {
    const { ends, parts: rings } = geometry;
    const parts: Line[] = [];
    let ring = 0;
    // A single polygon has the ends of its rings only.
    for (const endRing of rings.length > 0 ? rings : [ends.length]) {
      for (let index = ring; index < endRing; index += 1) {
        const scaled = this.#scalePositions(geometry, index === 0 ? 0 : (ends[index - 1] ?? 0), ends[index] ?? 0);
        const isOuter = index === ring;
        const shown = isOuter && isTiny(scaled) ? this.#toDot(scaled) : clipToRing(scaled, isOuter);
        if (shown !== undefined) parts.push(shown);
        // Without its outer ring nothing of a polygon is seen.
        else if (isOuter) break;
      }
      ring = endRing;
    }
    return parts.length === 0 ? [] : [{ type: 'polygon', parts }];
  }

  /** Source coordinates have y upwards, tiles have y downwards. */
  #scalePositions({ ordinates, dimension }: Geometry, start: number, end: number): number[] {
    const size = dimension.length;
    const scaled: number[] = [];
    for (let at = start * size; at < end * size; at += size) {
      scaled.push(
        ((ordinates[at] ?? Number.NaN) - this.#bounds.minX) * this.#scaleX,
        (this.#bounds.maxY - (ordinates[at + 1] ?? Number.NaN)) * this.#scaleY,
      );
    }
    return scaled;
  }

  /** Returns a square of half a pixel, once per position. */
  #toDot([x = Number.NaN, y = Number.NaN]: readonly number[]): Line | undefined {
    if (!isNear(x) || !isNear(y)) return undefined;
    const left = Math.floor(x / TINY) * TINY;
    const top = Math.floor(y / TINY) * TINY;
    const key = (left + EXTENT) * 4 * EXTENT + top + EXTENT;
    if (this.#dots.has(key)) return undefined;
    this.#dots.add(key);
    return [left, top, left + TINY, top, left + TINY, top + TINY, left, top + TINY];
  }
}

function isNear(value: number): boolean {
  return value >= -BUFFER && value <= EXTENT + BUFFER;
}

function isTiny(places: readonly number[]): boolean {
  let [minX, minY, maxX, maxY] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let at = 0; at < places.length; at += 2) {
    const [x = 0, y = 0] = [places[at], places[at + 1]];
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  return maxX - minX < TINY && maxY - minY < TINY;
}

/** Rounds to integers and drops repeated positions. */
function roundLine(line: readonly number[]): number[] {
  const rounded: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const [x, y] = [Math.round(line[at] ?? 0), Math.round(line[at + 1] ?? 0)];
    if (rounded.length === 0 || x !== rounded.at(-2) || y !== rounded.at(-1)) rounded.push(x, y);
  }
  return rounded;
}

/** Returns a ring without its closing position; outer rings are clockwise on the screen, holes counter-clockwise. */
function clipToRing(places: readonly number[], isOuter: boolean): Line | undefined {
  const ring = roundLine(clipRing(places));
  if (ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1)) ring.length -= 2;
  const area = computeDoubleArea(ring);
  if (ring.length < 6 || area === 0) return undefined;
  return area > 0 === isOuter ? ring : reverseRing(ring);
}

/** Returns twice the area, positive for clockwise rings with y downwards. */
export function computeDoubleArea(ring: readonly number[]): number {
  let area = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = at + 2 < ring.length ? at + 2 : 0;
    area += (ring[at] ?? 0) * (ring[next + 1] ?? 0) - (ring[next] ?? 0) * (ring[at + 1] ?? 0);
  }
  return area;
}

function reverseRing(ring: readonly number[]): Line {
  const other: number[] = [];
  for (let at = ring.length - 2; at >= 0; at -= 2) other.push(ring[at] ?? 0, ring[at + 1] ?? 0);
  return other;
}

/** The four sides of the buffered tile: the ordinate, the inner side and the position. */
const sides = [
  { axis: 0, sign: 1, limit: -BUFFER },
  { axis: 0, sign: -1, limit: EXTENT + BUFFER },
  { axis: 1, sign: 1, limit: -BUFFER },
  { axis: 1, sign: -1, limit: EXTENT + BUFFER },
] as const;

type Side = (typeof sides)[number];

function isInside({ axis, sign, limit }: Side, places: readonly number[], at: number): boolean {
  return sign * ((places[at + axis] ?? Number.NaN) - limit) >= 0;
}

/** Returns the intersection of a segment with a side. */
function computeCrossing(
  { axis, limit }: Side,
  places: readonly number[],
  from: number,
  to: number,
): readonly [number, number] {
  const [x = 0, y = 0] = [places[from], places[from + 1]];
  const [toX = 0, toY = 0] = [places[to], places[to + 1]];
  const [start, end] = axis === 0 ? [x, toX] : [y, toY];
  const share = (limit - start) / (end - start);
  return axis === 0 ? [limit, y + share * (toY - y)] : [x + share * (toX - x), limit];
}

/** Clips along one side after the other. */
function clipRing(ring: readonly number[]): readonly number[] {
  let left = ring;
  for (const side of sides) {
    const kept: number[] = [];
    for (let at = 0; at < left.length; at += 2) {
      const before = at === 0 ? left.length - 2 : at - 2;
      const [isIn, wasIn] = [isInside(side, left, at), isInside(side, left, before)];
      if (isIn !== wasIn) kept.push(...computeCrossing(side, left, before, at));
      if (isIn) kept.push(left[at] ?? 0, left[at + 1] ?? 0);
    }
    left = kept;
  }
  return left;
}

/** Returns the parts of a line within the tile. */
function clipLine(line: readonly number[]): readonly (readonly number[])[] {
  let parts: readonly (readonly number[])[] = [line];
  for (const side of sides) parts = parts.flatMap((part) => cutLine(side, part));
  return parts;
}

function cutLine(side: Side, line: readonly number[]): readonly number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const isIn = isInside(side, line, at);
    if (at > 0 && isIn !== isInside(side, line, at - 2)) {
      part.push(...computeCrossing(side, line, at - 2, at));
      if (!isIn) {
        parts.push(part);
        part = [];
      }
    }
    if (isIn) part.push(line[at] ?? 0, line[at + 1] ?? 0);
  }
  return part.length > 0 ? [...parts, part] : parts;
}
