/**
 * Which tiles are to be made anew, as all nodes know it: a number for each range that somebody wanted forgotten, noted where
 * all of them read it. A tile is kept under the number of its place, so that with a greater one nobody finds it any more.
 */
import { isInRange, type TileLevel, type TileRange } from './tile-key.ts';

/** Notes that are announced to all nodes, under numbers that only grow. */
export interface TileNotes {
  read(name: string): Promise<string | undefined>;
  announce(name: string, write: (text: string | undefined, number: number) => string | null): Promise<unknown>;
  getLastAnnouncement(): number;
}

/** What was forgotten of a map, and when. */
export type InvalidatedRanges = readonly (readonly [number: number, range: TileRange])[];

export interface TileInvalidations {
  /** Goes up whenever tiles are forgotten on whichever node; as current as all that is read. */
  generation(): number;
  /** What was forgotten of a map, alone or with all others. */
  listRanges(map: string): Promise<InvalidatedRanges>;
  /** Resolved means that no node gives them out any more, also after a restart. */
  invalidate(range: TileRange): Promise<void>;
}

const NOTE = 'tiles forgotten ';

/** So many ranges of one map are told apart; beyond that all of it is forgotten. */
const MOST_RANGES = 200;

/** So many maps, of which the same was forgotten last, are at hand. */
const MOST_MAPS = 10_000;

/** 0 where nothing was ever forgotten. */
export function findGeneration(forgotten: InvalidatedRanges, place: TileLevel): number {
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
      // Whoever comes next asks again.
      found.catch(() => known.delete(map));
      return found;
    },
    async invalidate({ map, ...range }) {
      await notes.announce(`${NOTE}${map ?? ''}`, (text, number) => {
        const others = parseRanges(text).filter(([, former]) => !isSuperset(range, former));
        const list: InvalidatedRanges = others.length < MOST_RANGES ? [...others, [number, range]] : [[number, {}]];
        return JSON.stringify(list);
      });
    },
  };
}

function parseRanges(text: string | undefined): InvalidatedRanges {
  return text === undefined ? [] : (JSON.parse(text) as InvalidatedRanges);
}

/** Whether whatever is in the one is in the other as well. */
function isSuperset(wide: TileRange, narrow: TileRange): boolean {
  const isAll = <T>(wider: T | undefined, narrower: T | undefined) => wider === undefined || wider === narrower;
  const { levels } = wide;
  const areLevels =
    levels === undefined ||
    (narrow.levels !== undefined && levels.min <= narrow.levels.min && levels.max >= narrow.levels.max);
  return isAll(wide.set, narrow.set) && isAll(wide.format, narrow.format) && areLevels;
}
