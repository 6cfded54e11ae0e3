/**
 * Seed jobs, which create tiles in advance. Each node fills its own cache: a job ends when all running nodes have
 * done their part. A node that stops continues its part after its restart. Nodes that share tiles begin at different
 * tiles.
 */
import { setImmediate as othersFirst, setTimeout as wait } from 'node:timers/promises';
import type { TileNotes } from '../cache/tile-invalidations.ts';
import type { TileAddress } from '../tile-matrix-set.ts';
import { countTiles, listTiles, type SeedJob, type SeedOrder } from './seed-job.ts';
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
  /** Stops the selected jobs on all nodes. */
  stop(selection: JobSelection): Promise<void>;
}

/** Absent members select all. */
export interface JobSelection {
  readonly states?: readonly SeedState[];
  readonly map?: string;
  readonly id?: number;
}

/** Returns the same seeding without effects. */
export function createDryRunSeeding(seeding: TileSeeding): TileSeeding {
  return { start: async () => 0, list: (map) => seeding.list(map), stop: async () => undefined };
}

/** Returns false if the layer does not exist any more. */
export type MakeTile = (job: SeedJob, address: TileAddress, signal: AbortSignal) => Promise<boolean>;

export interface SeedingOptions {
  readonly notes: TileNotes & ProgressNotes & { watch(listener: () => void): () => void };
  readonly nodes: SeedNodes;
  readonly clock: () => number;
  /** Resolves when all created tiles are on disk. */
  readonly waitForWrites: () => Promise<void>;
  /**
   * If nodes share tiles: returns the part of a job, from 0 to less than 1, before which this node does not begin. Each
   * node then finds what the others have drawn.
   */
  readonly findStart?: (() => Promise<number>) | undefined;
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

/** The seeding of this node. */
export class SeedingNode implements TileSeeding {
  readonly #options: SeedingOptions;
  readonly #jobs: ReturnType<typeof openSeedJobs>;
  readonly #progress: ReturnType<typeof openSeedProgress>;
  readonly #parts = new Map<number, Part>();
  readonly #closed = new AbortController();
  #end: (() => void)[] = [];
  #make: MakeTile | undefined;
  #working: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #isRefreshRequested = false;

  constructor(options: SeedingOptions) {
    this.#options = options;
    this.#jobs = openSeedJobs(options.notes);
    this.#progress = openSeedProgress(options.notes, options.nodes);
  }

  async start(order: SeedOrder): Promise<number | undefined> {
    const id = await this.#jobs.add(order);
    void this.#refresh();
    return id;
  }

  async list(map?: string): Promise<readonly SeedStatus[]> {
    const listed = (await this.#jobs.list()).filter((job) => map === undefined || job.map === map);
    const all = listed.length === 0 ? [] : await this.#progress.collectAll(this.#getOwnProgress());
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

  async stop({ states, map, id }: JobSelection): Promise<void> {
    const meant = (await this.list(map)).filter(
      (job) => (states === undefined || states.includes(job.state)) && (id === undefined || job.id === id),
    );
    if (meant.length > 0) await this.#jobs.remove(meant.map(({ id }) => id));
    await this.#refresh();
  }

  /** Starts the work of this node. */
  startWorking(make: MakeTile): void {
    this.#make = make;
    const { notes, everyMs } = this.#options;
    const timer = setInterval(() => {
      if (this.#parts.size > 0) void this.#refresh();
    }, everyMs).unref();
    this.#end = [notes.watch(() => void this.#refresh()), () => clearInterval(timer)];
    void this.#refresh();
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('The server is closing'));
    for (const each of this.#end) each();
    await this.#working;
    await this.#refreshing;
  }

  #getOwnProgress(): NodeProgress {
    const now = this.#options.clock();
    return new Map([...this.#parts].map(([id, part]) => [id, toSeedPart(part, now)]));
  }

  /** Runs one refresh at a time; a call during a refresh triggers another one. */
  #refresh(): Promise<void> {
    this.#isRefreshRequested = true;
    this.#refreshing ??= (async () => {
      while (this.#isRefreshRequested) {
        this.#isRefreshRequested = false;
        await this.#refreshOnce().catch(this.#options.onError);
      }
      this.#refreshing = undefined;
    })();
    return this.#refreshing;
  }

  async #refreshOnce(): Promise<void> {
    const make = this.#make;
    if (make === undefined || this.#closed.signal.aborted) return;
    this.#updateParts(await this.#jobs.list());
    this.#working ??= this.#processParts(make).finally(() => {
      this.#working = undefined;
      if (!this.#closed.signal.aborted && this.#findPending() !== undefined) void this.#refresh();
    });
    await this.#progress.publish(this.#getOwnProgress());
    await this.#deleteFinished();
  }

