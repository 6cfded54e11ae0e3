/** Places shapes across the antimeridian on both sides of the world, as maps do. */
import type { Geometry } from '../../geometry/geometry.ts';
import { fromSimpleParts, type SimplePart, toSimpleParts } from '../../geometry/simple-parts.ts';
import { createWorldTurn, moveInto, unwrapLine, type WorldTurn } from '../../geometry/unwrap-line.ts';

/** The extent of the Earth in a CRS that continues beyond the antimeridian. */
export interface WorldExtent {
  readonly minX: number;
  readonly width: number;
}

/** Excess of this part of the world is rounding. */
const ROUNDING = 1e-9;

/** Returns the geometry itself if it and the tile are within the world, else its copies. */
export function listWorldCopies(
  geometry: Geometry,
  [min, max]: readonly [minX: number, maxX: number],
  { minX, width }: WorldExtent,
  shifts: readonly number[] = [0],
): readonly Geometry[] {
  const isBeyond = min < minX - width * ROUNDING || max > minX + width * (1 + ROUNDING);
  // Only a shape wider than half the world can have a jump.
  const joined = max - min > width / 2 ? joinJumps(geometry, createWorldTurn(width)) : undefined;
  const isWithin = joined === undefined && !isBeyond;
  if (isWithin && shifts.length === 1 && shifts[0] === 0) return [geometry];
  const parts = joined ?? toSimpleParts(geometry);
  const turns = isWithin ? shifts : new Set(shifts.flatMap((shift) => [shift - width, shift, shift + width]));
  return [...turns].map((shift) => fromSimpleParts(parts.map((part) => movePart(part, shift))));
}

/** Returns undefined if no part has a jump. */
function joinJumps(geometry: Geometry, turn: WorldTurn): readonly SimplePart[] | undefined {
  let isChanged = false;
  const join = (line: Float64Array, isClosed: boolean): Float64Array => {
    const joined = unwrapLine(line, isClosed, turn);
    if (joined !== undefined) isChanged = true;
    return joined ?? line;
  };
  const parts = toSimpleParts(geometry).map((part): SimplePart => {
    if (part.dimension === 0) return part;
    const [first, ...others] = part.lines.map((line) => join(line, part.dimension === 2));
    return first === undefined
      ? part
      : { ...part, lines: [first, ...others.map((hole) => moveInto(hole, first, turn))] };
  });
  return isChanged ? parts : undefined;
}

function movePart(part: SimplePart, shift: number): SimplePart {
  if (shift === 0) return part;
  return { ...part, lines: part.lines.map((line) => line.map((each, at) => (at % 2 === 0 ? each + shift : each))) };
}
