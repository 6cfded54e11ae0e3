/** Writes a coordinate reference system as WKT 1, x before y. */
import {
  type CrsModel,
  DEGREE_RADIANS,
  type GeocentricCrs,
  type GeographicCrs,
  type ProjectedCrs,
} from '../model/crs-model.ts';
import { type ParameterName, type Projection, type ProjectionMethod, projectionMethods } from '../model/projection.ts';

export function writeCrs(crs: CrsModel): string {
  switch (crs.kind) {
    case 'geographic':
      return writeGeographic(crs, GEOGRAPHIC_AXES);
    case 'geocentric':
      return writeGeocentric(crs);
    case 'projected':
      return writeProjected(crs);
  }
}

const GEOGRAPHIC_AXES = ['AXIS["Longitude",EAST]', 'AXIS["Latitude",NORTH]'];
const GEOCENTRIC_AXES = ['AXIS["Geocentric X",OTHER]', 'AXIS["Geocentric Y",OTHER]', 'AXIS["Geocentric Z",NORTH]'];
const PROJECTED_AXES = ['AXIS["Easting",EAST]', 'AXIS["Northing",NORTH]'];

type ParameterNames = Readonly<Partial<Record<ParameterName, string>>>;

const NATURAL: ParameterNames = {
  lat_0: 'latitude_of_origin',
  lon_0: 'central_meridian',
  lat_1: 'standard_parallel_1',
  lat_2: 'standard_parallel_2',
  lat_ts: 'standard_parallel_1',
  alpha: 'azimuth',
  gamma: 'rectified_grid_angle',
  k_0: 'scale_factor',
  x_0: 'false_easting',
  y_0: 'false_northing',
};
const CENTERED: ParameterNames = { ...NATURAL, lat_0: 'latitude_of_center', lon_0: 'longitude_of_center' };

const wktNames: Readonly<Record<ProjectionMethod, { readonly name: string; readonly parameters: ParameterNames }>> = {
  'transverse mercator': { name: 'Transverse_Mercator', parameters: NATURAL },
  'transverse mercator, south oriented': { name: 'Transverse_Mercator_South_Orientated', parameters: NATURAL },
  'lambert conic, one parallel': {
    name: 'Lambert_Conformal_Conic_1SP',
    parameters: { ...NATURAL, lat_1: 'latitude_of_origin' },
  },
  'lambert conic, two parallels': { name: 'Lambert_Conformal_Conic_2SP', parameters: NATURAL },
  mercator: { name: 'Mercator_1SP', parameters: NATURAL },
  'web mercator': { name: 'Mercator_1SP', parameters: NATURAL },
  'polar stereographic': { name: 'Polar_Stereographic', parameters: { ...NATURAL, lat_ts: 'latitude_of_origin' } },
  stereographic: { name: 'Stereographic', parameters: NATURAL },
  'double stereographic': { name: 'Oblique_Stereographic', parameters: NATURAL },
  'lambert azimuthal': { name: 'Lambert_Azimuthal_Equal_Area', parameters: CENTERED },
  albers: { name: 'Albers_Conic_Equal_Area', parameters: CENTERED },
  'equidistant conic': { name: 'Equidistant_Conic', parameters: CENTERED },
  cassini: { name: 'Cassini_Soldner', parameters: NATURAL },
  'cassini, south west': { name: 'Cassini_Soldner', parameters: NATURAL },
  polyconic: { name: 'Polyconic', parameters: NATURAL },
  'equidistant cylindrical': { name: 'Equirectangular', parameters: NATURAL },
  'cylindrical equal area': { name: 'Cylindrical_Equal_Area', parameters: NATURAL },
  'azimuthal equidistant': { name: 'Azimuthal_Equidistant', parameters: CENTERED },
  'oblique mercator, natural origin': { name: 'Hotine_Oblique_Mercator', parameters: CENTERED },
  'oblique mercator, center': { name: 'Hotine_Oblique_Mercator_Azimuth_Center', parameters: CENTERED },
  'swiss oblique mercator': { name: 'Hotine_Oblique_Mercator_Azimuth_Center', parameters: CENTERED },
  krovak: { name: 'Krovak', parameters: CENTERED },
  'krovak, south west': { name: 'Krovak', parameters: CENTERED },
  'new zealand map grid': { name: 'New_Zealand_Map_Grid', parameters: NATURAL },
  bonne: { name: 'Bonne', parameters: NATURAL },
  gnomonic: { name: 'Gnomonic', parameters: NATURAL },
  orthographic: { name: 'Orthographic', parameters: NATURAL },
  sinusoidal: { name: 'Sinusoidal', parameters: CENTERED },
  mollweide: { name: 'Mollweide', parameters: NATURAL },
  robinson: { name: 'Robinson', parameters: CENTERED },
  'equal earth': { name: 'Equal_Earth', parameters: NATURAL },
  'van der grinten': { name: 'VanDerGrinten', parameters: NATURAL },
  miller: { name: 'Miller_Cylindrical', parameters: CENTERED },
};

