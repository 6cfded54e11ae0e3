/** The map projections there are here, each with the parameters it takes, in degrees and metres and by PROJ's short names. */

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
  /** One for each parameter of the method. */
  readonly parameters: Readonly<Partial<Record<ParameterName, number>>>;
}

interface MethodDescription {
  /** How proj4 is told, before the parameters. */
  readonly proj4: string;
  readonly parameters: readonly ParameterName[];
}

const method = (proj4: string, ...parameters: readonly ParameterName[]): MethodDescription => ({ proj4, parameters });

export const projectionMethods = {
  'transverse mercator': method('tmerc', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'transverse mercator, south oriented': method('tmerc +axis=wsu', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert conic, one parallel': method('lcc', 'lat_1', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert conic, two parallels': method('lcc', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'k_0', 'x_0', 'y_0'),
  mercator: method('merc', 'lat_ts', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'web mercator': method('merc', 'lon_0', 'x_0', 'y_0'),
  'polar stereographic': method('stere', 'lat_ts', 'lon_0', 'k_0', 'x_0', 'y_0'),
  stereographic: method('stere', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'double stereographic': method('sterea', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  'lambert azimuthal': method('laea', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  albers: method('aea', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'x_0', 'y_0'),
  'equidistant conic': method('eqdc', 'lat_0', 'lat_1', 'lat_2', 'lon_0', 'x_0', 'y_0'),
  cassini: method('cass', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'cassini, south west': method('cass +axis=swu', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  polyconic: method('poly', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'equidistant cylindrical': method('eqc', 'lat_ts', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'cylindrical equal area': method('cea', 'lat_ts', 'lon_0', 'x_0', 'y_0'),
  'azimuthal equidistant': method('aeqd', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  'oblique mercator, natural origin': method('omerc +no_uoff', 'lat_0', 'lon_0', 'alpha', 'gamma', 'k_0', 'x_0', 'y_0'),
  'oblique mercator, center': method('omerc', 'lat_0', 'lon_0', 'alpha', 'gamma', 'k_0', 'x_0', 'y_0'),
  'swiss oblique mercator': method('somerc', 'lat_0', 'lon_0', 'k_0', 'x_0', 'y_0'),
  krovak: method('krovak', 'lat_0', 'lon_0', 'alpha', 'k_0', 'x_0', 'y_0'),
  'krovak, south west': method('krovak +axis=swu', 'lat_0', 'lon_0', 'alpha', 'k_0', 'x_0', 'y_0'),
  'new zealand map grid': method('nzmg', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  bonne: method('bonne', 'lat_1', 'lon_0', 'x_0', 'y_0'),
  gnomonic: method('gnom', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  orthographic: method('ortho', 'lat_0', 'lon_0', 'x_0', 'y_0'),
  sinusoidal: method('sinu', 'lon_0', 'x_0', 'y_0'),
  mollweide: method('moll', 'lon_0', 'x_0', 'y_0'),
  robinson: method('robin', 'lon_0', 'x_0', 'y_0'),
  'equal earth': method('eqearth', 'lon_0', 'x_0', 'y_0'),
  'van der grinten': method('vandg', 'lon_0', 'x_0', 'y_0'),
  miller: method('mill', 'lon_0', 'x_0', 'y_0'),
} as const satisfies Readonly<Record<string, MethodDescription>>;

export type ProjectionMethod = keyof typeof projectionMethods;

export function parametersOf(name: ProjectionMethod): readonly ParameterName[] {
  return projectionMethods[name].parameters;
}
