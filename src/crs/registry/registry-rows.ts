/** The row format of the registry file and its decoder. */
import { DEGREE_RADIANS, type Ellipsoid, type GeographicCrs, type ProjectedCrs } from '../model/crs-model.ts';
import { type ParameterName, type ProjectionMethod, projectionMethods } from '../model/projection.ts';

/**
 * The file contains rows of text with tab-separated fields, so that it stays small and each change is one line.
 *
 * - `ellipsoids`: name, semi-major axis, inverse flattening
 * - `angularUnits`: name, radians; `linearUnits`: name, metres
 * - `geographic`: code, name, datum (empty if it equals the name), ellipsoid, prime meridian (name and degrees), unit,
 *   shift to WGS 84, area, other names, flags
 * - `projected`: code, name (a leading ~ stands for the name of the base), base, method, parameters in the units of the
 *   row, unit, area, flags, other names if only names distinguish it
 * - `geocentric` and `compound`: code, name, base, area, flags, other names
 * - `other`: systems without a model: code, name, area, flags, other names, WKT
 *
 * Codes without an authority are EPSG codes. An area is west, south, east, north. The flag `y` means that the authority
 * puts the northing axis first, `d` that the entry is deprecated, `h` that it has heights, `m` that it was moved to
 * another base since it got its names.
 */
export interface RegistryFile {
  readonly ellipsoids: readonly string[];
  readonly angularUnits: readonly string[];
  readonly linearUnits: readonly string[];
  readonly geographic: readonly string[];
  readonly projected: readonly string[];
  readonly geocentric: readonly string[];
  readonly compound: readonly string[];
  readonly other: readonly string[];
}

/** In degrees; `west` is greater than `east` if the area crosses the antimeridian. */
export interface AreaOfUse {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const methodNames = Object.keys(projectionMethods) as readonly ProjectionMethod[];

export function decodeGeographic(row: string, file: RegistryFile): GeographicCrs {
  const [code = '', name = '', datum = '', ellipsoid = '', meridian = '', unit = '', shift = ''] = row.split('\t');
  const [unitName = 'degree', radians] = (file.angularUnits[Number(unit)] ?? '').split('\t');
  const [meridianName = '', degrees = '0'] = meridian === '' ? ['Greenwich'] : meridian.split('=');
  return {
    kind: 'geographic',
    name,
    code: qualifyCode(code),
    datum: datum === '' ? name.replaceAll(' ', '_') : datum,
    ellipsoid: decodeEllipsoid(file.ellipsoids[Number(ellipsoid)]),
    primeMeridian: { name: meridianName, longitudeDegrees: Number(degrees) },
    unit: { name: unitName, radians: radians === undefined ? DEGREE_RADIANS : Number(radians) },
    ...(shift === '' ? {} : { toWgs84: decodeShift(shift) }),
  };
}

export function decodeProjected(row: string, base: GeographicCrs, file: RegistryFile): ProjectedCrs {
  const [code = '', name = '', , method = '', values = '', unit = ''] = row.split('\t');
  const [unitName = 'metre', metres = '1'] = (file.linearUnits[Number(unit)] ?? '').split('\t');
  const known = methodNames[Number(method)];
  if (known === undefined) throw new Error(`The registry refers to an unknown projection for ${code}.`);
  const linear = { name: unitName, metres: Number(metres) };
  const written = values.split(' ');
  const parameters: Partial<Record<ParameterName, number>> = {};
  for (const [index, parameter] of projectionMethods[known].parameters.entries()) {
    const value = Number(written[index] ?? '0');
    parameters[parameter] = value * getUnitFactor(parameter, linear.metres, base.unit.radians);
  }
  return {
    kind: 'projected',
    name: expandName(name, base.name),
    code: qualifyCode(code),
    base,
    projection: { method: known, parameters },
    unit: linear,
  };
}

export function decodeArea(text: string): AreaOfUse {
  const [west = -180, south = -90, east = 180, north = 90] = text.split(' ').map(Number);
  return { west, south, east, north };
}

export function qualifyCode(code: string): string {
  return code.includes(':') ? code : `EPSG:${code}`;
}

export function expandName(name: string, baseName: string): string {
  return name.startsWith('~') ? `${baseName} / ${name.slice(1)}` : name;
}

/** Returns the factor from a value in the file to degrees or metres. */
export function getUnitFactor(parameter: ParameterName, metres: number, radians: number): number {
  if (parameter === 'k_0') return 1;
  if (parameter === 'x_0' || parameter === 'y_0') return metres;
  return Math.abs(radians - DEGREE_RADIANS) < 1e-12 ? 1 : radians / DEGREE_RADIANS;
}

/** Rotations and scale are omitted if they are zero. */
function decodeShift(text: string): readonly number[] {
  const given = text.split(' ').map(Number);
  return Array.from({ length: 7 }, (_, index) => given[index] ?? 0);
}

function decodeEllipsoid(row: string | undefined): Ellipsoid {
  const [name = '', semiMajor = '', inverseFlattening = '0'] = (row ?? '').split('\t');
  return { name, semiMajorMetres: Number(semiMajor), inverseFlattening: Number(inverseFlattening) };
}
