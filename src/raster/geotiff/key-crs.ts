/** Maps GeoKeys to a coordinate reference system: a code, or a definition from their numbers. */

import { matchWkt } from '../../crs/match-wkt.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { GeoKeys } from './geo-keys.ts';

const USER_DEFINED = 32_767;

/** The supported keys, by their names in the specification. */
const key = {
  citation: 1026,
  modelType: 1024,
  geographicType: 2048,
  geographicCitation: 2049,
  datum: 2050,
  primeMeridianLongitude: 2061,
  angularUnit: 2054,
  angularUnitSize: 2055,
  ellipsoid: 2056,
  semiMajor: 2057,
  semiMinor: 2058,
  inverseFlattening: 2059,
  projectedType: 3072,
  projectedCitation: 3073,
  projection: 3074,
  method: 3075,
  linearUnit: 3076,
  linearUnitSize: 3077,
} as const;

const MODEL_GEOGRAPHIC = 2;

/** Files of one mosaic are read one after the other, and most have the same CRS. */
const crsCache = new Map<string, CrsReference>();
/** The number of cached reference systems. */
const MAX_CACHED = 500;

export async function resolveKeyCrs(keys: GeoKeys): Promise<CrsReference> {
  if (keys.size === 0) return {};
  const identity = JSON.stringify([...keys]);
  const found = crsCache.get(identity) ?? (await findReference(keys));
  if (crsCache.size >= MAX_CACHED) crsCache.clear();
  crsCache.set(identity, found);
  return found;
}

async function findReference(keys: GeoKeys): Promise<CrsReference> {
  const isGeographic = keys.get(key.modelType) === MODEL_GEOGRAPHIC;
  const declared = isGeographic ? undefined : findCode(keys, key.projectedType);
  const geographic = findCode(keys, key.geographicType);
  const hasProjection =
    !isGeographic && (declared !== undefined || keys.has(key.projectedType) || keys.has(key.method));
  if (declared !== undefined) return resolveCode(declared);
  // With a complete definition, the code is only that of its base.
  const text = findEsriText(keys);
  if (text !== undefined) return matchWkt(text);
  if (!hasProjection && geographic !== undefined) return resolveCode(geographic);
  const base = await writeBaseText(keys, geographic);
  if (base === undefined) return {};
  if (!hasProjection) return matchWkt(base);
  const projected = writeProjectedText(keys, base);
  return projected === undefined ? {} : matchWkt(projected);
}

/** Esri codes share the field with EPSG codes and have different numbers. */
async function resolveCode(number: number): Promise<CrsReference> {
  for (const authority of ['EPSG', 'ESRI']) {
    const definition = await findCrs(`${authority}:${number}`);
    if (definition?.code !== undefined) return { code: definition.code };
  }
  return { code: `EPSG:${number}` };
}

function findCode(keys: GeoKeys, which: number): number | undefined {
  const value = keys.get(which);
  return typeof value === 'number' && value > 0 && value < USER_DEFINED + 1e6 && value !== USER_DEFINED
    ? value
    : undefined;
}

