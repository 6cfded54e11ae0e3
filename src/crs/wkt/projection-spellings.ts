/** Maps the names of projections and parameters in WKT dialects to projection methods. */
import type { ParameterName, Projection, ProjectionMethod } from '../model/projection.ts';

type Parameters = Readonly<Partial<Record<ParameterName, number>>>;

interface Spelling {
  readonly method: ProjectionMethod;
  readonly names: readonly string[];
  /** Selects the parameters of the method; returns undefined if they define another projection. */
  readonly read: (given: FindParameter) => Parameters | undefined;
}

/** Returns a parameter by the first of its names that is present, in degrees or metres. */
type FindParameter = (...names: readonly string[]) => number | undefined;

/** The tolerance for angles or lengths that were printed with fewer digits. */
const SAME = 1e-9;

const readOffsets = (given: FindParameter): Parameters => ({
  x_0: given('false_easting') ?? 0,
  y_0: given('false_northing') ?? 0,
});
const readLatitude = (given: FindParameter): number =>
  given('latitude_of_origin', 'latitude_of_center', 'latitude_of_centre', 'central_parallel') ?? 0;
const readLongitude = (given: FindParameter): number =>
  given('central_meridian', 'longitude_of_center', 'longitude_of_centre', 'longitude_of_origin') ?? 0;
const readScale = (given: FindParameter): number => given('scale_factor') ?? 1;
const readParallel = (given: FindParameter): number => given('standard_parallel_1') ?? 0;

/** -37 degrees and 323 degrees are the same direction. */
const normalizeBearing = (degrees: number): number => (degrees < 0 ? degrees + 360 : degrees);

const readMeridian = (given: FindParameter): Parameters => ({ lon_0: readLongitude(given), ...readOffsets(given) });
const readOrigin = (given: FindParameter): Parameters => ({ lat_0: readLatitude(given), ...readMeridian(given) });
const readScaledOrigin = (given: FindParameter): Parameters => ({ ...readOrigin(given), k_0: readScale(given) });
const readParallels = (given: FindParameter): Parameters => ({
  ...readOrigin(given),
  lat_1: readParallel(given),
  lat_2: given('standard_parallel_2') ?? readParallel(given),
});
const readTrueScale = (given: FindParameter): Parameters => ({ lat_ts: readParallel(given), ...readMeridian(given) });
const readOblique = (given: FindParameter): Parameters => {
  const alpha = normalizeBearing(given('azimuth') ?? 0);
  const gamma = normalizeBearing(given('rectified_grid_angle', 'xy_plane_rotation') ?? alpha);
  return { ...readScaledOrigin(given), alpha, gamma };
};
const readPolar = (lat_ts: number, given: FindParameter): Parameters => ({
  lat_ts,
  k_0: readScale(given),
  ...readMeridian(given),
});

const defineSpelling = (method: ProjectionMethod, names: readonly string[], read: Spelling['read']): Spelling => ({
  method,
  names,
  read,
});

