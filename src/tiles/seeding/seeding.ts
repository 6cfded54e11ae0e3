/**
 * Seed jobs, which create tiles in advance. Each node fills its own cache: a job ends when all running nodes have
 * done their part. A node that stops continues its part after its restart.
 */
import { setImmediate as othersFirst, setTimeout as wait } from 'node:timers/promises';
import type { TileNotes } from '../cache/tile-invalidations.ts';
import type { TileAddress } from '../tile-matrix-set.ts';
import { countTiles, listTiles, type SeedJob, type SeedOrder } from './seed-job.ts';
import { openSeedJobs } from './seed-jobs.ts';
import {
  getSeedPart,
  type NodeProgress,
  openSeedProgress,
  type ProgressNotes,
  type SeedNodes,
  type SeedPart,
  type SeedState,
} from './seed-progress.ts';

export interface SeedStatus {
  readonly id: number;
  readonly map: string;
  /** The sum of all nodes. */
  readonly done: number;
  readonly total: number;
  /** Of the slowest node; -1 if unknown. */
  readonly secondsLeft: number;
  readonly state: Exclude<SeedState, 'done'>;
}

export interface TileSeeding {
  /** Returns undefined if too many jobs are pending. */
  start(order: SeedOrder): Promise<number | undefined>;
  /** Lists pending and running jobs, of one map or of all. */
  list(map?: string): Promise<readonly SeedStatus[]>;
  /** Stops the jobs in these states on all nodes. */
  stop(states: readonly SeedState[], map?: string): Promise<void>;
}

/** Returns false if the layer does not exist any more. */
export type MakeTile = (job: SeedJob, address: TileAddress, signal: AbortSignal) => Promise<boolean>;

export interface SeedingNode extends TileSeeding {
  /** Starts the work of this node. */
  startWorking(make: MakeTile): void;
  close(): Promise<void>;
}

export interface SeedingOptions {
  readonly notes: TileNotes & ProgressNotes & { watch(listener: () => void): () => void };
  readonly nodes: SeedNodes;
  readonly clock: () => number;
  /** The interval at which nodes exchange their progress. */
  readonly everyMs: number;
  readonly onError: (reason: unknown) => void;
}

/** The part of this node in a job. */
interface Part {
  readonly job: SeedJob;
  readonly total: number;
  readonly stop: AbortController;
  state: SeedState;
  done: number;
  startedAtMs: number;
  /** The number of consecutive failures. */
  failedInRow: number;
  hasFailed: boolean;
}

/** After this many consecutive failures the job ends, because the other tiles would fail too. */
const MOST_FAILED = 10;

