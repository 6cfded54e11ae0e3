/** Takes geometries and boxes from one coordinate reference system to another. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Convert, createConversion } from '../../crs/conversion.ts';
import type { CrsReference } from '../../crs/crs-reference.ts';
import type { Geometry } from '../geometry.ts';
import { convertedArea, convertedBounds } from './converted-box.ts';

export interface Reprojection {
  /** Null where a position has no counterpart. */
  geometry(geometry: Geometry): Geometry | null;
  /** A box around all that is in the other; undefined where none of it has a counterpart. */
  bounds(bounds: Bounds): Bounds | undefined;
  /** The area of a box, whose edges are curves here, in polygons that do not overlap; none where it has no counterpart. */
  area(bounds: Bounds): readonly Geometry[];
}

/** Undefined where both are the same; a Problem where one of them is not known well enough. */
export async function createReprojection(from: CrsReference, to: CrsReference): Promise<Reprojection | undefined> {
  const convert = await createConversion(from, to);
  if (convert === undefined) return undefined;
  return {
    geometry: (geometry) => convertedGeometry(geometry, convert),
    bounds: (bounds) => convertedBounds(bounds, convert),
    area: (bounds) => convertedArea(bounds, convert),
  };
}

/** Heights and measures stay as they are. */
function convertedGeometry(geometry: Geometry, convert: Convert): Geometry | null {
  const { ordinates, dimension } = geometry;
  const converted = ordinates.slice();
  for (let at = 0; at < ordinates.length; at += dimension.length) {
    const position = convert(ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN);
    if (position === undefined) return null;
    converted.set(position, at);
  }
  if (geometry.members === undefined) return { ...geometry, ordinates: converted };
  const members = geometry.members.map((member) => convertedGeometry(member, convert));
  return members.every((member) => member !== null) ? { ...geometry, ordinates: converted, members } : null;
}
