/** Positions in the pixel grid of a zoom: the square of Web Mercator, from its north-west corner. */
import type { Bounds } from '../../crs/bounds.ts';
import { convertDegreesToMercator, MERCATOR_EDGE } from '../../crs/web-mercator.ts';
import { type ArchivedTilePosition, MAX_ZOOM } from './model/tile-archive.ts';

/** Tiles of a zoom, both ends inclusive. */
export interface TileRange {
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}

/** In tiles. Boxes that end on the border of a tile, apart from rounding, do not contain the next one. */
const TOLERANCE = 0.001;

/** Returns the tiles that a box in degrees touches. */
export function findTiles(degrees: Bounds, zoom: number): TileRange {
  return findTilesOfMercatorBox(convertDegreesToMercator(degrees), zoom);
}

export function findTilesOfMercatorBox({ minX, minY, maxX, maxY }: Bounds, zoom: number): TileRange {
  const count = 2 ** zoom;
  const toTiles = (distance: number) => (distance / (2 * MERCATOR_EDGE)) * count;
  const clamp = (tile: number) => Math.min(count - 1, Math.max(0, tile));
  const findFirst = (distance: number) => clamp(Math.floor(toTiles(distance) + TOLERANCE));
  const findLast = (distance: number, first: number) =>
    clamp(Math.max(first, Math.ceil(toTiles(distance) - TOLERANCE) - 1));
  const minColumn = findFirst(minX + MERCATOR_EDGE);
  const minRow = findFirst(MERCATOR_EDGE - maxY);
  return {
    minColumn,
    maxColumn: findLast(maxX + MERCATOR_EDGE, minColumn),
    minRow,
    maxRow: findLast(MERCATOR_EDGE - minY, minRow),
  };
}

/** The difference of coordinates that rounding causes, in tiles. */
const ROUNDING = 1e-6;

/** Returns the tile that has this box in metres of Web Mercator; undefined for any other box. */
export function findExactTile({ minX, minY, maxX, maxY }: Bounds): ArchivedTilePosition | undefined {
  const side = maxX - minX;
  const zoom = Math.round(Math.log2((2 * MERCATOR_EDGE) / side));
  if (zoom < 0 || zoom > MAX_ZOOM) return undefined;
  const unit = (2 * MERCATOR_EDGE) / 2 ** zoom;
  const [column, row] = [(minX + MERCATOR_EDGE) / unit, (MERCATOR_EDGE - maxY) / unit];
  const position = { zoom, column: Math.round(column), row: Math.round(row) };
  const isExact = [column - position.column, row - position.row, side / unit - 1, (maxY - minY) / unit - 1].every(
    (difference) => Math.abs(difference) < ROUNDING * Math.max(1, 2 ** (zoom - 20)),
  );
  const isInside = [position.column, position.row].every((number) => number >= 0 && number < 2 ** zoom);
  return isExact && isInside ? position : undefined;
}

/** Returns the box of tiles in metres of Web Mercator. */
export function computeTileRangeBounds({ minColumn, maxColumn, minRow, maxRow }: TileRange, zoom: number): Bounds {
  const side = (2 * MERCATOR_EDGE) / 2 ** zoom;
  return {
    minX: minColumn * side - MERCATOR_EDGE,
    maxX: (maxColumn + 1) * side - MERCATOR_EDGE,
    minY: MERCATOR_EDGE - (maxRow + 1) * side,
    maxY: MERCATOR_EDGE - minRow * side,
  };
}
