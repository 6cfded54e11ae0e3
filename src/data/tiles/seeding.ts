/** Jobs that have tiles made before anybody asks for them: each goes on by itself, tells how far it is, and can be stopped. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { TileAddress } from './tile-matrix-set.ts';

export interface SeedOrder {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly tiles: Iterable<TileAddress>;
  readonly total: number;
  /** How many are made at a time. */
  readonly threads: number;
  /** A tile that cannot be made is left to whoever asks for it. */
  make(address: TileAddress, signal: AbortSignal): Promise<void>;
}

export type SeedState = 'pending' | 'running' | 'done' | 'aborted';

export interface SeedStatus {
  readonly id: number;
  readonly map: string;
  readonly done: number;
  readonly total: number;
  /** By the pace so far; -1 where nothing is known. */
  readonly secondsLeft: number;
  readonly state: SeedState;
}

export interface TileSeeding {
  /** Undefined where too many wait already. */
  start(order: SeedOrder): number | undefined;
  /** Those that wait or run, of one map or of all. */
  list(map?: string): readonly SeedStatus[];
  /** Ends those that are in one of these states; tells how many there were. */
  stop(states: readonly SeedState[], map?: string): number;
  close(): Promise<void>;
}

/** Tiles of users come first: one job at a time is made. */
const MAX_JOBS = 100;

interface Job {
  readonly id: number;
  readonly order: SeedOrder;
  readonly stop: AbortController;
  state: SeedState;
  done: number;
  startedAtMs: number;
}

export function openTileSeeding({
  clock,
  failed,
}: {
  clock: () => number;
  failed: (reason: unknown) => void;
}): TileSeeding {
  const jobs = new Map<number, Job>();
  let last = 0;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const job = [...jobs.values()].find(({ state }) => state === 'pending');
      if (job === undefined) return;
      job.state = 'running';
      job.startedAtMs = clock();
      await seed(job);
      job.state = job.stop.signal.aborted ? 'aborted' : 'done';
      jobs.delete(job.id);
    }
  }

  async function seed(job: Job): Promise<void> {
    const { order, stop } = job;
    const tiles = order.tiles[Symbol.iterator]();
    const thread = async (): Promise<void> => {
      for (let next = tiles.next(); next.done !== true && !stop.signal.aborted; next = tiles.next()) {
        await order.make(next.value, stop.signal).catch((reason: unknown) => {
          if (!stop.signal.aborted) failed(reason);
        });
        job.done += 1;
        await othersFirst();
      }
    };
    await Promise.all(Array.from({ length: order.threads }, thread));
  }

  return {
    start(order) {
      if (jobs.size >= MAX_JOBS) return undefined;
      last += 1;
      jobs.set(last, { id: last, order, stop: new AbortController(), state: 'pending', done: 0, startedAtMs: clock() });
      working ??= work().finally(() => {
        working = undefined;
      });
      return last;
    },
    list: (map) =>
      [...jobs.values()]
        .filter(({ order }) => map === undefined || order.map === map)
        .map(({ id, order, done, state, startedAtMs }) => ({
          id,
          map: order.map,
          done,
          total: order.total,
          secondsLeft:
            done === 0 ? -1 : Math.round((((clock() - startedAtMs) / done) * Math.max(0, order.total - done)) / 1_000),
          state,
        })),
    stop(states, map) {
      const meant = [...jobs.values()].filter(
        (job) => states.includes(job.state) && (map === undefined || job.order.map === map),
      );
      for (const job of meant) {
        job.stop.abort(new Error('The job was stopped'));
        if (job.state === 'pending') jobs.delete(job.id);
      }
      return meant.length;
    },
    async close() {
      for (const { stop } of jobs.values()) stop.abort(new Error('The server is closing'));
      for (const [id, { state }] of jobs) if (state === 'pending') jobs.delete(id);
      await working;
    },
  };
}
