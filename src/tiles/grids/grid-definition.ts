/** The definition of a tile matrix set by its extent and scales, as administrators write it, and its matrices. */
import type { Bounds } from '../../crs/bounds.ts';
import { PIXEL_METRES, TILE_PIXELS, type TileMatrix } from '../tile-matrix-set.ts';

/** From the coarsest to the finest level. */
export type GridScales =
  /** The sides of pixels in units of the CRS. */
  | { readonly kind: 'resolutions'; readonly values: readonly number[] }
  | { readonly kind: 'scaleDenominators'; readonly values: readonly number[] }
  /** The first level covers the extent with one row or column of tiles; each other has half its pixel size. */
  | { readonly kind: 'levels'; readonly count: number };

/** The tiles of a level that do not follow from the extent. */
export interface GridMatrix {
  readonly originX: number;
  readonly originY: number;
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

export interface GridDefinition {
  readonly name: string;
  readonly description: string;
  /** The EPSG number of the CRS. */
  readonly epsg: number;
  readonly extent: Bounds;
  /** Whether tiles begin at the upper left corner of the extent instead of the lower left one. */
  readonly alignTopLeft: boolean;
  readonly scales: GridScales;
  /** Converts scale denominators; null for the unit of the CRS. */
  readonly metersPerUnit: number | null;
  /** In metres, for scale denominators. */
  readonly pixelSize: number;
  /** The names of levels; empty for the name of the set and a number. */
  readonly scaleNames: readonly string[];
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** The axis order in documents; null for that of the CRS. */
  readonly yCoordinateFirst: boolean | null;
  /** One for each level; null if all follow from the extent. */
  readonly matrices: readonly GridMatrix[] | null;
}

/** The values of fields that are not sent. */
export const gridDefaults = {
  description: '',
  alignTopLeft: false,
  metersPerUnit: null,
  pixelSize: PIXEL_METRES,
  scaleNames: [],
  tileWidth: TILE_PIXELS,
  tileHeight: TILE_PIXELS,
  yCoordinateFirst: null,
  matrices: null,
} as const satisfies Partial<GridDefinition>;

/** Published sets have at most some thirty levels. */
export const MAX_LEVELS = 100;
/** A larger tile takes seconds to draw. */
export const MAX_TILE_SIDE = 2_048;
/** Clients store rows and columns as 32-bit integers. */
export const MAX_MATRIX_SIDE = 2 ** 31;
const MAX_LEVEL_NAME_LENGTH = 100;

export interface GridFault {
  readonly field: string;
  readonly message: string;
}

/** Returns what is wrong with a definition; `metresPerUnit` is that of the CRS. */
export function findGridFaults(definition: GridDefinition, metresPerUnit: number): readonly GridFault[] {
  const faults = [
    ...findExtentFaults(definition.extent),
    ...findScaleFaults(definition.scales),
    ...findNumberFaults(definition),
  ];
  // The matrices of invalid numbers are meaningless.
  return faults.length > 0
    ? faults
    : [...findNameFaults(definition), ...findMatrixFaults(definition, createMatrices(definition, metresPerUnit))];
}

function findExtentFaults({ minX, minY, maxX, maxY }: Bounds): readonly GridFault[] {
  const isSound = [minX, minY, maxX, maxY].every(Number.isFinite) && minX < maxX && minY < maxY;
  const message = 'expected four numbers: minimum x, minimum y, maximum x, maximum y';
  return isSound ? [] : [{ field: 'extent', message }];
}

function findScaleFaults(scales: GridScales): readonly GridFault[] {
  if (scales.kind === 'levels') {
    const isSound = Number.isInteger(scales.count) && scales.count >= 1 && scales.count <= MAX_LEVELS;
    return isSound ? [] : [{ field: 'levels', message: `expected an integer from 1 to ${MAX_LEVELS}` }];
  }
  const { kind: field, values } = scales;
  if (values.length === 0 || values.length > MAX_LEVELS) {
    return [{ field, message: `expected 1 to ${MAX_LEVELS} numbers, found ${values.length}` }];
  }
  const isSound = values.every((value, level) => isPositive(value) && value < (values[level - 1] ?? Infinity));
  return isSound ? [] : [{ field, message: 'expected positive numbers, each less than the one before' }];
}

function findNumberFaults({ tileWidth, tileHeight, pixelSize, metersPerUnit }: GridDefinition): readonly GridFault[] {
  const sides = Object.entries({ tileWidth, tileHeight }).flatMap(([field, side]) =>
    isTileSide(side) ? [] : [{ field, message: `expected an integer from 1 to ${MAX_TILE_SIDE}` }],
  );
  const factors = Object.entries({ pixelSize, metersPerUnit }).flatMap(([field, factor]) =>
    factor === null || isPositive(factor) ? [] : [{ field, message: 'expected a positive number' }],
  );
  return [...sides, ...factors];
}

function findNameFaults({ scales, scaleNames, matrices }: GridDefinition): readonly GridFault[] {
  const levels = countLevels(scales);
  const faults: GridFault[] = [];
  const hasOther = scaleNames.length > 0 && scaleNames.length !== levels;
  if (hasOther || new Set(scaleNames).size !== scaleNames.length) {
    faults.push({ field: 'scaleNames', message: `expected ${levels} different names, one for each level` });
  }
  if (scaleNames.some((name) => name === '' || name.length > MAX_LEVEL_NAME_LENGTH || /[\p{Cc}/]/u.test(name))) {
    const message = `expected names of 1 to ${MAX_LEVEL_NAME_LENGTH} characters without slashes and control characters`;
    faults.push({ field: 'scaleNames', message });
  }
  if (matrices !== null && matrices.length !== levels) {
    faults.push({ field: 'tileMatrices', message: `expected ${levels}, one for each level` });
  }
  return faults;
}

function findMatrixFaults(definition: GridDefinition, matrices: readonly TileMatrix[]): readonly GridFault[] {
  const isSound = ({ origin, columns, rows, tileWidth, tileHeight }: TileMatrix) =>
    [columns, rows].every((side) => Number.isInteger(side) && side >= 1 && side < MAX_MATRIX_SIDE) &&
    [tileWidth, tileHeight].every(isTileSide) &&
    origin.every(Number.isFinite);
  const level = matrices.findIndex((matrix) => !isSound(matrix));
  if (level < 0) return [];
  const field = definition.matrices === null ? definition.scales.kind : 'tileMatrices';
  const message = `level ${level} needs 1 to ${MAX_MATRIX_SIDE - 1} columns and rows of tiles of 1 to ${MAX_TILE_SIDE} pixels`;
  return [{ field, message }];
}

const isPositive = (value: number) => Number.isFinite(value) && value > 0;
const isTileSide = (side: number) => Number.isInteger(side) && side >= 1 && side <= MAX_TILE_SIDE;

export function countLevels(scales: GridScales): number {
  return scales.kind === 'levels' ? scales.count : scales.values.length;
}

/** Creates the matrices of a definition without faults. */
export function createMatrices(definition: GridDefinition, metresPerUnit: number): readonly TileMatrix[] {
  const { name, scaleNames, matrices } = definition;
  return listCellSizes(definition, metresPerUnit).map((cellSize, level) => {
    const named = { name: scaleNames[level] ?? `${name}:${level}`, cellSize };
    const given = matrices?.[level];
    if (given === undefined) return { ...named, ...coverExtent(definition, cellSize) };
    const { originX, originY, ...sizes } = given;
    return { ...named, origin: [originX, originY], ...sizes };
  });
}

function listCellSizes(definition: GridDefinition, metresPerUnit: number): readonly number[] {
  const { scales, pixelSize, metersPerUnit } = definition;
  switch (scales.kind) {
    case 'resolutions':
      return scales.values;
    case 'scaleDenominators':
      return scales.values.map((scale) => (scale * pixelSize) / (metersPerUnit ?? metresPerUnit));
    case 'levels': {
      const first = computeFirstCellSize(definition);
      return Array.from({ length: scales.count }, (_, level) => first / 2 ** level);
    }
  }
}

/** The proportion of sides at which a whole number of square tiles still covers an extent. */
const PROPORTION_TOLERANCE = 0.025;

/** One tile along the short side of the extent if the long side then has whole tiles, otherwise one tile in all. */
function computeFirstCellSize({ extent, tileWidth, tileHeight }: GridDefinition): number {
  const [across, down] = [(extent.maxX - extent.minX) / tileWidth, (extent.maxY - extent.minY) / tileHeight];
  const [short, long] = [Math.min(across, down), Math.max(across, down)];
  const tiles = Math.round(long / short);
  const isWhole = Math.abs(long / short - tiles) < PROPORTION_TOLERANCE;
  return isWhole ? Math.max(short, long / tiles) : long;
}

/** A tile that the extent only touches because of rounding is not needed; a fraction of a tile. */
const ROUNDING = 1e-4;

function coverExtent(definition: GridDefinition, cellSize: number): Omit<TileMatrix, 'name' | 'cellSize'> {
  const { extent, tileWidth, tileHeight, alignTopLeft } = definition;
  const [width, height] = [cellSize * tileWidth, cellSize * tileHeight];
  const columns = Math.max(1, Math.ceil((extent.maxX - extent.minX) / width - ROUNDING));
  const rows = Math.max(1, Math.ceil((extent.maxY - extent.minY) / height - ROUNDING));
  const top = alignTopLeft ? extent.maxY : extent.minY + rows * height;
  return { origin: [extent.minX, top], columns, rows, tileWidth, tileHeight };
}
