/** Transforms coordinates of a CRS to longitude and latitude on WGS 84 and back. */
import type { CrsModel } from './model/crs-model.ts';
import { DEGREE_RADIANS } from './model/crs-model.ts';
import { formatProj4 } from './proj4-text.ts';

export type Position = readonly [x: number, y: number];

/** Both directions return undefined for a position outside the domain. */
export interface Transformer {
  toLongitudeLatitude(position: Position): Position | undefined;
  fromLongitudeLatitude(position: Position): Position | undefined;
}

const WGS84 = '+proj=longlat +datum=WGS84 +no_defs';

/** Returns undefined if proj4 does not support the CRS, or if it is geocentric. proj4 is loaded on first use. */
export async function createTransformer(model: CrsModel): Promise<Transformer | undefined> {
  if (model.kind === 'geocentric') return undefined;
  const { default: proj4 } = await import('proj4');
  // proj4 uses degrees for geographic coordinates regardless of the unit of the CRS.
  const degrees = model.kind === 'geographic' ? model.unit.radians / DEGREE_RADIANS : 1;
  const scale = Math.abs(degrees - 1) < 1e-9 ? 1 : degrees;
  const converter = attempt(() => proj4(formatProj4(model), WGS84));
  if (converter === undefined) return undefined;
  return {
    toLongitudeLatitude: ([x, y]) => toFinitePosition(() => converter.forward([x * scale, y * scale], true)),
    fromLongitudeLatitude: ([longitude, latitude]) => {
      const position = toFinitePosition(() => converter.inverse([longitude, latitude], true));
      return position === undefined ? undefined : [position[0] / scale, position[1] / scale];
    },
  };
}

/** proj4 returns NaN, null or infinity for positions outside the domain. */
function toFinitePosition(transform: () => readonly number[]): Position | undefined {
  const [x, y] = attempt(transform) ?? [];
  return Number.isFinite(x) && Number.isFinite(y) ? [Number(x), Number(y)] : undefined;
}

/** For some systems and positions proj4 throws, even strings: all of that means undefined. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
