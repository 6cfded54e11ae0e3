/** Where a tile is kept: all parts of the path are names of ours, never words of clients. */

/** All tiles of one size, of one map. */
export interface TileLevel {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly set: string;
  readonly format: string;
  readonly level: number;
}

/** Which tile of which map; what it is made of is told by its recipe. */
export interface TileKey extends TileLevel {
  readonly column: number;
  readonly row: number;
  /** The number under which tiles of this place were last forgotten when somebody asked for it. */
  readonly generation: number;
}

/** Tiles to be forgotten; what is not named is all of it. */
export interface TileRange {
  readonly map?: string;
  readonly set?: string;
  readonly format?: string;
  readonly levels?: { readonly min: number; readonly max: number };
}

/** Tiles side by side are in one folder, of at most so many in each direction. */
const BLOCK = 32;

/** Folders from the root of all tiles, and the name of the file. */
export function formatTilePath(place: TileKey, recipe: string): readonly string[] {
  const { map, set, format, level, column, row, generation } = place;
  const block = `${Math.floor(column / BLOCK)}-${Math.floor(row / BLOCK)}`;
  return [map, set, format, String(level), block, `${column}-${row}-${generation}-${recipe}`];
}

/** How many folders stand above a file. */
export const FOLDERS = 5;

/** What the path of a file tells; the generation is -1 in names of earlier releases, which had none. */
export function parseTilePath(path: readonly string[]): TileLevel & { readonly generation: number } {
  const [map = '', set = '', format = '', level = '', , name = ''] = path;
  return { map, set, format, level: Number(level), generation: Number(/^\d+-\d+-(\d+)-/.exec(name)?.[1] ?? -1) };
}

export function isInRange({ map, set, format, levels }: TileRange, place: TileLevel): boolean {
  const isNamed = (wanted: string | undefined, name: string) => wanted === undefined || wanted === name;
  const isLevel = levels === undefined || (place.level >= levels.min && place.level <= levels.max);
  return isNamed(map, place.map) && isNamed(set, place.set) && isNamed(format, place.format) && isLevel;
}
