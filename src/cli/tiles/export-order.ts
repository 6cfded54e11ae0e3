/** The tiles that an export contains, from the options of the command. */
import { listTilesInOrder, type TilePosition, type TileRectangle } from '../../lib/tile-archive/tile-id.ts';
import { CommandError } from '../client/command.ts';

/** West, south, east and north in degrees. */
export type DegreeBox = readonly [west: number, south: number, east: number, north: number];

export interface ExportOrder {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: DegreeBox;
}

/** The finest level of most tile matrix sets. */
const MAX_ZOOM = 24;

/** An archive of this size takes days to draw; its directories are in memory until the end. */
const MAX_TILES = 10_000_000;

/** The latitude at which the square of Web Mercator ends. */
const MAX_LATITUDE = 85.051_128_779_806_59;

/** Boxes that end on the border of a tile, apart from rounding, do not contain the next one; in tiles. */
const ROUNDING = 1e-6;

export function parseZooms(text: string | undefined): Pick<ExportOrder, 'minZoom' | 'maxZoom'> {
  const [, first = '', last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text ?? '') ?? [];
  const [minZoom, maxZoom] = [Number(first), Number(last)];
  if (first !== '' && minZoom <= maxZoom && maxZoom <= MAX_ZOOM) return { minZoom, maxZoom };
  throw new CommandError(
    `Invalid --zooms '${text ?? ''}'. Use a zoom or a range of zooms from 0 to ${MAX_ZOOM}, such as 0-8.`,
  );
}

export function parseBounds(text: string): DegreeBox {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isValid = numbers.length === 4 && west >= -180 && west < east && east <= 180 && south >= -90 && south < north;
  if (isValid && north <= 90) return [west, south, east, north];
  throw new CommandError(`Invalid --bounds '${text}'. Use west, south, east and north in degrees, such as 5,45,11,48.`);
}

/** Returns the tiles that the bounds touch at a zoom. */
export function findTiles(zoom: number, [west, south, east, north]: DegreeBox): TileRectangle {
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
    minColumn,
    maxColumn: findLast(toColumn(east), minColumn),
    minRow,
    maxRow: findLast(toRow(south), minRow),
  };
}

/** Throws if there are too many. */
export function countTiles({ minZoom, maxZoom, bounds }: ExportOrder): number {
  let count = 0;
  for (let zoom = minZoom; zoom <= maxZoom; zoom += 1) {
    const { minColumn, maxColumn, minRow, maxRow } = findTiles(zoom, bounds);
    count += (maxColumn - minColumn + 1) * (maxRow - minRow + 1);
  }
  if (count <= MAX_TILES) return count;
  throw new CommandError(
    `The export has ${count} tiles, and the limit is ${MAX_TILES}. Use fewer zooms, or smaller --bounds.`,
  );
}

/** In the order of PMTiles. */
export function* listTiles({ minZoom, maxZoom, bounds }: ExportOrder): Generator<TilePosition> {
  for (let zoom = minZoom; zoom <= maxZoom; zoom += 1) yield* listTilesInOrder(zoom, findTiles(zoom, bounds));
}
