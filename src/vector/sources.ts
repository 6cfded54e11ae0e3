/** The open sources of stores: opened on first use, shared, and closed when the store changes or is unused. */

import type { FilterRunner } from '../filter/run/filter-runner.ts';
import { type Deadline, withDeadline } from '../workers/deadline.ts';
import { measureSource } from './measure-source.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from './port/driver.ts';
import { getDriver } from './port/parameters.ts';
import type { ConnectionCounts, VectorSource } from './port/port.ts';

/** The properties of a store that are needed to open its data. */
export interface OpenableStore {
  readonly id: string;
  /** A new version can have new parameters: the source of an older one is closed. */
  readonly version: number;
  /** Changes when its files move. */
  readonly filesVersion?: number;
  readonly name: string;
  readonly parameters: ConnectionParameters;
  /** The context for its files, if it differs from the common one. */
  readonly context?: DriverContext;
}

export type SourceWork<T> = (source: VectorSource, signal: AbortSignal, deadline: Deadline) => Promise<T>;

/** A source that stays open during a read, for example for a slow client. */
export interface AcquiredSource {
  readonly source: VectorSource;
  /** Evaluates filters that the source does not support. */
  readonly filterRunner: FilterRunner;
  /** Waits for a response of the source within the deadline. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Must be called once after the read. */
  release(): void;
}

export interface VectorSources {
  /**
   * Runs `work` with the source of a store within the deadline. A slow source fails with a `store-unreachable`
   * problem; other errors are passed on unchanged.
   */
  use<T>(store: OpenableStore, work: SourceWork<T>): Promise<T>;
  /** Like `use` with a separate source, which is closed afterwards, and with an optional deadline. */
  useOnce<T>(
    store: Pick<OpenableStore, 'name' | 'parameters'>,
    context: DriverContext,
    work: SourceWork<T>,
    ownDeadlineMs?: number,
  ): Promise<T>;
  /** Acquires the source of a store; the caller must release it. */
  acquire(store: OpenableStore): Promise<AcquiredSource>;
  /** Closes the source of a store, so that the next use opens it again; resolves when the old one is unused. */
  reset(storeId: string): Promise<void>;
  /** Like `reset`, for all stores. */
  resetAll(): Promise<void>;
  /** The open sources with the sum of their connections. */
  getCounts(): { readonly sources: number } & ConnectionCounts;
  close(): Promise<void>;
}

export interface VectorSourcesOptions {
  readonly drivers: readonly VectorDriver[];
  readonly context: DriverContext;
  /** The time limit for one use. */
  readonly deadlineMs: number;
  /** The maximum number of open sources; the least recently used is closed first. */
  readonly maxOpen: number;
}

interface OpenSource {
  readonly version: number;
  readonly filesVersion: number | undefined;
  readonly source: Promise<VectorSource>;
  /** Set when it is open. */
  opened?: VectorSource;
  uses: number;
  /** Set if the source is to be closed after its last use. */
  retired: PromiseWithResolvers<void> | undefined;
}

export function openVectorSources(options: VectorSourcesOptions): VectorSources {
  return new SharedSources(options);
}

class SharedSources implements VectorSources {
  readonly #options: VectorSourcesOptions;
  /** Ordered by last use. */
  readonly #open = new Map<string, OpenSource>();

  constructor(options: VectorSourcesOptions) {
    this.#options = options;
  }

  async use<T>(store: OpenableStore, work: SourceWork<T>): Promise<T> {
    const entry = this.#acquireEntry(store);
    entry.uses += 1;
    try {
      return await withDeadline(this.#options.deadlineMs, store.name, async (signal, deadline) =>
        work(await entry.source, signal, deadline),
      );
    } finally {
      entry.uses -= 1;
      closeIfUnused(entry);
    }
  }

  async useOnce<T>(
    store: Pick<OpenableStore, 'name' | 'parameters'>,
    context: DriverContext,
    work: SourceWork<T>,
    ownDeadlineMs = this.#options.deadlineMs,
  ): Promise<T> {
    const opened = getDriver(this.#options.drivers, store.parameters).open(store.parameters, context);
    try {
      return await withDeadline(ownDeadlineMs, store.name, async (signal, deadline) =>
        work(await opened, signal, deadline),
      );
    } finally {
      void closeQuietly(opened);
    }
  }

  async acquire(store: OpenableStore): Promise<AcquiredSource> {
    const { deadlineMs, context } = this.#options;
    const filterRunner = context.filterRunner ?? (await import('../filter/run/filter-runner.ts')).inlineFilterRunner;
    const entry = this.#acquireEntry(store);
    entry.uses += 1;
    let isHeld = true;
    const release = () => {
      entry.uses -= isHeld ? 1 : 0;
      isHeld = false;
      closeIfUnused(entry);
    };
    const within: AcquiredSource['within'] = (work) => withDeadline(deadlineMs, store.name, work);
    try {
      return { source: await within(() => entry.source), filterRunner, within, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async reset(storeId: string): Promise<void> {
    const entry = this.#open.get(storeId);
    if (entry === undefined) {
      return;
    }
    this.#open.delete(storeId);
    entry.retired = Promise.withResolvers();
    closeIfUnused(entry);
    await entry.retired.promise;
  }

  async resetAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.reset(id)));
  }

  getCounts(): ReturnType<VectorSources['getCounts']> {
    const pools = [...this.#open.values()].flatMap((entry) => entry.opened?.connections?.() ?? []);
    const sumCounts = (count: (pool: ConnectionCounts) => number) =>
      pools.reduce((total, pool) => total + count(pool), 0);
    return {
      sources: this.#open.size,
      open: sumCounts((pool) => pool.open),
      idle: sumCounts((pool) => pool.idle),
      waiting: sumCounts((pool) => pool.waiting),
    };
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((entry) => closeQuietly(entry.source)));
  }

  #acquireEntry(store: OpenableStore): OpenSource {
    const known = this.#open.get(store.id);
    if (known?.version === store.version && known.filesVersion === store.filesVersion) {
      this.#open.delete(store.id);
      this.#open.set(store.id, known);
      return known;
    }
    void this.reset(store.id);
    const fresh = this.#openEntry(store);
    const [oldest] = this.#open.keys();
    if (this.#open.size > this.#options.maxOpen && oldest !== undefined) {
      void this.reset(oldest);
    }
    return fresh;
  }

  #openEntry(store: OpenableStore): OpenSource {
    const { drivers, context } = this.#options;
    const driver = getDriver(drivers, store.parameters);
    const source = driver
      .open(store.parameters, store.context ?? context)
      .then((opened) => measureSource(opened, driver.type));
    const { version, filesVersion } = store;
    const fresh: OpenSource = { version, filesVersion, source, uses: 0, retired: undefined };
    this.#open.set(store.id, fresh);
    source.then(
      (opened) => {
        fresh.opened = opened;
      },
      // A failed source is removed, so that the next use tries again.
      () => {
        if (this.#open.get(store.id) === fresh) {
          this.#open.delete(store.id);
        }
      },
    );
    return fresh;
  }
}

function closeIfUnused(entry: OpenSource): void {
  if (entry.retired !== undefined && entry.uses === 0) {
    void closeQuietly(entry.source).then(entry.retired.resolve);
  }
}

/** Errors on closing are ignored, because the store is changed or deleted. */
async function closeQuietly(source: Promise<VectorSource>): Promise<void> {
  await source.then((opened) => opened.close()).catch(() => undefined);
}
