/** Transforms geometries and boxes between coordinate reference systems. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../crs/bounds.ts';
import { type Convert, createConversion } from '../crs/conversion.ts';
import type { CrsReference } from '../crs/model/crs-reference.ts';
import { convertArea, convertBounds } from './convert-box.ts';
import type { Geometry } from './geometry.ts';

export interface Reprojection {
  /** Returns null if a position is outside the domain. */
  reprojectGeometry(geometry: Geometry): Geometry | null;
  /** Yields to other work, for geometries with many positions. */
  reprojectGeometryInTurns(geometry: Geometry): Promise<Geometry | null>;
  /** Returns a box around the transformed box; undefined if it is outside the domain. */
  reprojectBounds(bounds: Bounds): Bounds | undefined;
  /** Returns the area of a box as polygons that do not overlap; none if it is outside the domain. */
  reprojectArea(bounds: Bounds): readonly Geometry[];
}

/** Returns undefined if both are the same; throws a Problem if one of them is not sufficiently known. */
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

/** Transforming this many positions takes some milliseconds: about 3 µs each for projections with many terms. */
export const POSITIONS_AT_ONCE = 2_048;

/** Heights and measures stay unchanged. */
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