export function openTileSeeding({ notes, nodes, clock, everyMs, onError: failed }: SeedingOptions): SeedingNode {
  const jobs = openSeedJobs(notes);
  const progress = openSeedProgress(notes, nodes);
  const parts = new Map<number, Part>();
  const closed = new AbortController();
  let end: (() => void)[] = [];
  let make: MakeTile | undefined;
  let working: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  let isRefreshRequested = false;

  function getOwnProgress(): NodeProgress {
    return new Map([...parts].map(([id, part]) => [id, toSeedPart(part)]));
  }

  function toSeedPart({ state, done, total, startedAtMs }: Part): SeedPart {
    const left = ((clock() - startedAtMs) / done) * Math.max(0, total - done);
    return { state, done, secondsLeft: state !== 'running' || done === 0 ? -1 : Math.round(left / 1_000) };
  }

  /** Runs one refresh at a time; a call during a refresh triggers another one. */
  function refresh(): Promise<void> {
    isRefreshRequested = true;
    refreshing ??= (async () => {
      while (isRefreshRequested) {
        isRefreshRequested = false;
        await refreshOnce().catch(failed);
      }
      refreshing = undefined;
    })();
    return refreshing;
  }

  async function refreshOnce(): Promise<void> {
    if (make === undefined || closed.signal.aborted) return;
    const listed = await jobs.list();
    for (const [id, { stop }] of parts) {
      if (listed.some((job) => job.id === id)) continue;
      stop.abort(new Error('The job was stopped'));
      parts.delete(id);
    }
    for (const job of listed) {
      const stop = new AbortController();
      const initial = { state: 'pending', done: 0, startedAtMs: 0, failedInRow: 0, hasFailed: false } as const;
      if (!parts.has(job.id)) parts.set(job.id, { job, total: countTiles(job), stop, ...initial });
    }
    const making = make;
    working ??= processParts(making).finally(() => {
      working = undefined;
      if (hasPending()) void refresh();
    });
    await progress.publish(getOwnProgress());
    await deleteFinished();
  }

  const hasPending = () => !closed.signal.aborted && [...parts.values()].some(({ state }) => state === 'pending');

  /** Any node that sees that all parts are done deletes the job. */
  async function deleteFinished(): Promise<void> {
    const own = getOwnProgress();
    const done = [...parts.keys()].filter((id) => getSeedPart(own, id).state === 'done');
    if (done.length === 0) return;
    const all = await progress.collectAll(own);
    const ended = done.filter((id) => all.every((each) => getSeedPart(each, id).state === 'done'));
    if (ended.length === 0) return;
    await jobs.remove(ended);
    await progress.deleteGone();
  }

  /** Runs one job at a time, so that requests of users take precedence. */
  async function processParts(making: MakeTile): Promise<void> {
    for (;;) {
      const part = [...parts.values()].find(({ state }) => state === 'pending');
      if (part === undefined || closed.signal.aborted) return;
      part.state = 'running';
      part.startedAtMs = clock();
      const tiles = listTiles(part.job);
      const threads = Array.from({ length: part.job.threads }, () => seed(part, tiles, making));
      await Promise.all(threads);
      part.state = 'done';
      void refresh();
    }
  }

  async function seed(part: Part, tiles: Iterator<TileAddress>, making: MakeTile): Promise<void> {
    const signal = AbortSignal.any([part.stop.signal, closed.signal]);
    for (let next = tiles.next(); next.done !== true && !signal.aborted; next = tiles.next()) {
      if (!(await tryMakeTile(part, next.value, signal, making))) return;
      if (part.failedInRow >= MOST_FAILED) return;
      part.done += 1;
      await othersFirst();
    }
  }

  /**
   * A tile that fails is skipped, and created by the first request for it. It is retried if only the storage is
   * unavailable.
   */
  async function tryMakeTile(
    part: Part,
    address: TileAddress,
    signal: AbortSignal,
    making: MakeTile,
  ): Promise<boolean> {
    while (!signal.aborted) {
      try {
        const isThere = await making(part.job, address, signal);
        part.failedInRow = 0;
        return isThere;
      } catch (reason) {
        if (signal.aborted) return false;
        const isReadable = await jobs.list().then(
          () => true,
          () => false,
        );
        if (isReadable) {
          // Only the first failure of a job is logged.
          if (!part.hasFailed) failed(reason);
          part.hasFailed = true;
          part.failedInRow += 1;
          return true;
        }
        await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    return false;
  }

  async function list(map?: string): Promise<readonly SeedStatus[]> {
    const listed = (await jobs.list()).filter((job) => map === undefined || job.map === map);
    const all = listed.length === 0 ? [] : await progress.collectAll(getOwnProgress());
    return listed.map((job) => {
      const each = all.map((node) => getSeedPart(node, job.id));
      return {
        id: job.id,
        map: job.map,
        done: each.reduce((sum, { done }) => sum + done, 0),
        total: countTiles(job) * each.length,
        secondsLeft: Math.max(...each.map(({ secondsLeft }) => secondsLeft)),
        state: each.every(({ state }) => state === 'pending') ? 'pending' : 'running',
      };
    });
  }

  return {
    async start(order) {
      const id = await jobs.add(order);
      void refresh();
      return id;
    },
    list,
    async stop(states, map) {
      const meant = (await list(map)).filter(({ state }) => states.includes(state));
      if (meant.length > 0) await jobs.remove(meant.map(({ id }) => id));
      await refresh();
    },
    startWorking(making) {
      make = making;
      const timer = setInterval(() => {
        if (parts.size > 0) void refresh();
      }, everyMs).unref();
      end = [notes.watch(() => void refresh()), () => clearInterval(timer)];
      void refresh();
    },
    async close() {
      closed.abort(new Error('The server is closing'));
      for (const each of end) each();
      await working;
      await refreshing;
    },
  };
}
