/** Projects many coordinates at a time to the CRS of a map. The two most frequent CRSs have built-in formulas. */
import { areSameCrs } from '../../crs/are-same-crs.ts';
import { isNoCrs } from '../../crs/model/crs-code.ts';
import { DEGREE_RADIANS } from '../../crs/model/crs-model.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer, type Transformer } from '../../crs/transformer.ts';
import type { Projector } from './pixel-shape.ts';

const EARTH_RADIUS = 6_378_137;

/** A latitude that stands in for a pole, which is at infinity in Mercator. */
const NEAR_POLE = 89.999_999;

const WGS84: CrsReference = { code: 'EPSG:4326' };
const WEB_MERCATOR: CrsReference = { code: 'EPSG:3857' };

/**
 * Returns undefined if both CRSs are equal or the CRS of the features is unknown. Positions without an image become
 * NaN.
 */
export async function createProjector(from: CrsReference, to: CrsReference): Promise<Projector | undefined> {
  if (isUnknown(from) || isNoCrs(to.code) || (await areSameCrs(from, to))) return undefined;
  if ((await areSameCrs(from, WGS84)) && (await areSameCrs(to, WEB_MERCATOR))) return toWebMercator;
  const [source, target] = [await getTransformer(from), await getTransformer(to)];
  return (ordinates, start, end, into) => {
    for (let at = start, index = 0; at < end; at += 2, index += 2) {
      const place = source.toLongitudeLatitude([ordinates[at] ?? 0, ordinates[at + 1] ?? 0]);
      const position = place && projectPosition(target, place[0], place[1]);
      into[index] = position?.[0] ?? Number.NaN;
      into[index + 1] = position?.[1] ?? Number.NaN;
    }
  };
}

/** Data without a CRS is assumed to be in the CRS of the map. */
export function isUnknown({ code, wkt }: CrsReference): boolean {
  return code === undefined && wkt === undefined;
}

const toWebMercator: Projector = (ordinates, start, end, into) => {
  for (let at = start, index = 0; at < end; at += 2, index += 2) {
    const latitude = Math.max(-NEAR_POLE, Math.min(NEAR_POLE, ordinates[at + 1] ?? Number.NaN));
    into[index] = (ordinates[at] ?? Number.NaN) * DEGREE_RADIANS * EARTH_RADIUS;
    into[index + 1] = Math.log(Math.tan(Math.PI / 4 + (latitude * DEGREE_RADIANS) / 2)) * EARTH_RADIUS;
  }
};

async function getTransformer(reference: CrsReference): Promise<Transformer> {
  const definition = await resolveCrs(reference);
  const transformer = definition?.model === undefined ? undefined : await createTransformer(definition.model);
  if (transformer === undefined)
    throw new Error(`Unsupported coordinate reference system: ${reference.code ?? reference.wkt}.`);
  return transformer;
}

function projectPosition(
  target: Transformer,
  longitude: number,
  latitude: number,
): readonly [number, number] | undefined {
  const position = target.fromLongitudeLatitude([longitude, latitude]);
  if (position !== undefined || Math.abs(latitude) <= NEAR_POLE) return position;
  return target.fromLongitudeLatitude([longitude, Math.sign(latitude) * NEAR_POLE]);
}
