/** Understands the names that writers of well-known text give to projections and their parameters. */
import type { ParameterName, Projection, ProjectionMethod } from '../projection.ts';

type Parameters = Readonly<Partial<Record<ParameterName, number>>>;

interface Spelling {
  readonly method: ProjectionMethod;
  readonly names: readonly string[];
  /** Takes the parameters the method wants out of those that were written; undefined when they mean another projection. */
  readonly read: (given: Given) => Parameters | undefined;
}

/** A parameter by the first of its names that was written, in degrees or metres. */
type Given = (...names: readonly string[]) => number | undefined;

/** Two angles or lengths nearer than this are the same number, printed with fewer digits. */
const SAME = 1e-9;

const offsets = (given: Given): Parameters => ({
  x_0: given('false_easting') ?? 0,
  y_0: given('false_northing') ?? 0,
});
const latitude = (given: Given): number =>
  given('latitude_of_origin', 'latitude_of_center', 'latitude_of_centre', 'central_parallel') ?? 0;
const longitude = (given: Given): number =>
  given('central_meridian', 'longitude_of_center', 'longitude_of_centre', 'longitude_of_origin') ?? 0;
const scale = (given: Given): number => given('scale_factor') ?? 1;
const parallel = (given: Given): number => given('standard_parallel_1') ?? 0;

/** -37 degrees and 323 degrees are one direction. */
const bearing = (degrees: number): number => (degrees < 0 ? degrees + 360 : degrees);

const aboutMeridian = (given: Given): Parameters => ({ lon_0: longitude(given), ...offsets(given) });
const aboutPoint = (given: Given): Parameters => ({ lat_0: latitude(given), ...aboutMeridian(given) });
const aboutScaledPoint = (given: Given): Parameters => ({ ...aboutPoint(given), k_0: scale(given) });
const betweenParallels = (given: Given): Parameters => ({
  ...aboutPoint(given),
  lat_1: parallel(given),
  lat_2: given('standard_parallel_2') ?? parallel(given),
});
const atTrueScale = (given: Given): Parameters => ({ lat_ts: parallel(given), ...aboutMeridian(given) });
const oblique = (given: Given): Parameters => {
  const alpha = bearing(given('azimuth') ?? 0);
  const gamma = bearing(given('rectified_grid_angle', 'xy_plane_rotation') ?? alpha);
  return { ...aboutScaledPoint(given), alpha, gamma };
};
const atPole = (lat_ts: number, given: Given): Parameters => ({
  lat_ts,
  k_0: scale(given),
  ...aboutMeridian(given),
});

const spelling = (method: ProjectionMethod, names: readonly string[], read: Spelling['read']): Spelling => ({
  method,
  names,
  read,
});

