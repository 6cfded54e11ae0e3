/** Determines the dimensions of a NetCDF file: x, y, time, elevation, or custom. */
import { problem } from '../../lib/problems/problem.ts';
import { MAX_AXIS_VALUES } from '../port/limits.ts';
import type { CoverageDimension } from '../port/port.ts';
import { createTimeReader } from './cf-time.ts';
import { findText, type NetcdfFile, type NetcdfVariable } from './netcdf-file.ts';

export type AxisKind = 'x' | 'y' | 'time' | 'elevation' | 'custom';

const X_NAMES = /^(?:x|lon|long|longitude|rlon|easting|xc|nav_lon)$/i;
const Y_NAMES = /^(?:y|lat|latitude|rlat|northing|yc|nav_lat)$/i;
const X_STANDARD = /^(?:longitude|grid_longitude|projection_x_coordinate|projection_x_angular_coordinate)$/;
const Y_STANDARD = /^(?:latitude|grid_latitude|projection_y_coordinate|projection_y_angular_coordinate)$/;
const Z_STANDARD =
  /^(?:height|altitude|depth|air_pressure|model_level_number|geopotential_height|(?:atmosphere|ocean)_.*coordinate|.*_above_.*|.*_below_.*)$/;
const PRESSURES = /^(?:pa|hpa|kpa|mbar|millibars?|bar|bars|decibars?|dbar|atm)$/i;
const Z_NAMES = /^(?:z|lev|level|levels|plev|height|depth|elevation|altitude|alt)$/i;

/** Attributes take precedence over the name of the variable. */
export function getAxisKind(variable: NetcdfVariable): AxisKind {
  const units = findText(variable, 'units') ?? '';
  const standard = findText(variable, 'standard_name') ?? '';
  const axis = findText(variable, 'axis')?.toUpperCase();
  if (/\bsince\b/i.test(units) || standard === 'time' || axis === 'T') return 'time';
  if (X_STANDARD.test(standard) || /^degrees?_?e(?:ast)?$/i.test(units)) return 'x';
  if (Y_STANDARD.test(standard) || /^degrees?_?n(?:orth)?$/i.test(units)) return 'y';
  if (axis === 'X') return 'x';
  if (axis === 'Y') return 'y';
  if (axis === 'Z' || findText(variable, 'positive') !== undefined) return 'elevation';
  if (Z_STANDARD.test(standard) || PRESSURES.test(units)) return 'elevation';
  if (X_NAMES.test(variable.name)) return 'x';
  if (Y_NAMES.test(variable.name)) return 'y';
  return Z_NAMES.test(variable.name) ? 'elevation' : 'custom';
}

/** Returns the coordinate variable: the same name and only that dimension. */
export function findCoordinate(file: NetcdfFile, dimension: string): NetcdfVariable | undefined {
  return file.variables.find(
    ({ name, dimensions }) => name === dimension && dimensions.length === 1 && dimensions[0] === name,
  );
}

export function readAxis(file: NetcdfFile, variable: NetcdfVariable): readonly number[] {
  const [length = 0] = variable.shape;
  if (length > MAX_AXIS_VALUES) throw createTooLongError(file, variable.name, length);
  return Array.from(file.read(variable, [0], [length]) as ArrayLike<number | bigint>, Number);
}

/** Describes a dimension besides x and y with its values; without a variable, values are counted. */
export function describeDimension(file: NetcdfFile, name: string, length: number): CoverageDimension {
  if (length > MAX_AXIS_VALUES) throw createTooLongError(file, name, length);
  const variable = findCoordinate(file, name);
  if (variable === undefined) return { name, kind: 'custom', values: Array.from({ length }, (_, index) => index) };
  const unit = findText(variable, 'units');
  if (variable.type === undefined) {
    const texts = file.readTexts(variable);
    const values = texts.length === length ? texts : Array.from({ length }, (_, index) => index);
    return { name, kind: 'custom', values };
  }
  const kind = getAxisKind(variable);
  const numbers = readAxis(file, variable);
  if (kind === 'time') return { name, kind, values: readTimes(file, variable, numbers), unit: 'ISO8601' };
  const positive = findText(variable, 'positive')?.toLowerCase();
  return {
    name,
    // Further horizontal axes are custom dimensions.
    kind: kind === 'elevation' ? kind : 'custom',
    values: numbers,
    ...(unit === undefined || unit === '' ? {} : { unit }),
    ...(kind === 'elevation' && (positive === 'up' || positive === 'down') ? { positive } : {}),
  };
}

function readTimes(
  file: NetcdfFile,
  variable: NetcdfVariable,
  numbers: readonly number[],
): readonly (string | number)[] {
  const units = findText(variable, 'units') ?? '';
  const calendar = findText(variable, 'calendar');
  const read = createTimeReader(units, calendar);
  if (read === undefined) {
    throw createUnsupportedError(
      file,
      `its times use the unit '${units}'${calendar === undefined ? '' : ` in the calendar '${calendar}'`}`,
    );
  }
  return numbers.map((number) => {
    const text = read(number);
    if (text === undefined)
      throw createUnsupportedError(file, `its time ${number} (${units}) is not a date of the standard calendar`);
    return text;
  });
}

function createTooLongError(file: NetcdfFile, name: string, length: number): Error {
  return createUnsupportedError(file, `its dimension '${name}' has ${length} values; the limit is ${MAX_AXIS_VALUES}`);
}

export function createUnsupportedError(file: Pick<NetcdfFile, 'name'>, reason: string): Error {
  return problem('raster-file-unsupported', { file: file.name, reason });
}
