/** Blocks of tiles that are drawn together. */
import type { Bounds } from '../../crs/bounds.ts';
import { computeTileBounds, getMatrixSize, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';

/**
 * The width and height of a block in tiles. A block is a map of about one megapixel, which takes little longer than
 * one tile.
 */
const BLOCK_TILES = 4;

/** The tiles that are drawn together. */
export interface TileBlock {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

export function createBlockAround(set: TileMatrixSet, { level, column, row }: TileAddress): TileBlock {
  const { columns, rows } = getMatrixSize(set, level);
  const [left, top] = [column - (column % BLOCK_TILES), row - (row % BLOCK_TILES)];
  return {
    level,
    column: left,
    row: top,
    columns: Math.min(BLOCK_TILES, columns - left),
    rows: Math.min(BLOCK_TILES, rows - top),
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
