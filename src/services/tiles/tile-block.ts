/** Blocks of tiles that are drawn together. */
import type { Bounds } from '../../crs/bounds.ts';
import type { AdjacentTiles } from '../../rendering/labels/shared-labels.ts';
import { computeTileBounds, getMatrixSize, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';

/**
 * The width and height of a block in tiles. A block is a map of about one megapixel, which takes little longer than
 * one tile. Blocks of large tiles have at most four megapixels.
 */
const BLOCK_TILES = 4;
const BLOCK_LARGE_TILES = 2;

/** The tiles that are drawn together. */
export interface TileBlock {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

export function createBlockAround(
  set: TileMatrixSet,
  { level, column, row }: TileAddress,
  pixelRatio: number,
): TileBlock {
  const { columns, rows } = getMatrixSize(set, level);
  const side = pixelRatio <= 2 ? BLOCK_TILES : BLOCK_LARGE_TILES;
  const [left, top] = [column - (column % side), row - (row % side)];
  return {
    level,
    column: left,
    row: top,
    columns: Math.min(side, columns - left),
    rows: Math.min(side, rows - top),
  };
}

/** Returns on which sides of a block other tiles of the level follow. */
export function listAdjacentSides(set: TileMatrixSet, block: TileBlock): AdjacentTiles {
  const { columns, rows } = getMatrixSize(set, block.level);
  return {
    left: block.column > 0,
    top: block.row > 0,
    right: block.column + block.columns < columns,
    bottom: block.row + block.rows < rows,
  };
}

/** A block of a single tile. */
export function createSingleTileBlock({ level, column, row }: TileAddress): TileBlock {
  return { level, column, row, columns: 1, rows: 1 };
}

export function listTileAddresses({ level, column, row, columns, rows }: TileBlock): readonly TileAddress[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    level,
    column: column + (index % columns),
    row: row + Math.floor(index / columns),
  }));
}

export function computeBlockBounds(set: TileMatrixSet, { level, column, row, columns, rows }: TileBlock): Bounds {
  const { minX, maxY } = computeTileBounds(set, { level, column, row });
  const { maxX, minY } = computeTileBounds(set, { level, column: column + columns - 1, row: row + rows - 1 });
  return { minX, minY, maxX, maxY };
}
