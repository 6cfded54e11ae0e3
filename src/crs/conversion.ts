/** Transforms positions between coordinate reference systems through longitude and latitude. */
import { problem } from '../lib/problems/problem.ts';
import { areSameCrs, formatCrsLabel } from './are-same-crs.ts';
import { isNoCrs } from './model/crs-code.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { resolveCrs } from './resolve-crs.ts';
import { createTransformer, type Position } from './transformer.ts';

/** Returns undefined if a position is outside the domain of the target. */
export type Convert = (x: number, y: number) => Position | undefined;

/** Returns undefined if both are the same or one is a plane without a CRS; throws a Problem if one of them is not sufficiently known. */
export async function createConversion(from: CrsReference, to: CrsReference): Promise<Convert | undefined> {
  // Positions of any data have the same coordinates on a plane without a CRS.
  if (isNoCrs(from.code) || isNoCrs(to.code) || (await areSameCrs(from, to))) return undefined;
  const [source, target] = [await createGeographicConversion(from), await createGeographicConversion(to)];
  if (source === undefined || target === undefined) {
    throw problem('features-not-in-crs', { from: formatCrsLabel(from), to: formatCrsLabel(to) });
  }
  return (x, y) => {
    const place = source.forward(x, y);
    return place === undefined ? undefined : invertPosition(target.inverse, place);
  };
}

interface GeographicConversion {
  /** Transforms to longitude and latitude, and back. */
  readonly forward: Convert;
  readonly inverse: Convert;
}

async function createGeographicConversion(reference: CrsReference): Promise<GeographicConversion | undefined> {
  const definition = await resolveCrs(reference);
  if (definition?.code === 'EPSG:4326') return { forward: (x, y) => [x, y], inverse: (x, y) => [x, y] };
  const transformer = definition?.model === undefined ? undefined : await createTransformer(definition.model);
  return (
    transformer && {
      forward: (x, y) => transformer.toLongitudeLatitude([x, y]),
      inverse: (longitude, latitude) => transformer.fromLongitudeLatitude([longitude, latitude]),
    }
  );
}

/** A latitude that replaces the pole, which is infinitely far away in some projections. */
const NEAR_POLE = 89.999_999;

function invertPosition(inverse: Convert, [longitude, latitude]: Position): Position | undefined {
  const position = inverse(longitude, latitude);
  if (position !== undefined || Math.abs(latitude) <= NEAR_POLE) return position;
  return inverse(longitude, Math.sign(latitude) * NEAR_POLE);
}