/** Esri writes complete definitions into the citation. */
function findEsriText(keys: GeoKeys): string | undefined {
  for (const which of [key.projectedCitation, key.citation, key.geographicCitation]) {
    const value = keys.get(which);
    const found = typeof value === 'string' ? /ESRI PE String\s*=\s*([\s\S]+)/i.exec(value)?.[1] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Semi-major axis and inverse flattening, for files that only name the ellipsoid. */
const ellipsoids: Readonly<Record<number, readonly [name: string, semiMajor: number, inverseFlattening: number]>> = {
  7001: ['Airy 1830', 6377563.396, 299.3249646],
  7004: ['Bessel 1841', 6377397.155, 299.1528128],
  7008: ['Clarke 1866', 6378206.4, 294.978698213898],
  7012: ['Clarke 1880 (RGS)', 6378249.145, 293.465],
  7019: ['GRS 1980', 6378137, 298.257222101],
  7022: ['International 1924', 6378388, 297],
  7024: ['Krassowsky 1940', 6378245, 298.3],
  7030: ['WGS 84', 6378137, 298.257223563],
  7043: ['WGS 72', 6378135, 298.26],
};

/** The code of a datum is that of its geographic system plus this offset. */
const DATUM_OFFSET = 2_000;

async function writeBaseText(keys: GeoKeys, code: number | undefined): Promise<string | undefined> {
  const datum = findCode(keys, key.datum);
  for (const number of [code, datum === undefined ? undefined : datum - DATUM_OFFSET]) {
    const definition = number === undefined ? undefined : await findCrs(`EPSG:${number}`);
    if (definition?.kind === 'geographic') return definition.wkt;
  }
  const [name, semiMajor, inverseFlattening] = findEllipsoid(keys) ?? [];
  if (semiMajor === undefined || inverseFlattening === undefined) return undefined;
  const citation = keys.get(key.geographicCitation);
  const title = quoteText(typeof citation === 'string' && citation !== '' ? citation : 'unknown');
  const meridian = findNumber(keys, key.primeMeridianLongitude) ?? 0;
  return [
    `GEOGCS[${title},DATUM[${quoteText(findDatumName(citation) ?? 'unknown')},`,
    `SPHEROID[${quoteText(name ?? 'unknown')},${semiMajor},${inverseFlattening}]],`,
    `PRIMEM["${meridian === 0 ? 'Greenwich' : 'unknown'}",${meridian}],UNIT["${getAngularUnit(keys) === DEGREE ? 'degree' : 'unknown'}",${getAngularUnit(keys)}]]`,
  ].join('');
}

/** GDAL writes `GCS Name = x|Datum = y|...`; without separators if the text was cut at the first. */
function findDatumName(citation: string | number | undefined): string | undefined {
  return typeof citation === 'string' ? /Datum\s*=\s*([^|]+)/.exec(citation)?.[1]?.trim() : undefined;
}

function findEllipsoid(keys: GeoKeys): readonly [string, number, number] | undefined {
  const semiMajor = findNumber(keys, key.semiMajor);
  const semiMinor = findNumber(keys, key.semiMinor);
  const flattening = findNumber(keys, key.inverseFlattening) ?? computeInverseFlattening(semiMajor, semiMinor);
  if (semiMajor !== undefined && semiMajor > 0 && flattening !== undefined) return ['unknown', semiMajor, flattening];
  return ellipsoids[findCode(keys, key.ellipsoid) ?? 0];
}

function computeInverseFlattening(semiMajor: number | undefined, semiMinor: number | undefined): number | undefined {
  if (semiMajor === undefined || semiMinor === undefined) return undefined;
  return semiMajor === semiMinor ? 0 : semiMajor / (semiMajor - semiMinor);
}

const DEGREE = Math.PI / 180;

const angularUnits: Readonly<Record<number, number>> = {
  9101: 1,
  9102: DEGREE,
  9105: Math.PI / 200,
  9106: Math.PI / 200,
};

function getAngularUnit(keys: GeoKeys): number {
  return findNumber(keys, key.angularUnitSize) ?? angularUnits[findNumber(keys, key.angularUnit) ?? 9102] ?? DEGREE;
}

const linearUnits: Readonly<Record<number, readonly [name: string, metres: number]>> = {
  9001: ['metre', 1],
  9002: ['foot', 0.3048],
  9003: ['US survey foot', 1200 / 3937],
  9005: ["Clarke's foot", 0.3047972654],
  9036: ['kilometre', 1_000],
};

/** The parameters of projections, by their WKT names, and the keys that may contain them. */
const parameterKeys = {
  standard_parallel_1: [3078],
  standard_parallel_2: [3079],
  central_meridian: [3080, 3084, 3088, 3095],
  pole_meridian: [3095, 3080, 3088],
  latitude_of_origin: [3081, 3085, 3089],
  longitude_of_center: [3088, 3080, 3084],
  latitude_of_center: [3089, 3081, 3085],
  false_easting: [3082, 3086, 3090],
  false_northing: [3083, 3087, 3091],
  scale_factor: [3092, 3093],
  azimuth: [3094],
  rectified_grid_angle: [3096],
} as const;

type Parameter = keyof typeof parameterKeys;

const OFFSETS: readonly Parameter[] = ['false_easting', 'false_northing'];
const NATURAL: readonly Parameter[] = ['latitude_of_origin', 'central_meridian', ...OFFSETS];
const CENTERED: readonly Parameter[] = ['latitude_of_center', 'longitude_of_center', ...OFFSETS];
const PARALLELS: readonly Parameter[] = ['standard_parallel_1', 'standard_parallel_2'];
const SCALED: readonly Parameter[] = [...NATURAL, 'scale_factor'];

const methods: Readonly<Record<number, readonly [name: string, parameters: readonly Parameter[]]>> = {
  1: ['Transverse_Mercator', SCALED],
  3: ['Hotine_Oblique_Mercator_Azimuth_Center', [...CENTERED, 'azimuth', 'rectified_grid_angle', 'scale_factor']],
  7: ['Mercator_1SP', ['central_meridian', 'standard_parallel_1', 'scale_factor', ...OFFSETS]],
  8: ['Lambert_Conformal_Conic_2SP', [...NATURAL, ...PARALLELS]],
  9: ['Lambert_Conformal_Conic_1SP', SCALED],
  10: ['Lambert_Azimuthal_Equal_Area', CENTERED],
  11: ['Albers_Conic_Equal_Area', [...CENTERED, ...PARALLELS]],
  12: ['Azimuthal_Equidistant', CENTERED],
  13: ['Equidistant_Conic', [...CENTERED, ...PARALLELS]],
  14: ['Stereographic', SCALED],
  15: ['Polar_Stereographic', ['latitude_of_origin', 'pole_meridian', 'scale_factor', ...OFFSETS]],
  16: ['Oblique_Stereographic', SCALED],
  17: ['Equirectangular', ['standard_parallel_1', ...NATURAL]],
  18: ['Cassini_Soldner', NATURAL],
  19: ['Gnomonic', NATURAL],
  20: ['Miller_Cylindrical', CENTERED],
  21: ['Orthographic', NATURAL],
  22: ['Polyconic', NATURAL],
  23: ['Robinson', ['longitude_of_center', ...OFFSETS]],
  24: ['Sinusoidal', ['longitude_of_center', ...OFFSETS]],
  25: ['VanDerGrinten', ['central_meridian', ...OFFSETS]],
  26: ['New_Zealand_Map_Grid', NATURAL],
  27: ['Transverse_Mercator_South_Orientated', SCALED],
  28: ['Cylindrical_Equal_Area', ['standard_parallel_1', 'central_meridian', ...OFFSETS]],
};

function writeProjectedText(keys: GeoKeys, base: string): string | undefined {
  const citation = keys.get(key.projectedCitation) ?? keys.get(key.citation);
  const name = quoteText(typeof citation === 'string' && citation !== '' ? citation : 'unknown');
  const [unit, metres] = getLinearUnit(keys);
  const projection = writeZoneText(findCode(keys, key.projection)) ?? writeMethodText(keys);
  return projection === undefined
    ? undefined
    : `PROJCS[${name},${base},${projection},UNIT[${quoteText(unit)},${metres}]]`;
}

function getLinearUnit(keys: GeoKeys): readonly [string, number] {
  const size = findNumber(keys, key.linearUnitSize);
  return size === undefined || size <= 0
    ? (linearUnits[findNumber(keys, key.linearUnit) ?? 9001] ?? ['metre', 1])
    : ['unknown', size];
}

/** UTM zones have their own codes: 160 and the zone in the north, 161 in the south. */
function writeZoneText(code: number | undefined): string | undefined {
  const zone = (code ?? 0) % 100;
  const half = Math.floor((code ?? 0) / 100);
  if ((half !== 160 && half !== 161) || zone < 1 || zone > 60) return undefined;
  const values = [0, zone * 6 - 183, 500_000, half === 161 ? 10_000_000 : 0, 0.9996];
  const parameters = SCALED.map((parameter, index) => `PARAMETER["${parameter}",${values[index]}]`);
  return ['PROJECTION["Transverse_Mercator"]', ...parameters].join(',');
}

function writeMethodText(keys: GeoKeys): string | undefined {
  const [name, parameters] = methods[findNumber(keys, key.method) ?? 0] ?? [];
  if (name === undefined || parameters === undefined) return undefined;
  const written = parameters.flatMap((parameter) => {
    const value = parameterKeys[parameter].map((which) => findNumber(keys, which)).find((each) => each !== undefined);
    return value === undefined
      ? []
      : [`PARAMETER["${parameter === 'pole_meridian' ? 'central_meridian' : parameter}",${value}]`];
  });
  return [`PROJECTION["${name}"]`, ...written].join(',');
}

function findNumber(keys: GeoKeys, which: number): number | undefined {
  const value = keys.get(which);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function quoteText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
