/** Takes positions from one coordinate reference system to another, by way of longitudes and latitudes. */
import { problem } from '../lib/problems/problem.ts';
import { areSameCrs, formatCrsLabel } from './are-same-crs.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { resolveCrs } from './resolve-crs.ts';
import { createTransformer, type Position } from './transformer.ts';

/** Undefined where a position has no counterpart. */
export type Convert = (x: number, y: number) => Position | undefined;

/** Undefined where both are the same; a Problem where one of them is not known well enough. */
export async function createConversion(from: CrsReference, to: CrsReference): Promise<Convert | undefined> {
  if (await areSameCrs(from, to)) return undefined;
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
  /** To longitude and latitude, and back. */
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

/** A degree of latitude that is as good as a pole, which in some systems is infinitely far away. */
const NEAR_POLE = 89.999_999;

function invertPosition(inverse: Convert, [longitude, latitude]: Position): Position | undefined {
  const position = inverse(longitude, latitude);
  if (position !== undefined || Math.abs(latitude) <= NEAR_POLE) return position;
  return inverse(longitude, Math.sign(latitude) * NEAR_POLE);
}
