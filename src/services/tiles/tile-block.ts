/** Blocks of tiles that are drawn together. */
import type { Bounds } from '../../crs/bounds.ts';
import type { AdjacentTiles } from '../../rendering/labels/shared-labels.ts';
import type { MetaTiles } from '../../tiles/settings/tile-settings.ts';
import { computeTileBounds, getMatrix, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';

/** Blocks of large tiles have fewer tiles. */
const MAX_BLOCK_PIXELS = 2_048 ** 2;

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
  { pixelRatio, metaTiles }: { readonly pixelRatio: number; readonly metaTiles: MetaTiles },
): TileBlock {
  const { columns, rows, tileWidth, tileHeight } = getMatrix(set, level);
  const tilePixels = tileWidth * tileHeight * pixelRatio ** 2;
  let [across, down] = metaTiles;
  while (across * down > 1 && across * down * tilePixels > MAX_BLOCK_PIXELS) {
    [across, down] = [Math.ceil(across / 2), Math.ceil(down / 2)];
  }
  const [left, top] = [column - (column % across), row - (row % down)];
  return {
    level,
    column: left,
    row: top,
    columns: Math.min(across, columns - left),
    rows: Math.min(down, rows - top),
  };
}

/** Returns on which sides of a block other tiles of the level follow. */
export function listAdjacentSides(set: TileMatrixSet, block: TileBlock): AdjacentTiles {
  const { columns, rows } = getMatrix(set, block.level);
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
