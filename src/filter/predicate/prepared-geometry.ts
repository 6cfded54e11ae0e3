/**
 * A geometry that many others are compared with. Its segments are indexed once, so the cost of a row depends on its
 * own positions. It avoids the full intersection matrix if the boundaries do not meet.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { areApart, expandBounds } from './boxes.ts';
import { SEGMENT_SIZE, SegmentIndex, Segments } from './segment-index.ts';
import { computeSegmentDistance, type SegmentTests } from './segments.ts';

/**
 * The position of a row relative to the prepared geometry. `inside` and `around` mean in the interior of the other
 * without a common boundary; `together` means that they share points.
 */
export type Contact = 'apart' | 'inside' | 'around' | 'together';

interface Area {
  readonly values: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly index: SegmentIndex | undefined;
}

/** From this number of points on, a large row polygon is indexed before the points are located in it. */
const INDEXED_FROM_POINTS = 8;
const INDEXED_FROM_SEGMENTS = 64;

export class PreparedGeometry {
  readonly #tests: SegmentTests;
  readonly #bounds: Bounds;
  readonly #own: Segments;
  readonly #index: SegmentIndex;
  readonly #areas: readonly Area[];
  /** Reused memory for the segments of rows. */
  readonly #row = new Segments();

  constructor(geometry: Geometry, bounds: Bounds, tests: SegmentTests) {
    this.#tests = tests;
    this.#bounds = bounds;
    this.#own = new Segments().set(geometry);
    const { values, count } = this.#own;
    this.#index = new SegmentIndex(values, 0, count);
    // The polygons of a collection can overlap and are tested one by one; those of a multipolygon do not overlap.
    this.#areas =
      geometry.type === 'GeometryCollection'
        ? listAreas(this.#own, true)
        : this.#own.polygons.length === 0
          ? []
          : [{ values, from: 0, to: count, index: this.#index }];
  }

  intersects(row: Geometry, bounds: Bounds): boolean {
    const segments = this.#row.set(row);
    return (
      this.#doBoundariesMeet(segments) ||
      this.#hasComponentInside(segments) ||
      this.#hasComponentAround(segments, bounds)
    );
  }

  computeContact(row: Geometry, bounds: Bounds): Contact {
    const segments = this.#row.set(row);
    if (this.#doBoundariesMeet(segments)) return 'together';
    const inside = this.#countInside(segments);
    const around = this.#countAround(segments, bounds);
    if (inside === 0 && around === 0) return 'apart';
    if (inside === segments.components.length && around === 0) return 'inside';
    return around === this.#own.components.length && inside === 0 ? 'around' : 'together';
  }

  isWithinDistance(row: Geometry, bounds: Bounds, distance: number): boolean {
    if (this.intersects(row, bounds)) return true;
    const { values, count } = this.#row;
    const own = this.#own.values;
    for (let at = 0; at < count * SEGMENT_SIZE; at += SEGMENT_SIZE) {
      const box = expandBounds(computeBox(values, at), distance);
      if (areApart(box, this.#bounds)) continue;
      const isNear = (place: number): boolean => computeSegmentDistance(values, at, own, place) <= distance;
      if (this.#index.some(box.minX, box.minY, box.maxX, box.maxY, isNear)) return true;
    }
    return false;
  }

  #doBoundariesMeet({ values, count }: Segments): boolean {
    const own = this.#own.values;
    const { minX, minY, maxX, maxY } = this.#bounds;
    let at = 0;
    const isCrossing = (place: number): boolean => this.#tests.doCross(values, at, own, place);
    for (; at < count * SEGMENT_SIZE; at += SEGMENT_SIZE) {
      const ax = values[at] ?? 0;
      const ay = values[at + 1] ?? 0;
      const bx = values[at + 2] ?? 0;
      const by = values[at + 3] ?? 0;
      const [left, right] = ax < bx ? [ax, bx] : [bx, ax];
      const [bottom, top] = ay < by ? [ay, by] : [by, ay];
      if (left > maxX || right < minX || bottom > maxY || top < minY) continue;
      if (this.#index.some(left, bottom, right, top, isCrossing)) return true;
    }
    return false;
  }

  #hasComponentInside({ values, components }: Segments): boolean {
    return this.#areas.length > 0 && components.some((place) => this.#contains(values, place * SEGMENT_SIZE));
  }

  #countInside({ values, components }: Segments): number {
    if (this.#areas.length === 0) return 0;
    return components.filter((place) => this.#contains(values, place * SEGMENT_SIZE)).length;
  }

  #contains(values: Float64Array, at: number): boolean {
    const [x, y] = [values[at] ?? 0, values[at + 1] ?? 0];
    const { minX, minY, maxX, maxY } = this.#bounds;
    if (x < minX || x > maxX || y < minY || y > maxY) return false;
    return this.#areas.some((area) => this.#isIn(x, y, area));
  }

  #hasComponentAround(row: Segments, bounds: Bounds): boolean {
    if (row.polygons.length === 0) return false;
    const found = this.#listComponentsIn(bounds);
    return listAreas(row, isIndexWorth(row, found)).some((area) =>
      found.some((place) => this.#isOwnIn(place * SEGMENT_SIZE, area)),
    );
  }

  #countAround(row: Segments, bounds: Bounds): number {
    if (row.polygons.length === 0) return 0;
    const found = this.#listComponentsIn(bounds);
    const areas = listAreas(row, isIndexWorth(row, found));
    return found.filter((place) => areas.some((area) => this.#isOwnIn(place * SEGMENT_SIZE, area))).length;
  }

  /** Lists the points, lines and rings that start in a box. */
  #listComponentsIn({ minX, minY, maxX, maxY }: Bounds): readonly number[] {
    const { values, components } = this.#own;
    return components.filter((place) => {
      const [x, y] = [values[place * SEGMENT_SIZE] ?? 0, values[place * SEGMENT_SIZE + 1] ?? 0];
      return x >= minX && x <= maxX && y >= minY && y <= maxY;
    });
  }

  #isOwnIn(at: number, area: Area): boolean {
    return this.#isIn(this.#own.values[at] ?? 0, this.#own.values[at + 1] ?? 0, area);
  }

  /** Ray casting to the right; the boundary counts as inside. */
  #isIn(x: number, y: number, { values, from, to, index }: Area): boolean {
    let crossings = 0;
    const count = (place: number): boolean => {
      const found = this.#tests.countCrossings(x, y, values, place);
      if (found > 0) crossings += 1;
      return found < 0;
    };
    if (index !== undefined) {
      if (index.some(x, y, Infinity, y, count)) return true;
    } else {
      for (let at = from * SEGMENT_SIZE; at < to * SEGMENT_SIZE; at += SEGMENT_SIZE) if (count(at)) return true;
    }
    return crossings % 2 === 1;
  }
}

function isIndexWorth({ count }: Segments, points: readonly number[]): boolean {
  return points.length >= INDEXED_FROM_POINTS && count >= INDEXED_FROM_SEGMENTS;
}

/** Returns one area per polygon. */
function listAreas({ values, polygons }: Segments, isIndexed: boolean): readonly Area[] {
  return Array.from({ length: polygons.length / 2 }, (_, polygon) => {
    const [from, to] = [polygons[polygon * 2] ?? 0, polygons[polygon * 2 + 1] ?? 0];
    return { values, from, to, index: isIndexed ? new SegmentIndex(values, from, to) : undefined };
  });
}

function computeBox(values: Float64Array, at: number): Bounds {
  const [ax = 0, ay = 0, bx = 0, by = 0] = values.subarray(at, at + SEGMENT_SIZE);
  return { minX: Math.min(ax, bx), minY: Math.min(ay, by), maxX: Math.max(ax, bx), maxY: Math.max(ay, by) };
}
