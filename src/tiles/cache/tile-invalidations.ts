/**
 * Invalidations of tiles, shared by all nodes: a number for each invalidated range, in a note that all nodes read. A
 * tile is stored under the number of the last one that contains it, so that it is not found after a later one.
 */
import { isDeepStrictEqual } from 'node:util';
import { isInRange, type TilePlace, type TileRange } from './tile-key.ts';

/** Notes that are announced to all nodes under increasing numbers. */
export interface TileNotes {
  read(name: string): Promise<string | undefined>;
  announce(name: string, write: (text: string | undefined, number: number) => string | null): Promise<unknown>;
  getLastAnnouncement(): number;
}

/** The invalidated ranges of a map with their numbers. */
export type InvalidatedRanges = readonly (readonly [number: number, range: TileRange])[];

export interface TileInvalidations {
  /** Increases with every invalidation on any node; as current as all other reads. */
  generation(): number;
  /** Returns the ranges of a map, including those for all maps. */
  listRanges(map: string): Promise<InvalidatedRanges>;
  /** Resolves when no node returns the tiles any more, also after a restart. */
  invalidate(range: TileRange): Promise<void>;
}

const NOTE = 'tiles forgotten ';

/** The maximum number of ranges per map; beyond that the whole map is invalidated. */
const MOST_RANGES = 200;

/** All nodes read the ranges of a map after each invalidation. Areas have some hundred letters. */
const MOST_LETTERS = 100_000;

/** The maximum number of maps with cached ranges. */
const MOST_MAPS = 10_000;

/** Returns 0 if nothing was invalidated. */
export function findGeneration(forgotten: InvalidatedRanges, place: TilePlace): number {
  return forgotten.reduce((last, [number, range]) => (number > last && isInRange(range, place) ? number : last), 0);
}

export function openTileInvalidations(notes: TileNotes): TileInvalidations {
  const known = new Map<string, Promise<InvalidatedRanges>>();
  let knownAt = -1;

  async function read(map: string): Promise<InvalidatedRanges> {
    const [own, ofAll] = await Promise.all([notes.read(`${NOTE}${map}`), notes.read(NOTE)]);
    return [...parseRanges(own), ...parseRanges(ofAll)];
  }

  return {
    generation: () => notes.getLastAnnouncement(),
    listRanges(map) {
      const now = notes.getLastAnnouncement();
      if (now !== knownAt || known.size > MOST_MAPS) known.clear();
      knownAt = now;
      const found = known.get(map) ?? read(map);
      known.set(map, found);
      // A failed read is not cached.
      found.catch(() => known.delete(map));
      return found;
    },
    async invalidate({ map, ...range }) {
      await notes.announce(`${NOTE}${map ?? ''}`, (text, number) => {
        const others = parseRanges(text).filter(([, former]) => !isSuperset(range, former));
        const list = JSON.stringify([...others, [number, range]] satisfies InvalidatedRanges);
        const isFull = others.length >= MOST_RANGES || list.length > MOST_LETTERS;
        return isFull ? JSON.stringify([[number, {}]] satisfies InvalidatedRanges) : list;
      });
    },
  };
}

function parseRanges(text: string | undefined): InvalidatedRanges {
  return text === undefined ? [] : (JSON.parse(text) as InvalidatedRanges);
}

/** Returns whether a range contains another one. */
function isSuperset(wide: TileRange, narrow: TileRange): boolean {
  const isAll = <T>(wider: T | undefined, narrower: T | undefined) => wider === undefined || wider === narrower;
  const { levels, areas } = wide;
  if (areas !== undefined && !isDeepStrictEqual(areas, narrow.areas)) return false;
  const areLevels =
    levels === undefined ||
    (narrow.levels !== undefined && levels.min <= narrow.levels.min && levels.max >= narrow.levels.max);
  return (
    isAll(wide.set, narrow.set) &&
    isAll(wide.format, narrow.format) &&
    isAll(wide.parameters, narrow.parameters) &&
    areLevels
  );
}
