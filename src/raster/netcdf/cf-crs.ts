/** Maps the grid mapping of a NetCDF variable to a coordinate reference system. */

import { matchWkt } from '../../crs/match-wkt.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findNumber, findNumbers, findText, type NetcdfFile, type NetcdfVariable } from './netcdf-file.ts';

/** Longitudes and latitudes without a grid mapping are WGS 84. */
const WGS84: CrsReference = { code: 'EPSG:4326' };

export async function readGridCrs(
  file: NetcdfFile,
  variable: NetcdfVariable,
  isGeographic: boolean,
): Promise<CrsReference> {
  const mapping = findGridMapping(file, variable);
  if (mapping === undefined) return isGeographic ? WGS84 : {};
  for (const name of ['crs_wkt', 'spatial_ref', 'esri_pe_string']) {
    const text = findText(mapping, name);
    const found = text === undefined || text === '' ? {} : await matchWkt(text);
    if (found.code !== undefined || found.wkt !== undefined) return found;
  }
  const wkt = writeDefinition(mapping);
  if (wkt !== undefined) return matchWkt(wkt);
  return isGeographic ? WGS84 : {};
}

/** `crs` or, in the long form, `crs: x y`. */
function findGridMapping(file: NetcdfFile, variable: NetcdfVariable): NetcdfVariable | undefined {
  const name = findText(variable, 'grid_mapping')?.split(/[\s:]+/)[0];
  return name === undefined ? undefined : file.variables.find((each) => each.name === name);
}

type Parameter = readonly [wkt: string, cf: string, otherwise?: number];

const OFFSETS: readonly Parameter[] = [
  ['false_easting', 'false_easting', 0],
  ['false_northing', 'false_northing', 0],
];
const ORIGIN: readonly Parameter[] = [['latitude_of_origin', 'latitude_of_projection_origin', 0]];
const CENTER: readonly Parameter[] = [
  ['latitude_of_center', 'latitude_of_projection_origin', 0],
  ['longitude_of_center', 'longitude_of_projection_origin', 0],
];
const MERIDIAN: Parameter = ['central_meridian', 'longitude_of_central_meridian', 0];
const PROJECTION_MERIDIAN: Parameter = ['central_meridian', 'longitude_of_projection_origin', 0];

/** By CF names; each parameter with its WKT name and its CF name. */
const methods: Readonly<Record<string, readonly [name: string, parameters: readonly Parameter[]]>> = {
  transverse_mercator: [
    'Transverse_Mercator',
    [...ORIGIN, MERIDIAN, ['scale_factor', 'scale_factor_at_central_meridian', 1], ...OFFSETS],
  ],
  lambert_azimuthal_equal_area: ['Lambert_Azimuthal_Equal_Area', [...CENTER, ...OFFSETS]],
  azimuthal_equidistant: ['Azimuthal_Equidistant', [...CENTER, ...OFFSETS]],
  mercator: [
    'Mercator_1SP',
    [
      PROJECTION_MERIDIAN,
      ['scale_factor', 'scale_factor_at_projection_origin'],
      ['standard_parallel_1', 'standard_parallel'],
      ...OFFSETS,
    ],
  ],
  polar_stereographic: [
    'Polar_Stereographic',
    [
      ['latitude_of_origin', 'standard_parallel'],
      ['central_meridian', 'straight_vertical_longitude_from_pole', 0],
      ['scale_factor', 'scale_factor_at_projection_origin', 1],
      ...OFFSETS,
    ],
  ],
  stereographic: [
    'Stereographic',
    [...ORIGIN, PROJECTION_MERIDIAN, ['scale_factor', 'scale_factor_at_projection_origin', 1], ...OFFSETS],
  ],
  orthographic: ['Orthographic', [...ORIGIN, PROJECTION_MERIDIAN, ...OFFSETS]],
  sinusoidal: ['Sinusoidal', [['longitude_of_center', 'longitude_of_projection_origin', 0], ...OFFSETS]],
  lambert_cylindrical_equal_area: [
    'Cylindrical_Equal_Area',
    [['standard_parallel_1', 'standard_parallel', 0], MERIDIAN, ...OFFSETS],
  ],
};

/** Conic projections with one or two parallels. */
const conics: Readonly<
  Record<string, readonly [one: string | undefined, two: string, origin: string, meridian: string]>
