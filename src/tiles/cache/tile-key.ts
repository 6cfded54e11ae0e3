/** The storage path of a tile. All its parts are generated names, never input of clients. */

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
}

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
export function parseTilePath(path: readonly string[]): TileLevel & { readonly generation: number } {
  const [map = '', set = '', format = '', level = '', , name = ''] = path;
  return { map, set, format, level: Number(level), generation: Number(/^\d+-\d+-(\d+)-/.exec(name)?.[1] ?? -1) };
}

export function isInRange({ map, set, format, levels }: TileRange, place: TileLevel): boolean {
  const isNamed = (wanted: string | undefined, name: string) => wanted === undefined || wanted === name;
  const isLevel = levels === undefined || (place.level >= levels.min && place.level <= levels.max);
  return isNamed(map, place.map) && isNamed(set, place.set) && isNamed(format, place.format) && isLevel;
}
