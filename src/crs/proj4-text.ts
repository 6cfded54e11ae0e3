/** Says a coordinate reference system in the words of proj4. */
import type { CrsModel, GeographicCrs, ProjectedCrs } from './model/crs-model.ts';
import { type Projection, projectionMethods } from './model/projection.ts';

/** Grids are never named: they are not there, and proj4 would then answer nothing without saying why. */
export function formatProj4(crs: CrsModel): string {
  if (crs.kind === 'geographic') return `+proj=longlat ${formatDatum(crs)} +no_defs`;
  const units = crs.unit.metres === 1 ? '+units=m' : `+to_meter=${crs.unit.metres}`;
  const projection = crs.kind === 'geocentric' ? `+proj=geocent ${formatDatum(crs.base)}` : formatProjection(crs);
  return `${projection} ${units} +no_defs`;
}

function formatProjection(crs: ProjectedCrs): string {
  const { method, parameters } = crs.projection;
  const { proj4, parameters: names } = projectionMethods[method];
  const words = [`+proj=${proj4}`, ...formatOrigin(crs.projection)];
  for (const name of names)
    words.push(`+${name === 'lon_0' && proj4.startsWith('omerc') ? 'lonc' : name}=${parameters[name] ?? 0}`);
  if (method === 'van der grinten' || method === 'miller') {
    const radius = computeAuthalicRadius(crs.base);
    return [...words, `+a=${radius} +b=${radius}`].join(' ');
  }
  if (method !== 'web mercator') return [...words, formatDatum(crs.base)].join(' ');
  // Latitudes are taken from the ellipsoid and put on the sphere as they are: the datum must not be shifted for it.
  const radius = crs.base.ellipsoid.semiMajorMetres;
  return [...words, '+lat_ts=0 +k_0=1', `+a=${radius} +b=${radius} +nadgrids=@null`].join(' ');
}

/** Of the sphere with the surface of the ellipsoid, for projections that know only spheres. */
function computeAuthalicRadius({ ellipsoid: { semiMajorMetres, inverseFlattening } }: GeographicCrs): number {
  const flattening = inverseFlattening === 0 ? 0 : 1 / inverseFlattening;
  const squaredEccentricity = flattening * (2 - flattening);
  const series = 1 / 6 + squaredEccentricity * (17 / 360 + (squaredEccentricity * 67) / 3024);
  return semiMajorMetres * (1 - squaredEccentricity * series);
}

/** Origins that our parameters imply. */
function formatOrigin({ method, parameters }: Projection): readonly string[] {
  if (method === 'polar stereographic') return [`+lat_0=${(parameters.lat_ts ?? 0) < 0 ? -90 : 90}`];
  if (method === 'lambert conic, one parallel') return [`+lat_0=${parameters.lat_1 ?? 0}`];
  return [];
}

function formatDatum(crs: GeographicCrs): string {
  const { semiMajorMetres, inverseFlattening } = crs.ellipsoid;
  const figure =
    inverseFlattening === 0
      ? `+a=${semiMajorMetres} +b=${semiMajorMetres}`
      : `+a=${semiMajorMetres} +rf=${inverseFlattening}`;
  const meridian = crs.primeMeridian.longitudeDegrees === 0 ? '' : ` +pm=${crs.primeMeridian.longitudeDegrees}`;
  // Where no shift is known, latitudes and longitudes are taken as they are, which is what proj4 does without one.
  const shift = crs.toWgs84 === undefined ? '' : ` +towgs84=${crs.toWgs84.join(',')}`;
  return `${figure}${shift}${meridian}`;
}
