/** The storage path of a tile. All its parts are generated names, never input of clients. */
import type { TileRectangle } from '../tile-matrix-set.ts';

/** All tiles of one level of a map. */
export interface TileLevel {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly set: string;
  readonly format: string;
  readonly level: number;
}

/** Identifies a tile of a map; its recipe identifies the content. */
export interface TileKey extends TileLevel {
  readonly column: number;
  readonly row: number;
  /** The number of the last invalidation of this level at the time of the request. */
  readonly generation: number;
}

/** Tiles to invalidate; absent members match all. */
export interface TileRange {
  readonly map?: string;
  readonly set?: string;
  readonly format?: string;
  readonly levels?: { readonly min: number; readonly max: number };
  /** Only these tiles of the set. */
  readonly areas?: readonly (TileRectangle & { readonly level: number })[];
}

/** A tile of a map in any state. */
export type TilePlace = Omit<TileKey, 'generation'>;

/** Adjacent tiles share a folder, with at most this many rows and columns. */
const BLOCK = 32;

/** Returns the folders below the cache root, and the file name. */
export function formatTilePath(place: TileKey, recipe: string): readonly string[] {
  const { map, set, format, level, column, row, generation } = place;
  const block = `${Math.floor(column / BLOCK)}-${Math.floor(row / BLOCK)}`;
  return [map, set, format, String(level), block, `${column}-${row}-${generation}-${recipe}`];
}

/** The number of folders above a file. */
export const FOLDERS = 5;

/** Parses the path of a file; the generation is -1 in names of earlier releases, which had none. */
export function parseTilePath(path: readonly string[]): TileKey {
  const [map = '', set = '', format = '', level = '', , name = ''] = path;
  const [, column, row, generation] = /^(\d+)-(\d+)-(?:(\d+)-)?/.exec(name) ?? [];
  return {
    map,
    set,
    format,
    level: Number(level),
    column: Number(column ?? 0),
    row: Number(row ?? 0),
    generation: Number(generation ?? -1),
  };
}

export function isInRange({ map, set, format, levels, areas }: TileRange, place: TilePlace): boolean {
  const isNamed = (wanted: string | undefined, name: string) => wanted === undefined || wanted === name;
  const isLevel = levels === undefined || (place.level >= levels.min && place.level <= levels.max);
  const isAmong = isNamed(map, place.map) && isNamed(set, place.set) && isNamed(format, place.format) && isLevel;
  return isAmong && (areas === undefined || areas.some((area) => isInArea(area, place)));
}

function isInArea(area: NonNullable<TileRange['areas']>[number], { level, column, row }: TilePlace): boolean {
  const isColumn = column >= area.minColumn && column <= area.maxColumn;
  return level === area.level && isColumn && row >= area.minRow && row <= area.maxRow;
}
