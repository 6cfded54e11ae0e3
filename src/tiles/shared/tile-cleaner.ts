/** Cleans the tiles of all nodes periodically. One node does it for all, and notes the size. */
import type { InvalidatedRanges } from '../cache/tile-invalidations.ts';
import { type CleanedTiles, cleanTiles } from './clean-tiles.ts';
import type { InstallationNotes } from './installation.ts';
import type { SharedTiles } from './shared-tiles.ts';
import type { TileStore } from './tile-store.ts';

export interface TileCleanerOptions {
  readonly store: TileStore;
  readonly tiles: Pick<SharedTiles, 'isFull' | 'setUsage'>;
  readonly notes: InstallationNotes;
  readonly readPrefix: () => Promise<string>;
  readonly listRanges: (map: string) => Promise<InvalidatedRanges>;
  /** Returns whether this node does the work for all for this time. */
  readonly hold: (what: string, forMs: number) => Promise<boolean>;
  readonly clock: () => number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly onCleaned: (cleaned: CleanedTiles) => void;
  readonly onError: (reason: unknown) => void;
}

/** How often nodes read the size, and check whether they may write again. */
const CHECK_MS = 300_000;

/** A million tiles are a thousand requests to list them. */
const CLEAN_MS = 3_600_000;

/** Longer than listing some million tiles takes. */
const HOLD_MS = 1_800_000;

/** The size of all tiles, for all nodes. */
const USAGE_NOTE = 'shared tiles usage';

interface Usage {
  readonly bytes: number;
  readonly atMs: number;
}

export class TileCleaner {
  readonly #options: TileCleanerOptions;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running = Promise.resolve();
  #knownAtMs = 0;

  constructor(options: TileCleanerOptions) {
    this.#options = options;
  }

  start(): void {
    const run = () => {
      this.#running = this.#running
        .then(() => this.runOnce())
        .catch((reason: unknown) => {
          if (!this.#stopped.signal.aborted) this.#options.onError(reason);
        });
    };
    run();
    this.#timer = setInterval(run, CHECK_MS).unref();
  }

  /** Cleans if it is due, and learns the size. */
  async runOnce(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { notes, tiles, hold, clock } = this.#options;
    const usage = parseUsage(await notes.read(USAGE_NOTE));
    this.#learn(usage);
    const isDue = usage === undefined || clock() - usage.atMs >= CLEAN_MS || tiles.isFull();
    if (isDue && (await hold('shared tiles', HOLD_MS))) await this.#clean();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort(new Error('The server is closing'));
    await this.#running;
  }

  async #clean(): Promise<void> {
    const { store, readPrefix, listRanges, clock, maxBytes, maxAgeMs, notes, onCleaned } = this.#options;
    const cleaned = await cleanTiles({
      ...{ store, listRanges, maxBytes, maxAgeMs, prefix: await readPrefix(), nowMs: clock() },
      signal: this.#stopped.signal,
    });
    const usage: Usage = { bytes: cleaned.bytes, atMs: clock() };
    await notes.update(USAGE_NOTE, () => JSON.stringify(usage));
    this.#learn(usage);
    onCleaned(cleaned);
  }

  #learn(usage: Usage | undefined): void {
    if (usage === undefined || usage.atMs === this.#knownAtMs) return;
    this.#knownAtMs = usage.atMs;
    this.#options.tiles.setUsage(usage.bytes);
  }
}

function parseUsage(text: string | undefined): Usage | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Usage);
}