function writeGeographic(crs: GeographicCrs, axes: readonly string[]): string {
  return writeNode('GEOGCS', [
    quoteText(crs.name),
    ...writeDatumParts(crs),
    `UNIT[${quoteText(crs.unit.name)},${crs.unit.radians}]`,
    ...axes,
    ...writeAuthority(crs.code),
  ]);
}

function writeGeocentric(crs: GeocentricCrs): string {
  return writeNode('GEOCCS', [
    quoteText(crs.name),
    ...writeDatumParts(crs.base),
    `UNIT[${quoteText(crs.unit.name)},${crs.unit.metres}]`,
    ...GEOCENTRIC_AXES,
    ...writeAuthority(crs.code),
  ]);
}

function writeDatumParts({ datum, ellipsoid, primeMeridian, toWgs84 }: GeographicCrs): readonly string[] {
  const parts = [
    quoteText(datum),
    `SPHEROID[${quoteText(ellipsoid.name)},${ellipsoid.semiMajorMetres},${ellipsoid.inverseFlattening}]`,
    ...(toWgs84 === undefined ? [] : [`TOWGS84[${toWgs84.join(',')}]`]),
  ];
  return [writeNode('DATUM', parts), `PRIMEM[${quoteText(primeMeridian.name)},${primeMeridian.longitudeDegrees}]`];
}

function writeProjected(crs: ProjectedCrs): string {
  return writeNode('PROJCS', [
    quoteText(crs.name),
    writeGeographic(crs.base, []),
    ...writeProjectionParts(crs),
    `UNIT[${quoteText(crs.unit.name)},${crs.unit.metres}]`,
    ...listAxes(crs.projection.method),
    ...(crs.projection.method === 'web mercator' ? [writePseudoMercatorExtension(crs)] : []),
    ...writeAuthority(crs.code),
  ]);
}

function writeProjectionParts(crs: ProjectedCrs): readonly string[] {
  const { method, parameters } = crs.projection;
  const { name, parameters: names } = wktNames[method];
  const parts: string[] = [];
  for (const parameter of projectionMethods[method].parameters) {
    const value = parameters[parameter] ?? 0;
    // Omitting it is the older form, and the only one that some readers accept.
    if (method === 'mercator' && parameter === 'lat_ts' && value === 0) continue;
    if (method === 'lambert conic, two parallels' && parameter === 'k_0' && value === 1) continue;
    parts.push(`PARAMETER["${names[parameter]}",${convertParameter(parameter, value, crs)}]`);
  }
  if (method === 'swiss oblique mercator')
    parts.push('PARAMETER["azimuth",90]', 'PARAMETER["rectified_grid_angle",90]');
  if (method === 'krovak' || method === 'krovak, south west') {
    parts.push('PARAMETER["pseudo_standard_parallel_1",78.5]');
  }
  const isOnParallel = method === 'mercator' && (parameters.lat_ts ?? 0) !== 0;
  return [`PROJECTION["${isOnParallel ? 'Mercator_2SP' : name}"]`, ...parts];
}

function listAxes(method: Projection['method']): readonly string[] {
  switch (method) {
    case 'cassini, south west':
    case 'krovak, south west':
      return ['AXIS["X",SOUTH]', 'AXIS["Y",WEST]'];
    case 'transverse mercator, south oriented':
      return ['AXIS["Y",WEST]', 'AXIS["X",SOUTH]'];
    default:
      return PROJECTED_AXES;
  }
}

/** WKT 1 has no name for Web Mercator; this extension distinguishes it from a true Mercator. */
function writePseudoMercatorExtension(crs: ProjectedCrs): string {
  const { lon_0 = 0, x_0 = 0, y_0 = 0 } = crs.projection.parameters;
  const radius = crs.base.ellipsoid.semiMajorMetres;
  const place = `+lat_ts=0 +lon_0=${lon_0} +x_0=${x_0} +y_0=${y_0} +k=1`;
  return `EXTENSION["PROJ4","+proj=merc +a=${radius} +b=${radius} ${place} +units=m +nadgrids=@null +wktext +no_defs"]`;
}

/** Converts lengths to the unit of the projection and angles to the unit of the base; scales stay unchanged. */
function convertParameter(parameter: ParameterName, value: number, crs: ProjectedCrs): number {
  if (parameter === 'k_0') return value;
  if (parameter === 'x_0' || parameter === 'y_0')
    return crs.unit.metres === 1 ? value : roundDigits(value / crs.unit.metres);
  const { radians } = crs.base.unit;
  return Math.abs(radians - DEGREE_RADIANS) < 1e-12 ? value : roundDigits((value * DEGREE_RADIANS) / radians);
}

/** Removes the rounding error of a unit conversion after the twelfth digit. */
function roundDigits(value: number): number {
  return Number(value.toPrecision(12));
}

function writeAuthority(code: string | undefined): readonly string[] {
  if (code === undefined) return [];
  const [name = '', number = ''] = code.split(':');
  return [`AUTHORITY["${name}","${number}"]`];
}

function writeNode(keyword: string, parts: readonly string[]): string {
  return `${keyword}[${parts.join(',')}]`;
}

function quoteText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