  /** Stops the parts of deleted jobs and adds the parts of new ones. */
  #updateParts(jobs: readonly SeedJob[]): void {
    for (const [id, { stop }] of this.#parts) {
      if (jobs.some((job) => job.id === id)) continue;
      stop.abort(new Error('The job was stopped'));
      this.#parts.delete(id);
    }
    for (const job of jobs) {
      const stop = new AbortController();
      const initial = { state: 'pending', done: 0, startedAtMs: 0, failedInRow: 0, hasFailed: false } as const;
      if (!this.#parts.has(job.id)) this.#parts.set(job.id, { job, total: countTiles(job), stop, ...initial });
    }
  }

  #findPending(): Part | undefined {
    return [...this.#parts.values()].find(({ state }) => state === 'pending');
  }

  /** Any node that sees that all parts are done deletes the job. */
  async #deleteFinished(): Promise<void> {
    const own = this.#getOwnProgress();
    const done = [...this.#parts.keys()].filter((id) => getSeedPart(own, id).state === 'done');
    if (done.length === 0) return;
    const all = await this.#progress.collectAll(own);
    const ended = done.filter((id) => all.every((each) => getSeedPart(each, id).state === 'done'));
    if (ended.length === 0) return;
    await this.#jobs.remove(ended);
    await this.#progress.deleteGone();
  }

  /** Runs one job at a time, so that requests of users take precedence. */
  async #processParts(make: MakeTile): Promise<void> {
    for (;;) {
      const part = this.#findPending();
      if (part === undefined || this.#closed.signal.aborted) return;
      part.state = 'running';
      part.startedAtMs = this.#options.clock();
      const tiles = listTiles(part.job, Math.floor(part.total * (await this.#findStart())));
      const threads = Array.from({ length: part.job.threads }, () => this.#seed(part, tiles, make));
      await Promise.all(threads);
      // Otherwise a node that is killed right after the end of a job would lack its last tiles.
      await this.#options.waitForWrites();
      part.state = 'done';
      void this.#refresh();
    }
  }

  async #findStart(): Promise<number> {
    try {
      return (await this.#options.findStart?.()) ?? 0;
    } catch (reason) {
      this.#options.onError(reason);
      return 0;
    }
  }

  async #seed(part: Part, tiles: Iterator<TileAddress>, make: MakeTile): Promise<void> {
    const signal = AbortSignal.any([part.stop.signal, this.#closed.signal]);
    for (let next = tiles.next(); next.done !== true && !signal.aborted; next = tiles.next()) {
      if (!(await this.#tryMakeTile(part, next.value, signal, make))) return;
      if (part.failedInRow >= MOST_FAILED) return;
      part.done += 1;
      await othersFirst();
    }
  }

  /**
   * A tile that fails is skipped, and created by the first request for it. It is retried if only the storage is
   * unavailable.
   */
  async #tryMakeTile(part: Part, address: TileAddress, signal: AbortSignal, make: MakeTile): Promise<boolean> {
    while (!signal.aborted) {
      try {
        const isThere = await make(part.job, address, signal);
        part.failedInRow = 0;
        return isThere;
      } catch (reason) {
        if (signal.aborted) return false;
        const isReadable = await this.#jobs.list().then(
          () => true,
          () => false,
        );
        if (isReadable) {
          // Only the first failure of a job is logged.
          if (!part.hasFailed) this.#options.onError(reason);
          part.hasFailed = true;
          part.failedInRow += 1;
          return true;
        }
        await wait(this.#options.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    return false;
  }
}

function toSeedPart({ state, done, total, startedAtMs }: Part, now: number): SeedPart {
  const left = ((now - startedAtMs) / done) * Math.max(0, total - done);
  return { state, done, secondsLeft: state !== 'running' || done === 0 ? -1 : Math.round(left / 1_000) };
}

interface SeedJobs {
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

/** The seed jobs, in one note that all nodes read. */
function openSeedJobs(notes: TileNotes): SeedJobs {
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
