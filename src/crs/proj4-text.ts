/** Writes a coordinate reference system as proj4 text. */
import type { CrsModel, GeographicCrs, ProjectedCrs } from './model/crs-model.ts';
import { type Projection, projectionMethods } from './model/projection.ts';

/** Never refers to grid files: they are not available, and proj4 would silently return nothing. */
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
  // Ellipsoidal latitudes are used on the sphere unchanged: there must be no datum shift.
  const radius = crs.base.ellipsoid.semiMajorMetres;
  return [...words, '+lat_ts=0 +k_0=1', `+a=${radius} +b=${radius} +nadgrids=@null`].join(' ');
}

/** Returns the radius of the sphere with the surface area of the ellipsoid, for spherical projections. */
function computeAuthalicRadius({ ellipsoid: { semiMajorMetres, inverseFlattening } }: GeographicCrs): number {
  const flattening = inverseFlattening === 0 ? 0 : 1 / inverseFlattening;
  const squaredEccentricity = flattening * (2 - flattening);
  const series = 1 / 6 + squaredEccentricity * (17 / 360 + (squaredEccentricity * 67) / 3024);
  return semiMajorMetres * (1 - squaredEccentricity * series);
}

/** Returns the origin that the parameters imply. */
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
  // Without a known shift, latitudes and longitudes are used unchanged, as in proj4.
  const shift = crs.toWgs84 === undefined ? '' : ` +towgs84=${crs.toWgs84.join(',')}`;
  return `${figure}${shift}${meridian}`;
}
