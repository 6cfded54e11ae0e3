/** The supported map projections with their parameters, in degrees and metres and by the short names of PROJ. */

export type ParameterName =
  | 'lat_0'
  | 'lat_1'
  | 'lat_2'
  | 'lat_ts'
  | 'lon_0'
  | 'alpha'
  | 'gamma'
  | 'k_0'
  | 'x_0'
  | 'y_0';

export interface Projection {
  readonly method: ProjectionMethod;
  /** Contains each parameter of the method. */
  readonly parameters: Readonly<Partial<Record<ParameterName, number>>>;
}

interface MethodDescription {
  /** The proj4 text before the parameters. */
  readonly proj4: string;
  readonly parameters: readonly ParameterName[];
}

const defineMethod = (proj4: string, ...parameters: readonly ParameterName[]): MethodDescription => ({
  proj4,
  parameters,
});

export const projectionMethods = {
  'transverse mercator': defineMethod('tmerc', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'transverse mercator, south oriented': defineMethod('tmerc +axis=wsu', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert conic, one parallel': defineMethod('lcc', 'lat_1', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert conic, two parallels': defineMethod('lcc', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'k_0', 'x_0', 'y_0'),
  mercator: defineMethod('merc', 'lat_ts', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'web mercator': defineMethod('merc', 'lon_0', 'x_0', 'y_0'),
  'polar stereographic': defineMethod('stere', 'lat_ts', 'lon_0', 'k_0', 'x_0', 'y_0'),
  stereographic: defineMethod('stere', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'double stereographic': defineMethod('sterea', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert azimuthal': defineMethod('laea', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  albers: defineMethod('aea', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'x_0', 'y_0'),
  'equidistant conic': defineMethod('eqdc', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'x_0', 'y_0'),
  cassini: defineMethod('cass', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'cassini, south west': defineMethod('cass +axis=swu', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  polyconic: defineMethod('poly', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'equidistant cylindrical': defineMethod('eqc', 'lat_ts', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'cylindrical equal area': defineMethod('cea', 'lat_ts', 'lon_0', 'x_0', 'y_0'),
  'azimuthal equidistant': defineMethod('aeqd', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'oblique mercator, natural origin': defineMethod(
    'omerc +no_uoff',
    'lat_0',
    'lon_0',
    'alpha',
    'gamma',
    'k_0',
    'x_0',
    'y_0',
  ),
  'oblique mercator, center': defineMethod('omerc', 'lat_0', 'lon_0', 'alpha', 'gamma', 'k_0', 'x_0', 'y_0'),
  'swiss oblique mercator': defineMethod('somerc', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  krovak: defineMethod('krovak', 'lat_0', 'lon_0', 'alpha', 'k_0', 'x_0', 'y_0'),
  'krovak, south west': defineMethod('krovak +axis=swu', 'lat_0', 'lon_0', 'alpha', 'k_0', 'x_0', 'y_0'),
  'new zealand map grid': defineMethod('nzmg', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  bonne: defineMethod('bonne', 'lat_1', 'lon_0', 'x_0', 'y_0'),
  gnomonic: defineMethod('gnom', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  orthographic: defineMethod('ortho', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  sinusoidal: defineMethod('sinu', 'lon_0', 'x_0', 'y_0'),
  mollweide: defineMethod('moll', 'lon_0', 'x_0', 'y_0'),
  robinson: defineMethod('robin', 'lon_0', 'x_0', 'y_0'),
  'equal earth': defineMethod('eqearth', 'lon_0', 'x_0', 'y_0'),
  'van der grinten': defineMethod('vandg', 'lon_0', 'x_0', 'y_0'),
  miller: defineMethod('mill', 'lon_0', 'x_0', 'y_0'),
} as const satisfies Readonly<Record<string, MethodDescription>>;

export type ProjectionMethod = keyof typeof projectionMethods;

export function listParameters(name: ProjectionMethod): readonly ParameterName[] {
  return projectionMethods[name].parameters;
}