> = {
  lambert_conformal_conic: [
    'Lambert_Conformal_Conic_1SP',
    'Lambert_Conformal_Conic_2SP',
    'latitude_of_origin',
    'central_meridian',
  ],
  albers_conical_equal_area: [undefined, 'Albers_Conic_Equal_Area', 'latitude_of_center', 'longitude_of_center'],
};

function writeDefinition(mapping: NetcdfVariable): string | undefined {
  const method = findText(mapping, 'grid_mapping_name') ?? '';
  const base = writeGeographicCrs(mapping);
  if (base === undefined) return undefined;
  if (method === 'latitude_longitude') return base;
  const projection = writeConicProjection(mapping, method) ?? writeSimpleProjection(mapping, method);
  return projection === undefined ? undefined : `PROJCS["unknown",${base},${projection},UNIT["metre",1]]`;
}

function writeSimpleProjection(mapping: NetcdfVariable, method: string): string | undefined {
  const [name, parameters] = methods[method] ?? [];
  if (name === undefined || parameters === undefined) return undefined;
  const written = parameters.flatMap(([wkt, cf, otherwise]) => {
    const value =
      findNumber(mapping, cf) ??
      (wkt === 'latitude_of_origin' && method === 'polar_stereographic' ? getPole(mapping) : otherwise);
    return value === undefined ? [] : [`PARAMETER["${wkt}",${value}]`];
  });
  return [`PROJECTION["${name}"]`, ...written].join(',');
}

function getPole(mapping: NetcdfVariable): number {
  return findNumber(mapping, 'latitude_of_projection_origin') ?? 90;
}

function writeConicProjection(mapping: NetcdfVariable, method: string): string | undefined {
  const [single, double, origin, meridian] = conics[method] ?? [];
  const parallels = (findNumbers(mapping, 'standard_parallel') ?? []).map(Number);
  const [first, second = first] = parallels;
  if (double === undefined || first === undefined) return undefined;
  const latitude = findNumber(mapping, 'latitude_of_projection_origin') ?? first;
  const longitude = findNumber(mapping, 'longitude_of_central_meridian') ?? 0;
  const isSingle = single !== undefined && parallels.length === 1 && latitude === first;
  return [
    `PROJECTION["${isSingle ? single : double}"]`,
    `PARAMETER["${origin}",${latitude}]`,
    `PARAMETER["${meridian}",${longitude}]`,
    ...(isSingle
      ? ['PARAMETER["scale_factor",1]']
      : [`PARAMETER["standard_parallel_1",${first}]`, `PARAMETER["standard_parallel_2",${second}]`]),
    ...OFFSETS.map(([wkt, cf]) => `PARAMETER["${wkt}",${findNumber(mapping, cf) ?? 0}]`),
  ].join(',');
}

function writeGeographicCrs(mapping: NetcdfVariable): string | undefined {
  const radius = findNumber(mapping, 'earth_radius');
  const semiMajor = findNumber(mapping, 'semi_major_axis') ?? radius ?? 6_378_137;
  const semiMinor = findNumber(mapping, 'semi_minor_axis');
  const isSphere = radius !== undefined || semiMinor === semiMajor;
  const isSilent = radius === undefined && !mapping.attributes.has('semi_major_axis');
  const flattening = semiMinor === undefined ? 298.257223563 : semiMajor / (semiMajor - semiMinor);
  const inverse = isSphere ? 0 : (findNumber(mapping, 'inverse_flattening') ?? flattening);
  if (!(semiMajor > 0) || !Number.isFinite(inverse) || inverse < 0) return undefined;
  const quoteName = (text: string | undefined, otherwise: string) => `"${(text ?? otherwise).replaceAll('"', '')}"`;
  const name = findText(mapping, 'geographic_crs_name');
  const datum = findText(mapping, 'horizontal_datum_name');
  const meridian = findNumber(mapping, 'longitude_of_prime_meridian') ?? 0;
  return [
    `GEOGCS[${quoteName(name, isSilent ? 'WGS 84' : 'unknown')},DATUM[${quoteName(datum, isSilent ? 'WGS_1984' : 'unknown')},`,
    `SPHEROID[${quoteName(findText(mapping, 'reference_ellipsoid_name'), isSilent ? 'WGS 84' : 'unknown')},${semiMajor},${inverse}]],`,
    `PRIMEM[${quoteName(findText(mapping, 'prime_meridian_name'), 'Greenwich')},${meridian}],UNIT["degree",0.0174532925199433]]`,
  ].join('');
}
