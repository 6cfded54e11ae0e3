/** Assembles polygons from the rings of a shape, which the file lists without marking holes. */
import type { Dimension, Geometry } from '../../../geometry/geometry.ts';
import { createRingIndex } from './ring-index.ts';
import { measureRings, type Ring, type RingPositions } from './rings.ts';

export interface RingList extends RingPositions {
  /** The end of each ring, in positions. */
  readonly ends: readonly number[];
  readonly dimension: Dimension;
}

interface Polygon {
  readonly outline: Ring;
  readonly holes: Ring[];
}

/**
 * Clockwise rings are outlines and the others holes in the smallest outline around them; a hole without an outline
 * becomes an outline. If no ring is clockwise, only nesting decides.
 */
export function assemblePolygons(list: RingList): Geometry {
  const closed = closeRings(list);
  const rings = measureRings(closed, closed.ends);
  const turned = rings.some((ring) => ring.signedArea < 0);
  return arrange(closed, turned ? groupByDirection(rings, closed) : groupByNesting(rings, closed));
}

function groupByDirection(rings: readonly Ring[], positions: RingPositions): readonly Polygon[] {
  const outlines = rings.filter((ring) => ring.signedArea < 0);
  const index = createRingIndex(outlines, positions);
  const polygons = new Map(outlines.map((outline): [Ring, Polygon] => [outline, { outline, holes: [] }]));
  let latest: Ring | undefined;
  for (const ring of rings) {
    if (ring.signedArea < 0) {
      latest = ring;
      continue;
    }
    // Writers usually put holes after their outline.
    const owner = index.findSmallestAround(ring, latest);
    if (owner === undefined) polygons.set(ring, { outline: ring, holes: [] });
    else polygons.get(owner)?.holes.push(ring);
  }
  return sortPolygons(polygons.values());
}

/** The outermost rings are outlines, rings in them are holes, rings in holes are outlines again, and so on. */
function groupByNesting(rings: readonly Ring[], positions: RingPositions): readonly Polygon[] {
  const index = createRingIndex(rings, positions);
  const polygons = new Map<Ring, Polygon>();
  for (const ring of rings.toSorted((a, b) => Math.abs(b.signedArea) - Math.abs(a.signedArea))) {
    const around = index.findSmallestAround(ring, undefined);
    const polygon = around === undefined ? undefined : polygons.get(around);
    if (polygon === undefined) polygons.set(ring, { outline: ring, holes: [] });
    else polygon.holes.push(ring);
  }
  return sortPolygons(polygons.values());
}

function sortPolygons(polygons: Iterable<Polygon>): readonly Polygon[] {
  return [...polygons].sort((a, b) => a.outline.start - b.outline.start);
}

/** Puts each outline before its holes, as most files already do. */
function arrange(list: RingList, polygons: readonly Polygon[]): Geometry {
  const { stride, dimension } = list;
  const order = polygons.flatMap(({ outline, holes }) => [outline, ...holes]);
  const parts: number[] = [];
  let rings = 0;
  for (const { holes } of polygons) {
    rings += 1 + holes.length;
    parts.push(rings);
  }
  const isInOrder = order.every((ring, index) => index === 0 || ring.start >= (order[index - 1]?.end ?? 0));
  if (isInOrder) {
    return { type: 'MultiPolygon', dimension, ordinates: list.ordinates, ends: list.ends, parts };
  }
  const ordinates = new Float64Array(list.ordinates.length);
  const ends: number[] = [];
  let position = 0;
  for (const { start, end } of order) {
    ordinates.set(list.ordinates.subarray(start * stride, end * stride), position * stride);
    position += end - start;
    ends.push(position);
  }
  return { type: 'MultiPolygon', dimension, ordinates, ends, parts };
}

/** Closes rings whose writer omitted the last position. */
function closeRings(list: RingList): RingList {
  const { ordinates, ends, stride } = list;
  const isOpen = ends.map((end, index) => {
    const first = (ends[index - 1] ?? 0) * stride;
    const last = (end - 1) * stride;
    return ordinates[first] !== ordinates[last] || ordinates[first + 1] !== ordinates[last + 1];
  });
  const missing = isOpen.filter(Boolean).length;
  if (missing === 0) return list;
  const closed = new Float64Array(ordinates.length + missing * stride);
  const closedEnds: number[] = [];
  let start = 0;
  let position = 0;
  for (const [index, end] of ends.entries()) {
    closed.set(ordinates.subarray(start * stride, end * stride), position * stride);
    position += end - start;
    if (isOpen[index]) {
      closed.set(ordinates.subarray(start * stride, (start + 1) * stride), position * stride);
      position += 1;
    }
    closedEnds.push(position);
    start = end;
  }
  return { ...list, ordinates: closed, ends: closedEnds };
}