const spellings: readonly Spelling[] = [
  spelling(
    'transverse mercator',
    ['Transverse_Mercator', 'Gauss_Kruger', 'Transverse_Mercator_Complex'],
    aboutScaledPoint,
  ),
  spelling('transverse mercator, south oriented', ['Transverse_Mercator_South_Orientated'], aboutScaledPoint),
  spelling('lambert conic, one parallel', ['Lambert_Conformal_Conic_1SP'], (given) => {
    // A false origin off the parallel makes it the general form, with both parallels the same.
    const lat_1 = given('standard_parallel_1') ?? latitude(given);
    return { lat_1, lat_2: lat_1, ...aboutScaledPoint(given) };
  }),
  spelling(
    'lambert conic, two parallels',
    ['Lambert_Conformal_Conic_2SP', 'Lambert_Conformal_Conic', 'Lambert_Conic_Conformal_2SP'],
    (given) => ({ ...betweenParallels(given), k_0: scale(given) }),
  ),
  spelling('mercator', ['Mercator_1SP', 'Mercator_2SP', 'Mercator'], (given) => ({
    ...atTrueScale(given),
    k_0: scale(given),
  })),
  spelling(
    'web mercator',
    ['Popular_Visualisation_Pseudo_Mercator', 'Mercator_Auxiliary_Sphere'],
    // Type 0 is the sphere of the semi-major axis, which is what everybody means; the others are other projections.
    (given) => (given('auxiliary_sphere_type') ? undefined : aboutMeridian(given)),
  ),
  spelling('polar stereographic', ['Polar_Stereographic', 'Polar_Stereographic_Variant_A'], (given) =>
    atPole(latitude(given), given),
  ),
  spelling(
    'polar stereographic',
    ['Polar_Stereographic_Variant_B', 'Stereographic_North_Pole', 'Stereographic_South_Pole'],
    (given) => atPole(parallel(given), given),
  ),
  spelling('stereographic', ['Stereographic'], aboutScaledPoint),
  spelling('double stereographic', ['Oblique_Stereographic', 'Double_Stereographic'], aboutScaledPoint),
  spelling('lambert azimuthal', ['Lambert_Azimuthal_Equal_Area'], aboutPoint),
  spelling('albers', ['Albers_Conic_Equal_Area', 'Albers'], betweenParallels),
  spelling('equidistant conic', ['Equidistant_Conic'], betweenParallels),
  spelling('cassini', ['Cassini_Soldner', 'Cassini'], aboutPoint),
  spelling('polyconic', ['Polyconic'], aboutPoint),
  spelling(
    'equidistant cylindrical',
    ['Equirectangular', 'Equidistant_Cylindrical', 'Equidistant_Cylindrical_Ellipsoidal', 'Plate_Carree'],
    (given) => ({ ...atTrueScale(given), lat_0: latitude(given) }),
  ),
  spelling('cylindrical equal area', ['Cylindrical_Equal_Area'], atTrueScale),
  spelling('cylindrical equal area', ['Behrmann'], (given) => ({ ...aboutMeridian(given), lat_ts: 30 })),
  spelling('azimuthal equidistant', ['Azimuthal_Equidistant'], aboutPoint),
  spelling(
    'oblique mercator, natural origin',
    [
      'Hotine_Oblique_Mercator',
      'Hotine_Oblique_Mercator_Azimuth_Natural_Origin',
      'Rectified_Skew_Orthomorphic_Natural_Origin',
    ],
    oblique,
  ),
  spelling(
    'oblique mercator, center',
    ['Hotine_Oblique_Mercator_Azimuth_Center', 'Oblique_Mercator', 'Rectified_Skew_Orthomorphic_Center'],
    oblique,
  ),
  spelling('krovak', ['Krovak'], (given) => ({ ...aboutScaledPoint(given), alpha: given('azimuth') ?? 0 })),
  spelling('new zealand map grid', ['New_Zealand_Map_Grid'], aboutPoint),
  spelling('bonne', ['Bonne'], (given) => ({ ...aboutMeridian(given), lat_1: parallel(given) })),
  spelling('gnomonic', ['Gnomonic'], aboutPoint),
  spelling('orthographic', ['Orthographic'], aboutPoint),
  spelling('sinusoidal', ['Sinusoidal'], aboutMeridian),
  spelling('mollweide', ['Mollweide'], aboutMeridian),
  spelling('robinson', ['Robinson'], aboutMeridian),
  spelling('equal earth', ['Equal_Earth'], aboutMeridian),
  spelling('van der grinten', ['VanDerGrinten', 'Van_der_Grinten_I'], aboutMeridian),
  spelling('miller', ['Miller_Cylindrical'], aboutMeridian),
];

/** The projection of that name with those parameters (lower case, in degrees and metres); undefined for one not known here. */
export function readProjection(name: string, written: ReadonlyMap<string, number>): Projection | undefined {
  const wanted = plain(name);
  const found = spellings.find((each) => each.names.some((spelled) => plain(spelled) === wanted));
  const given: Given = (...names) => names.map((each) => written.get(each)).find((value) => value !== undefined);
  const parameters = found?.read(given);
  return found === undefined || parameters === undefined ? undefined : settle(found.method, parameters, given);
}

/** Gives a projection that has several spellings its one name here, so that they compare equal. */
function settle(method: ProjectionMethod, parameters: Parameters, given: Given): Projection {
  const { lat_0 = 0, lat_1 = 0, lat_2 = 0, alpha = 0, gamma = 0, ...others } = parameters;
  const isAbout = (value: number, wanted: number): boolean => Math.abs(value - wanted) < SAME;
  // One vendor has no other way to say that coordinates grow to the west and the south.
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
  // One vendor turns the axes by parameters, and leaves them as the projection has them, south and west, without.
  if (method === 'krovak' && given('x_scale') !== undefined && !given('xy_plane_rotation')) {
    return { method: 'krovak, south west', parameters };
  }
  return { method, parameters };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
