/** The jobs that make tiles, in one note that all nodes read. */
import type { TileNotes } from '../cache/tile-invalidations.ts';
import type { SeedJob, SeedOrder } from './seed-job.ts';

export interface SeedJobs {
  /** In the order in which they were asked for. */
  list(): Promise<readonly SeedJob[]>;
  /** Gives its number; undefined where too many wait already. */
  add(order: SeedOrder): Promise<number | undefined>;
  remove(ids: readonly number[]): Promise<void>;
}

const NOTE = 'tile jobs';

/** One at a time is made; more are a mistake of a script. */
const MOST_JOBS = 100;
/** What they ask for may be as long as filters are, and all nodes read all of it. */
const MOST_LETTERS = 1_000_000;

export function openSeedJobs(notes: TileNotes): SeedJobs {
  return {
    list: async () => parseJobs(await notes.read(NOTE)),
    async add(order) {
      let id: number | undefined;
      await notes.announce(NOTE, (text, number) => {
        const jobs = parseJobs(text);
        const longer = JSON.stringify([...jobs, { id: number, ...order }]);
        const isFull = jobs.length >= MOST_JOBS || longer.length > MOST_LETTERS;
        id = isFull ? undefined : number;
        return isFull ? (text ?? null) : longer;
      });
      return id;
    },
    async remove(ids) {
      await notes.announce(NOTE, (text) => {
        const left = parseJobs(text).filter(({ id }) => !ids.includes(id));
        return left.length === 0 ? null : JSON.stringify(left);
      });
    },
  };
}

function parseJobs(text: string | undefined): readonly SeedJob[] {
  return text === undefined ? [] : (JSON.parse(text) as readonly SeedJob[]);
}
