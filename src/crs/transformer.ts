/** Turns coordinates of a system into longitudes and latitudes on WGS 84 and back, or says that it cannot. */
import type { CrsModel } from './model/crs-model.ts';
import { DEGREE_RADIANS } from './model/crs-model.ts';
import { formatProj4 } from './proj4-text.ts';

export type Position = readonly [x: number, y: number];

/** Both directions give undefined where a position has no counterpart. */
export interface Transformer {
  toLongitudeLatitude(position: Position): Position | undefined;
  fromLongitudeLatitude(position: Position): Position | undefined;
}

const WGS84 = '+proj=longlat +datum=WGS84 +no_defs';

/** Undefined when the system is one that proj4 does not know, or has no places of two coordinates. proj4 is loaded with the first. */
export async function createTransformer(model: CrsModel): Promise<Transformer | undefined> {
  if (model.kind === 'geocentric') return undefined;
  const { default: proj4 } = await import('proj4');
  // proj4 has geographic coordinates in degrees whatever the system says.
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

/** proj4 answers NaN, null or infinities for what it cannot do. */
function toFinitePosition(transform: () => readonly number[]): Position | undefined {
  const [x, y] = attempt(transform) ?? [];
  return Number.isFinite(x) && Number.isFinite(y) ? [Number(x), Number(y)] : undefined;
}

/** For some systems and places it throws instead, strings among other things: all of that means no. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
