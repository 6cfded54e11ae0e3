/** Where a tile is kept: all parts of the path are names of ours, never words of clients. */

/** Which tile of which map; what it is made of is told by its recipe. */
export interface TilePlace {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly set: string;
  readonly format: string;
  readonly level: number;
  readonly column: number;
  readonly row: number;
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
export function pathOf({ map, set, format, level, column, row }: TilePlace, recipe: string): readonly string[] {
  const block = `${Math.floor(column / BLOCK)}-${Math.floor(row / BLOCK)}`;
  return [map, set, format, String(level), block, `${column}-${row}-${recipe}`];
}

/** How many folders stand above a file. */
export const FOLDERS = 5;

/** Whether a folder, with those above it, may hold tiles of the range; `path` begins with that of the map. */
export function mayHold({ map, set, format, levels }: TileRange, path: readonly string[]): boolean {
  const isNamed = (wanted: string | undefined, name: string | undefined) =>
    wanted === undefined || name === undefined || wanted === name;
  const level = path[3] === undefined ? undefined : Number(path[3]);
  const isLevel = levels === undefined || level === undefined || (level >= levels.min && level <= levels.max);
  return isNamed(map, path[0]) && isNamed(set, path[1]) && isNamed(format, path[2]) && isLevel;
}
