/** Finds the shapes that extend beyond the edge of the world, and the copies of them that a map shows. */
import { moveInto, unwrapLine, type WorldTurn } from '../../geometry/unwrap-line.ts';
import { LINES, POINTS } from '../../vector/port/packed-features.ts';
import type { Frame } from './frame.ts';
import type { PixelShape } from './pixel-shape.ts';
import { createPixelTurn } from './pixel-turn.ts';

export interface Wrapping {
  /** The offsets of shapes beyond the edge of the world, in map units: one more copy at each side; the first is usual. */
  readonly shifts: readonly number[];
  /** Joins the parts of a loaded shape at the antimeridian. Returns whether it extends beyond the edge of the world. */
  wrap(shape: PixelShape, shift: number): boolean;
}

/** Excess of this part of a pixel is rounding. */
const ROUNDING_PIXELS = 0.01;

export function createWrapping(
  world: { readonly minX: number; readonly width: number },
  shifts: readonly number[],
  frame: Frame,
): Wrapping {
  const { width } = world;
  const turn = createPixelTurn(frame, width);
  const halfSquared = (turn.turnX * turn.turnX + turn.turnY * turn.turnY) / 4;
  const isUpright = frame.xy === 0;
  return {
    shifts: [...shifts, Math.min(...shifts) - width, Math.max(...shifts) + width],
    wrap(shape, shift) {
      const [spanX, spanY] = [shape.maxX - shape.minX, shape.maxY - shape.minY];
      // Only a shape wider than half the world can have a jump.
      const isJoined = spanX * spanX + spanY * spanY > halfSquared && unwrapShape(shape, turn);
      if (isJoined || !isUpright) return isJoined;
      const left = frame.xx * (world.minX + shift) + frame.x0;
      return shape.minX < left - ROUNDING_PIXELS || shape.maxX > left + turn.turnX + ROUNDING_PIXELS;
    },
  };
}

/**
 * Loads a shape at each visible copy of the Earth, with further copies if it extends beyond the edge of the world.
 * Returns whether a visit returned true, which ends the loop.
 */
export function visitCopies(
  shape: PixelShape,
  { shifts, wrapping }: { readonly shifts: readonly number[]; readonly wrapping: Wrapping | undefined },
  load: (shift: number) => boolean,
  visit: () => boolean,
): boolean {
  let copies = shifts;
  for (let copy = 0; copy < copies.length; copy += 1) {
    const shift = copies[copy] ?? 0;
    if (!load(shift)) continue;
    if (wrapping?.wrap(shape, shift)) copies = wrapping.shifts;
    if (visit()) return true;
  }
  return false;
}

/** Joins the jumps of a shape. Returns whether it changed. */
function unwrapShape(shape: PixelShape, turn: WorldTurn): boolean {
  if (shape.kind === POINTS) return false;
  const isClosed = shape.kind !== LINES;
  const rings: Float64Array[] = [];
  let outer: Float64Array | undefined;
  let isChanged = false;
  let start = 0;
  for (let index = 0; index < shape.rings; index += 1) {
    const end = shape.ends[index] ?? start;
    const ring = shape.places.slice(start * 2, end * 2);
    const joined = unwrapLine(ring, isClosed, turn);
    if (joined !== undefined) isChanged = true;
    if (shape.isOuter[index] === 1) outer = joined ?? ring;
    rings.push(
      outer === undefined || shape.isOuter[index] === 1 ? (joined ?? ring) : moveInto(joined ?? ring, outer, turn),
    );
    start = end;
  }
  if (isChanged) shape.replace(shape.kind, rings, shape.isOuter.slice(0, shape.rings));
  return isChanged;
}
