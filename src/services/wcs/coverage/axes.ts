/** The axis labels and axis order of coverages in documents. */

import { writeCrsName } from '../../../crs/axis-order.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../../crs/resolve-crs.ts';

export interface Axes {
  /** In the order of the authority, such as `Lat Long`. */
  readonly labels: readonly [string, string];
  readonly units: readonly [string, string];
  /** Whether y comes first. */
  readonly isNorthFirst: boolean;
  /** The URI of the CRS; empty for a CRS without a code. */
  readonly crsUri: string;
}

export async function resolveAxes(reference: CrsReference): Promise<Axes> {
  const definition = await resolveCrs(reference);
  const isNorthFirst = definition?.axisOrder === 'north-east';
  const isGeographic = definition?.model?.kind === 'geographic';
  const [east, north] = isGeographic ? ['Long', 'Lat'] : ['E', 'N'];
  const unit = isGeographic ? 'Deg' : 'm';
  const code = definition?.code;
  return {
    labels: isNorthFirst ? [north, east] : [east, north],
    units: [unit, unit],
    isNorthFirst,
    crsUri: code === undefined ? '' : writeCrsName({ code, isLongitudeFirst: false }, 'uri'),
  };
}

const xNames: ReadonlySet<string> = new Set(['x', 'e', 'east', 'easting', 'long', 'lon', 'longitude', 'i']);
const yNames: ReadonlySet<string> = new Set(['y', 'n', 'north', 'northing', 'lat', 'latitude', 'j']);

/** Returns the horizontal axis for a name; undefined for other names. */
export function findPlaneAxis(name: string): 'x' | 'y' | undefined {
  const lower = name.toLowerCase();
  if (xNames.has(lower)) return 'x';
  return yNames.has(lower) ? 'y' : undefined;
}

/** Returns a pair in the axis order of the CRS. */
export function orderAxes<T>({ isNorthFirst }: Pick<Axes, 'isNorthFirst'>, x: T, y: T): readonly [T, T] {
  return isNorthFirst ? [y, x] : [x, y];
}
