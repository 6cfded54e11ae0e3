/** The tiles of Web Mercator that an export contains, from its area in degrees. */
import { listTilesInOrder, type TilePosition, type TileRectangle } from './tile-id.ts';

/** West, south, east and north in degrees. */
export type DegreeBox = readonly [west: number, south: number, east: number, north: number];

/** The tiles of one zoom. */
export interface ZoomTiles extends TileRectangle {
  readonly zoom: number;
}

/** An archive of this size takes days to draw; its directories are in memory until the end. */
export const MAX_EXPORTED_TILES = 10_000_000;

/** The latitude at which the square of Web Mercator ends. */
export const MAX_LATITUDE = 85.051_128_779_806_59;

export const WORLD_BOUNDS: DegreeBox = [-180, -MAX_LATITUDE, 180, MAX_LATITUDE];

/** Boxes that end on the border of a tile, apart from rounding, do not contain the next one; in tiles. */
const ROUNDING = 1e-6;

export function isDegreeBox(numbers: readonly number[]): numbers is DegreeBox {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isWide = west >= -180 && west < east && east <= 180;
  return numbers.length === 4 && isWide && south >= -90 && south < north && north <= 90;
}

/** Whether the bounds touch a tile: the grid ends before the poles. */
export function touchesGrid([, south, , north]: DegreeBox): boolean {
  return south < MAX_LATITUDE && north > -MAX_LATITUDE;
}

/** Returns the tiles at a zoom that bounds inside the grid touch. */
export function findTiles(zoom: number, [west, south, east, north]: DegreeBox): ZoomTiles {
  const count = 2 ** zoom;
  const clamp = (tile: number) => Math.min(count - 1, Math.max(0, tile));
  const toColumn = (longitude: number) => ((longitude + 180) / 360) * count;
  const toRow = (latitude: number) => {
    const angle = (Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude)) * Math.PI) / 180;
    return (0.5 - Math.asinh(Math.tan(angle)) / (2 * Math.PI)) * count;
  };
  const findFirst = (tile: number) => clamp(Math.floor(tile + ROUNDING));
  const findLast = (tile: number, first: number) => clamp(Math.max(first, Math.ceil(tile - ROUNDING) - 1));
  const [minColumn, minRow] = [findFirst(toColumn(west)), findFirst(toRow(north))];
  return {
    zoom,
    minColumn,
    maxColumn: findLast(toColumn(east), minColumn),
    minRow,
    maxRow: findLast(toRow(south), minRow),
  };
}

export function countExportedTiles(zooms: readonly ZoomTiles[]): number {
  return zooms.reduce(
    (sum, { minColumn, maxColumn, minRow, maxRow }) => sum + (maxColumn - minColumn + 1) * (maxRow - minRow + 1),
    0,
  );
}

/** In the order of PMTiles: zoom by zoom, from the lowest. */
export function* listExportedTiles(zooms: readonly ZoomTiles[]): Generator<TilePosition> {
  for (const tiles of zooms) yield* listTilesInOrder(tiles.zoom, tiles);
}
