/** The storage path of a tile. All its parts are generated names, never input of clients. */
import { hash } from 'node:crypto';
import type { TileRectangle } from '../tile-matrix-set.ts';

/** All tiles of one level of a map. */
export interface TileLevel {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly set: string;
  readonly format: string;
  readonly level: number;
  /** The parameters of the requests that it answers, as `tagParameters` writes them. */
  readonly parameters: string;
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
  /** Only tiles whose requests have all of these parameters, as `tagParameters` writes them. */
  readonly parameters?: string;
  /** Only these tiles of the set. */
  readonly areas?: readonly (TileRectangle & { readonly level: number })[];
}

/** A tile of a map in any state. */
export type TilePlace = Omit<TileKey, 'generation'>;

/** Adjacent tiles share a folder, with at most this many rows and columns. */
const BLOCK = 32;

/** Returns the folders below the cache root, and the file name. */
export function formatTilePath(place: TileKey, recipe: string): readonly string[] {
  const { map, set, format, level, column, row, generation, parameters } = place;
  const block = `${Math.floor(column / BLOCK)}-${Math.floor(row / BLOCK)}`;
  return [map, set, format, String(level), block, `${column}-${row}-${generation}-${parameters}-${recipe}`];
}

/**
 * Returns the key of a tile for all nodes. The tiles of a map that were invalidated together are in one folder, whose
 * number is that of the generation.
 */
export function formatSharedTileKey(place: TileKey, recipe: string): string {
  const { map, set, format, level, column, row, generation, parameters } = place;
  const block = `${Math.floor(column / BLOCK)}-${Math.floor(row / BLOCK)}`;
  return [map, generation, set, format, level, block, `${column}-${row}-${parameters}-${recipe}`].join('/');
}

/** Returns undefined for a key of another form. */
export function parseSharedTileKey(key: string): TileKey | undefined {
  const pattern = /^([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/(\d+)\/[^/]+\/(\d+)-(\d+)-([0-9a-f]*)-[^/]+$/;
  const [, map, generation, set, format, level, column, row, parameters] = pattern.exec(key) ?? [];
  if (map === undefined || set === undefined || format === undefined || parameters === undefined) return undefined;
  return {
    ...{ map, set, format, parameters, level: Number(level) },
    ...{ column: Number(column), row: Number(row), generation: Number(generation) },
  };
}

/** The number of folders above a file. */
export const FOLDERS = 5;

/** Parses the path of a file; the generation is -1 in names of earlier releases, which had other parts. */
export function parseTilePath(path: readonly string[]): TileKey {
  const [map = '', set = '', format = '', level = '', , name = ''] = path;
  const [, column, row, generation, parameters] = /^(\d+)-(\d+)-(?:(\d+)-([0-9a-f]*)-)?/.exec(name) ?? [];
  return {
    map,
    set,
    format,
    level: Number(level),
    column: Number(column ?? 0),
    row: Number(row ?? 0),
    generation: Number(generation ?? -1),
    parameters: parameters ?? '',
  };
}

export function isInRange({ map, set, format, levels, areas, parameters }: TileRange, place: TilePlace): boolean {
  const isNamed = (wanted: string | undefined, name: string) => wanted === undefined || wanted === name;
  const isLevel = levels === undefined || (place.level >= levels.min && place.level <= levels.max);
  const isAmong = isNamed(map, place.map) && isNamed(set, place.set) && isNamed(format, place.format) && isLevel;
  if (isAmong && parameters !== undefined && !hasAllTags(place.parameters, parameters)) return false;
  return isAmong && (areas === undefined || areas.some((area) => isInArea(area, place)));
}

/** Long enough that few tiles have the tag of other parameters; these are only drawn again. */
const TAG_DIGITS = 6;

/** More parameters would exceed the length of a file name. */
const MAX_TAGS = 24;

/** Writes names and values as digits for the name of a file. Tiles with too many parameters are in every range. */
export function tagParameters(parameters: readonly (readonly [name: string, value: string])[]): string {
  const tags = parameters.map(([name, value]) => hash('sha256', JSON.stringify([name, value])).slice(0, TAG_DIGITS));
  return tags.length > MAX_TAGS ? '' : tags.sort().join('');
}

function hasAllTags(of: string, wanted: string): boolean {
  if (of === '') return true;
  const tags = new Set(splitTags(of));
  return splitTags(wanted).every((tag) => tags.has(tag));
}

function splitTags(text: string): readonly string[] {
  return Array.from({ length: text.length / TAG_DIGITS }, (_, index) =>
    text.slice(index * TAG_DIGITS, (index + 1) * TAG_DIGITS),
  );
}

function isInArea(area: NonNullable<TileRange['areas']>[number], { level, column, row }: TilePlace): boolean {
  const isColumn = column >= area.minColumn && column <= area.maxColumn;
  return level === area.level && isColumn && row >= area.minRow && row <= area.maxRow;
}
