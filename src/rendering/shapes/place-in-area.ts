/** Places rings and lines across the antimeridian in the area of a map, before they are projected. */
import type { Bounds } from '../../crs/bounds.ts';
import { createWorldTurn, unwrapLine } from '../../geometry/unwrap-line.ts';
import { clipLine, clipRing } from './clip.ts';

export interface MapArea {
  /** In the CRS of the features. */
  readonly area: Bounds;
  /** The width of the Earth in that CRS; infinite if it does not wrap around. */
  readonly world: number;
  /** The left edge of a map whose edges do not meet; undefined for others. */
  readonly seam: number | undefined;
}

/** The part of the world that separates the two sides of a seam, so that each is projected to its own edge. */
const SEAM_GAP = 1e-9;

/** The copies of a line to the east and west that can be in the area. */
const COPIES = [-1, 0, 1];

/** Returns undefined if the line is projected as it is: on a map around a pole, jumps are short lines. */
export function placeInArea(
  line: Float64Array,
  isRing: boolean,
  { area, world, seam }: MapArea,
): readonly Float64Array[] | undefined {
  const isRound = area.maxX - area.minX >= world;
  if (!Number.isFinite(world) || (seam === undefined && isRound)) return undefined;
  const joined = unwrapLine(line, isRing, createWorldTurn(world)) ?? line;
  const window =
    seam === undefined
      ? area
      : { ...area, minX: seam + world * SEAM_GAP, maxX: seam + world * (1 - SEAM_GAP), minY: -world, maxY: world };
  const [min, max] = measureX(joined);
  return COPIES.flatMap((copy) => {
    const shift = copy * world;
    if (max + shift <= window.minX || min + shift >= window.maxX) return [];
    const moved = shift === 0 ? joined : joined.map((each, at) => (at % 2 === 0 ? each + shift : each));
    if (seam === undefined) return [moved];
    return isRing ? [clipRing(moved, window)] : clipLine(moved, window);
  });
}

function measureX(line: Float64Array): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < line.length; at += 2) {
    min = Math.min(min, line[at] ?? 0);
    max = Math.max(max, line[at] ?? 0);
  }
  return [min, max];
}
