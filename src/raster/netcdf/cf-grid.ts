/** Finds the variables of a NetCDF file that are coverages, and their grids. */
import type { GridTransform } from '../port/port.ts';
import { createUnsupportedError, findCoordinate, getAxisKind, readAxis } from './cf-axes.ts';
import { findText, type NetcdfFile, type NetcdfVariable } from './netcdf-file.ts';

/** A variable on a grid of x and y. */
export interface GridVariable {
  readonly variable: NetcdfVariable;
  /** The positions of x and y among its dimensions. */
  readonly xPlace: number;
  readonly yPlace: number;
  readonly x: NetcdfVariable;
  readonly y: NetcdfVariable;
  readonly width: number;
  readonly height: number;
}

export function listGridVariables(file: NetcdfFile): readonly GridVariable[] {
  const helpers = new Set(file.variables.flatMap((variable) => listHelpers(variable)));
  return file.variables.flatMap((variable) => {
    const isData = variable.type !== undefined && variable.shape.every((length) => length > 0);
    const found = isData && !helpers.has(variable.name) ? toGridVariable(file, variable) : undefined;
    return found === undefined ? [] : [found];
  });
}

/** Returns the names of auxiliary variables. */
function listHelpers(variable: NetcdfVariable): readonly string[] {
  return ['bounds', 'climatology', 'grid_mapping'].flatMap(
    (name) => findText(variable, name)?.split(/[\s:]+/)[0] ?? [],
  );
}

function toGridVariable(file: NetcdfFile, variable: NetcdfVariable): GridVariable | undefined {
  const axes = variable.dimensions.map((dimension) => findCoordinate(file, dimension));
  // The last axis of each kind, because the last dimension varies fastest.
  const findLastAxis = (kind: 'x' | 'y') =>
    axes.findLastIndex((axis) => axis?.type !== undefined && getAxisKind(axis) === kind);
  const xPlace = findLastAxis('x');
  const yPlace = findLastAxis('y');
  const x = axes[xPlace];
  const y = axes[yPlace];
  if (x === undefined || y === undefined) return undefined;
  return { variable, xPlace, yPlace, x, y, width: variable.shape[xPlace] ?? 0, height: variable.shape[yPlace] ?? 0 };
}

/** A regular axis and its direction in the file. */
interface EvenAxis {
  /** The outer edge of the first pixel in grid order: the western or the northern one. */
  readonly origin: number;
  readonly step: number;
  /** Whether the order in the file is reversed. */
  readonly isReversed: boolean;
}

export interface GridGeoreference {
  readonly transform: GridTransform;
  readonly isXReversed: boolean;
  readonly isYReversed: boolean;
  readonly isGeographic: boolean;
}

export function computeGeoreference(file: NetcdfFile, { x, y }: GridVariable): GridGeoreference {
  const xs = readEvenAxis(file, x, 'ascending');
  const ys = readEvenAxis(file, y, 'descending');
  // A single row or column does not define its height or width.
  const columnX = xs.step === 0 ? Math.abs(ys.step) : xs.step;
  const rowY = ys.step === 0 ? -Math.abs(columnX) : ys.step;
  const usedX = columnX === 0 ? 1 : columnX;
  const usedY = rowY === 0 ? -1 : rowY;
  return {
    transform: {
      originX: xs.step === 0 ? xs.origin - usedX / 2 : xs.origin,
      columnX: usedX,
      rowX: 0,
      originY: ys.step === 0 ? ys.origin - usedY / 2 : ys.origin,
      columnY: 0,
      rowY: usedY,
    },
    isXReversed: xs.isReversed,
    isYReversed: ys.isReversed,
    isGeographic: isAngle(x) && isAngle(y) && !/^grid_/.test(findText(x, 'standard_name') ?? ''),
  };
}

function isAngle(axis: NetcdfVariable): boolean {
  const units = findText(axis, 'units') ?? '';
  return (
    /^degrees?(?:_?[ne](?:orth|ast)?)?$/i.test(units) ||
    /^(?:latitude|longitude)$/.test(findText(axis, 'standard_name') ?? '')
  );
}

/** The tolerance from a regular grid as a fraction of a pixel: Gaussian latitudes are within it. */
const MAX_UNEVENNESS = 0.25;

const lengthUnits: Readonly<Record<string, number>> = {
  km: 1_000,
  kilometre: 1_000,
  kilometer: 1_000,
  kilometres: 1_000,
  kilometers: 1_000,
};

function readEvenAxis(file: NetcdfFile, axis: NetcdfVariable, order: 'ascending' | 'descending'): EvenAxis {
  const factor = lengthUnits[(findText(axis, 'units') ?? '').toLowerCase()] ?? 1;
  const values = readAxis(file, axis).map((value) => value * factor);
  const first = values.at(0);
  const last = values.at(-1);
  if (first === undefined || last === undefined || !values.every(Number.isFinite)) {
    throw createUnsupportedError(file, `its axis '${axis.name}' has values that are not numbers`);
  }
  const step = values.length === 1 ? 0 : (last - first) / (values.length - 1);
  const isEven = values.every(
    (value, index) => Math.abs(first + index * step - value) <= Math.abs(step) * MAX_UNEVENNESS,
  );
  if (!isEven || (values.length > 1 && step === 0))
    throw createUnsupportedError(file, `its axis '${axis.name}' is not evenly spaced`);
  const isReversed = order === 'ascending' ? step < 0 : step > 0;
  const [start, used] = isReversed ? [last, -step] : [first, step];
  return { origin: start - used / 2, step: used, isReversed };
}
