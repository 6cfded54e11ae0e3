/** Tile matrix sets: the extent of a tile by its level, row and column. Computations use x before y. */
import type { Bounds } from '../crs/bounds.ts';
import type { CrsReference } from '../crs/model/crs-reference.ts';

/** One level: tiles of the same size from a common corner. */
export interface TileMatrix {
  /** Unique in its set, and without the name of the set: `5`. */
  readonly name: string;
  /** The side of a pixel in units of the CRS. */
  readonly cellSize: number;
  /** The upper left corner of the first tile, x before y. */
  readonly origin: readonly [x: number, y: number];
  readonly columns: number;
  readonly rows: number;
  /** In pixels. */
  readonly tileWidth: number;
  readonly tileHeight: number;
}

export interface TileMatrixSet {
  readonly id: string;
  /** Names of the same grid in other servers and before its standardization. */
  readonly otherNames: readonly string[];
  /** Identifies the numbers of the set in the tile cache. Sets with other numbers have another key. */
  readonly key: string;
  readonly title: string;
  /** Undefined for a set that is not registered with OGC. */
  readonly uri: string | undefined;
  /** Computations use longitude, easting or x first. */
  readonly crs: CrsReference;
  /** The URI in documents. */
  readonly crsUri: string;
  /** The order of coordinates in documents. */
  readonly orderedAxes: readonly [string, string];
  /** Whether y precedes x in documents. */
  readonly isNorthFirst: boolean;
  readonly metresPerUnit: number;
  /** The area that the set is intended for; the outer tiles may extend beyond it. */
  readonly extent: Bounds;
  /** From the coarsest to the finest. A level is an index of this list. */
  readonly matrices: readonly TileMatrix[];
}

export interface TileAddress {
  readonly level: number;
  readonly row: number;
  readonly column: number;
}

/** The content of a tile. */
export interface TileBytes {
  readonly address: TileAddress;
  readonly bytes: Uint8Array;
  /** Whether features are missing, because reading them took too long. */
  readonly isIncomplete?: boolean;
}

/** The sides of a tile in most sets. */
export const TILE_PIXELS = 256;

/** The standardized pixel size of OGC, in metres. */
export const PIXEL_METRES = 0.000_28;

export function hasName({ id, otherNames }: Pick<TileMatrixSet, 'id' | 'otherNames'>, name: string): boolean {
  return id === name || otherNames.includes(name);
}

/** Returns the name that existing clients use. */
export function getClientName({ id, otherNames }: Pick<TileMatrixSet, 'id' | 'otherNames'>): string {
  return otherNames[0] ?? id;
}

/** Throws if the set has no such level, which the caller has checked. */
export function getMatrix({ id, matrices }: TileMatrixSet, level: number): TileMatrix {
  const matrix = matrices[level];
  if (matrix === undefined) throw new Error(`The tile matrix set ${id} has no level ${level}`);
  return matrix;
}

export function getFinestLevel({ matrices }: TileMatrixSet): number {
  return matrices.length - 1;
}

export function computeScaleDenominator({ metresPerUnit }: TileMatrixSet, { cellSize }: TileMatrix): number {
  return (cellSize * metresPerUnit) / PIXEL_METRES;
}

export function isInMatrix({ matrices }: TileMatrixSet, { level, row, column }: TileAddress): boolean {
  const matrix = matrices[level];
  return matrix !== undefined && row < matrix.rows && column < matrix.columns;
}

export function computeTileBounds(set: TileMatrixSet, { level, row, column }: TileAddress): Bounds {
  const { origin, cellSize, tileWidth, tileHeight } = getMatrix(set, level);
  const [width, height] = [cellSize * tileWidth, cellSize * tileHeight];
  const minX = origin[0] + column * width;
  const maxY = origin[1] - row * height;
  return { minX, minY: maxY - height, maxX: minX + width, maxY };
}

/** Returns the extent of all tiles of a level. */
export function computeMatrixBounds({ origin, columns, rows, cellSize, tileWidth, tileHeight }: TileMatrix): Bounds {
  const [minX, maxY] = origin;
  return { minX, minY: maxY - rows * tileHeight * cellSize, maxX: minX + columns * tileWidth * cellSize, maxY };
}

/**
 * Parses the name of a level with or without the name of its set: `EPSG:900913:5`, `5`. The number of a level is
 * accepted too, unless the names are numbers themselves. Returns undefined for invalid text.
 */
export function parseLevel(set: TileMatrixSet, written: string): number | undefined {
  const found = findLevel(set, written);
  if (found !== undefined) return found;
  const colon = written.lastIndexOf(':');
  return colon >= 0 && hasName(set, written.slice(0, colon)) ? findLevel(set, written.slice(colon + 1)) : undefined;
}

function findLevel({ matrices }: TileMatrixSet, written: string): number | undefined {
  const number = /^\d{1,3}$/.test(written) ? Number(written) : undefined;
  // The usual name of a level is its number, so that no search is necessary.
  if (number !== undefined && matrices[number]?.name === written) return number;
  const named = matrices.findIndex(({ name }) => name === written);
  if (named >= 0) return named;
  const hasNumbers = matrices.some(({ name }) => /^\d+$/.test(name));
  return number !== undefined && number < matrices.length && !hasNumbers ? number : undefined;
}

/** Returns the tiles of a level that intersect a box in the CRS of the set; undefined if none does. */
export function findTilesInBounds(
  set: TileMatrixSet,
  level: number,
  { minX, minY, maxX, maxY }: Bounds,
): TileRectangle | undefined {
  const { origin, columns, rows, cellSize, tileWidth, tileHeight } = getMatrix(set, level);
  const [width, height] = [cellSize * tileWidth, cellSize * tileHeight];
  const [left, top] = origin;
  // A box that ends where a tile begins does not intersect it.
  const found = {
    minColumn: Math.max(0, Math.floor((minX - left) / width)),
    maxColumn: Math.min(columns, Math.ceil((maxX - left) / width)) - 1,
    minRow: Math.max(0, Math.floor((top - maxY) / height)),
    maxRow: Math.min(rows, Math.ceil((top - minY) / height)) - 1,
  };
  const widened = {
    ...found,
    maxColumn: Math.max(found.maxColumn, Math.min(found.minColumn, columns - 1)),
    maxRow: Math.max(found.maxRow, Math.min(found.minRow, rows - 1)),
  };
  const isOutside = maxX < left || minY > top || widened.minColumn >= columns || widened.minRow >= rows;
  return isOutside ? undefined : widened;
}

export interface TileRectangle {
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}