const spellings: readonly Spelling[] = [
  defineSpelling(
    'transverse mercator',
    ['Transverse_Mercator', 'Gauss_Kruger', 'Transverse_Mercator_Complex'],
    readScaledOrigin,
  ),
  defineSpelling('transverse mercator, south oriented', ['Transverse_Mercator_South_Orientated'], readScaledOrigin),
  defineSpelling('lambert conic, one parallel', ['Lambert_Conformal_Conic_1SP'], (given) => {
    // A false origin off the parallel requires the general form with two equal parallels.
    const lat_1 = given('standard_parallel_1') ?? readLatitude(given);
    return { lat_1, lat_2: lat_1, ...readScaledOrigin(given) };
  }),
  defineSpelling(
    'lambert conic, two parallels',
    ['Lambert_Conformal_Conic_2SP', 'Lambert_Conformal_Conic', 'Lambert_Conic_Conformal_2SP'],
    (given) => ({ ...readParallels(given), k_0: readScale(given) }),
  ),
  defineSpelling('mercator', ['Mercator_1SP', 'Mercator_2SP', 'Mercator'], (given) => ({
    ...readTrueScale(given),
    k_0: readScale(given),
  })),
  defineSpelling(
    'web mercator',
    ['Popular_Visualisation_Pseudo_Mercator', 'Mercator_Auxiliary_Sphere'],
    // Type 0 is the sphere with the semi-major axis, which is the common case; the others are other projections.
    (given) => (given('auxiliary_sphere_type') ? undefined : readMeridian(given)),
  ),
  defineSpelling('polar stereographic', ['Polar_Stereographic', 'Polar_Stereographic_Variant_A'], (given) =>
    readPolar(readLatitude(given), given),
  ),
  defineSpelling(
    'polar stereographic',
    ['Polar_Stereographic_Variant_B', 'Stereographic_North_Pole', 'Stereographic_South_Pole'],
    (given) => readPolar(readParallel(given), given),
  ),
  defineSpelling('stereographic', ['Stereographic'], readScaledOrigin),
  defineSpelling('double stereographic', ['Oblique_Stereographic', 'Double_Stereographic'], readScaledOrigin),
  defineSpelling('lambert azimuthal', ['Lambert_Azimuthal_Equal_Area'], readOrigin),
  defineSpelling('albers', ['Albers_Conic_Equal_Area', 'Albers'], readParallels),
  defineSpelling('equidistant conic', ['Equidistant_Conic'], readParallels),
  defineSpelling('cassini', ['Cassini_Soldner', 'Cassini'], readOrigin),
  defineSpelling('polyconic', ['Polyconic'], readOrigin),
  defineSpelling(
    'equidistant cylindrical',
    ['Equirectangular', 'Equidistant_Cylindrical', 'Equidistant_Cylindrical_Ellipsoidal', 'Plate_Carree'],
    (given) => ({ ...readTrueScale(given), lat_0: readLatitude(given) }),
  ),
  defineSpelling('cylindrical equal area', ['Cylindrical_Equal_Area'], readTrueScale),
  defineSpelling('cylindrical equal area', ['Behrmann'], (given) => ({ ...readMeridian(given), lat_ts: 30 })),
  defineSpelling('azimuthal equidistant', ['Azimuthal_Equidistant'], readOrigin),
  defineSpelling(
    'oblique mercator, natural origin',
    [
      'Hotine_Oblique_Mercator',
      'Hotine_Oblique_Mercator_Azimuth_Natural_Origin',
      'Rectified_Skew_Orthomorphic_Natural_Origin',
    ],
    readOblique,
  ),
  defineSpelling(
    'oblique mercator, center',
    ['Hotine_Oblique_Mercator_Azimuth_Center', 'Oblique_Mercator', 'Rectified_Skew_Orthomorphic_Center'],
    readOblique,
  ),
  defineSpelling('krovak', ['Krovak'], (given) => ({ ...readScaledOrigin(given), alpha: given('azimuth') ?? 0 })),
  defineSpelling('new zealand map grid', ['New_Zealand_Map_Grid'], readOrigin),
  defineSpelling('bonne', ['Bonne'], (given) => ({ ...readMeridian(given), lat_1: readParallel(given) })),
  defineSpelling('gnomonic', ['Gnomonic'], readOrigin),
  defineSpelling('orthographic', ['Orthographic'], readOrigin),
  defineSpelling('sinusoidal', ['Sinusoidal'], readMeridian),
  defineSpelling('mollweide', ['Mollweide'], readMeridian),
  defineSpelling('robinson', ['Robinson'], readMeridian),
  defineSpelling('equal earth', ['Equal_Earth'], readMeridian),
  defineSpelling('van der grinten', ['VanDerGrinten', 'Van_der_Grinten_I'], readMeridian),
  defineSpelling('miller', ['Miller_Cylindrical'], readMeridian),
];

/**
 * Returns the projection of that name with those parameters (lower case, in degrees and metres); undefined if it is
 * unknown.
 */
export function readProjection(name: string, written: ReadonlyMap<string, number>): Projection | undefined {
  const wanted = normalizeName(name);
  const found = spellings.find((each) => each.names.some((spelled) => normalizeName(spelled) === wanted));
  const given: FindParameter = (...names) =>
    names.map((each) => written.get(each)).find((value) => value !== undefined);
  const parameters = found?.read(given);
  return found === undefined || parameters === undefined
    ? undefined
    : normalizeProjection(found.method, parameters, given);
}

/** Maps a projection with several spellings to one method, so that they compare equal. */
function normalizeProjection(method: ProjectionMethod, parameters: Parameters, given: FindParameter): Projection {
  const { lat_0 = 0, lat_1 = 0, lat_2 = 0, alpha = 0, gamma = 0, ...others } = parameters;
  const isAbout = (value: number, wanted: number): boolean => Math.abs(value - wanted) < SAME;
  // One vendor expresses south and west oriented axes this way.
  if (method === 'transverse mercator' && (parameters.k_0 ?? 1) < 0) {
    return {
      method: 'transverse mercator, south oriented',
      parameters: { ...parameters, k_0: -(parameters.k_0 ?? 1) },
    };
  }
  if (method === 'lambert conic, one parallel' || method === 'lambert conic, two parallels') {
    if (isAbout(lat_1, lat_2) && isAbout(lat_0, lat_1)) {
      return { method: 'lambert conic, one parallel', parameters: { ...others, lat_1 } };
    }
    return { method: 'lambert conic, two parallels', parameters };
  }
  if (method === 'oblique mercator, center' && isAbout(alpha, 90) && isAbout(gamma, 90)) {
    return { method: 'swiss oblique mercator', parameters: { ...others, lat_0 } };
  }
  if (method === 'stereographic' && isAbout(Math.abs(lat_0), 90)) {
    return { method: 'polar stereographic', parameters: { ...others, lat_ts: lat_0 } };
  }
  // One vendor rotates the axes by parameters; without them they point south and west, as in the projection.
  if (method === 'krovak' && given('x_scale') !== undefined && !given('xy_plane_rotation')) {
    return { method: 'krovak, south west', parameters };
  }
  return { method, parameters };
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
