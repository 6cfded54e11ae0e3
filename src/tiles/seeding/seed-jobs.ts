/** The seed jobs, in one note that all nodes read. */
import type { TileNotes } from '../cache/tile-invalidations.ts';
import type { SeedJob, SeedOrder } from './seed-job.ts';

export interface SeedJobs {
  /** In the order of their creation. */
  list(): Promise<readonly SeedJob[]>;
  /** Returns the job id; undefined if too many jobs are pending. */
  add(order: SeedOrder): Promise<number | undefined>;
  remove(ids: readonly number[]): Promise<void>;
}

const NOTE = 'tile jobs';

/** Jobs run one at a time; more than this indicates a faulty script. */
const MOST_JOBS = 100;
/** Filters make jobs long, and all nodes read all of them. */
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
