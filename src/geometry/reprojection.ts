/** Takes geometries and boxes from one coordinate reference system to another. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../crs/bounds.ts';
import { type Convert, createConversion } from '../crs/conversion.ts';
import type { CrsReference } from '../crs/model/crs-reference.ts';
import { convertArea, convertBounds } from './convert-box.ts';
import type { Geometry } from './geometry.ts';

export interface Reprojection {
  /** Null where a position has no counterpart. */
  reprojectGeometry(geometry: Geometry): Geometry | null;
  /** The same, for those with very many positions: others have their turn meanwhile. */
  reprojectGeometryInTurns(geometry: Geometry): Promise<Geometry | null>;
  /** A box around all that is in the other; undefined where none of it has a counterpart. */
  reprojectBounds(bounds: Bounds): Bounds | undefined;
  /** The area of a box, whose edges are curves here, in polygons that do not overlap; none where it has no counterpart. */
  reprojectArea(bounds: Bounds): readonly Geometry[];
}

/** Undefined where both are the same; a Problem where one of them is not known well enough. */
export async function createReprojection(from: CrsReference, to: CrsReference): Promise<Reprojection | undefined> {
  const convert = await createConversion(from, to);
  if (convert === undefined) return undefined;
  return {
    reprojectGeometry: (geometry) => {
      const steps = convertInSteps(geometry, convert);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      return step.value;
    },
    reprojectGeometryInTurns: async (geometry) => {
      const steps = convertInSteps(geometry, convert);
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) await othersFirst();
      return step.value;
    },
    reprojectBounds: (bounds) => convertBounds(bounds, convert),
    reprojectArea: (bounds) => convertArea(bounds, convert),
  };
}

/** So many positions take some milliseconds. */
export const POSITIONS_AT_ONCE = 8_192;

/** Heights and measures stay as they are. */
function* convertInSteps(geometry: Geometry, convert: Convert): Generator<void, Geometry | null> {
  const { ordinates, dimension } = geometry;
  const converted = ordinates.slice();
  for (let start = 0; start < ordinates.length; start += POSITIONS_AT_ONCE * dimension.length) {
    if (start > 0) yield;
    const end = Math.min(ordinates.length, start + POSITIONS_AT_ONCE * dimension.length);
    for (let at = start; at < end; at += dimension.length) {
      const position = convert(ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN);
      if (position === undefined) return null;
      converted.set(position, at);
    }
  }
  if (geometry.members === undefined) return { ...geometry, ordinates: converted };
  const members: Geometry[] = [];
  for (const member of geometry.members) {
    const placed = yield* convertInSteps(member, convert);
    if (placed === null) return null;
    members.push(placed);
  }
  return { ...geometry, ordinates: converted, members };
}
