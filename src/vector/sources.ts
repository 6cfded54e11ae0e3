/** The open sources of stores: opened on first use, shared, and closed when the store changes or is unused. */

import { type FilterRunner, inlineFilterRunner } from '../filter/run/filter-runner.ts';
import { type Deadline, withDeadline } from '../workers/deadline.ts';
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
  const { drivers, deadlineMs } = options;
  const open = new Map<string, OpenSource>();

  async function retire(id: string): Promise<void> {
    const entry = open.get(id);
    if (entry === undefined) {
      return;
    }
    open.delete(id);
    entry.retired = Promise.withResolvers();
    closeIfUnused(entry);
    await entry.retired.promise;
  }

  function acquireEntry(store: OpenableStore): OpenSource {
    const known = open.get(store.id);
    if (known?.version === store.version && known.filesVersion === store.filesVersion) {
      // The map is ordered by last use.
      open.delete(store.id);
      open.set(store.id, known);
      return known;
    }
    void retire(store.id);
    const source = getDriver(drivers, store.parameters).open(store.parameters, store.context ?? options.context);
    const { version, filesVersion } = store;
    const fresh: OpenSource = { version, filesVersion, source, uses: 0, retired: undefined };
    open.set(store.id, fresh);
    source.then(
      (opened) => {
        fresh.opened = opened;
      },
      // A failed source is removed, so that the next use tries again.
      () => {
        if (open.get(store.id) === fresh) {
          open.delete(store.id);
        }
      },
    );
    const [oldest] = open.keys();
    if (open.size > options.maxOpen && oldest !== undefined) {
      void retire(oldest);
    }
    return fresh;
  }

  return {
    async use(store, work) {
      const entry = acquireEntry(store);
      entry.uses += 1;
      try {
        return await withDeadline(deadlineMs, store.name, async (signal, deadline) =>
          work(await entry.source, signal, deadline),
        );
      } finally {
        entry.uses -= 1;
        closeIfUnused(entry);
      }
    },
    async useOnce(store, context, work, ownDeadlineMs = deadlineMs) {
      const opened = getDriver(drivers, store.parameters).open(store.parameters, context);
      try {
        return await withDeadline(ownDeadlineMs, store.name, async (signal, deadline) =>
          work(await opened, signal, deadline),
        );
      } finally {
        void closeQuietly(opened);
      }
    },
    async acquire(store) {
      const entry = acquireEntry(store);
      entry.uses += 1;
      let isHeld = true;
      const release = () => {
        entry.uses -= isHeld ? 1 : 0;
        isHeld = false;
        closeIfUnused(entry);
      };
      const within: AcquiredSource['within'] = (work) => withDeadline(deadlineMs, store.name, work);
      try {
        const { filterRunner = inlineFilterRunner } = options.context;
        return { source: await within(() => entry.source), filterRunner, within, release };
      } catch (error) {
        release();
        throw error;
      }
    },
    reset: retire,
    resetAll: async () => void (await Promise.all([...open.keys()].map(retire))),
    getCounts() {
      const pools = [...open.values()].flatMap((entry) => entry.opened?.connections?.() ?? []);
      const sumCounts = (count: (pool: ConnectionCounts) => number) =>
        pools.reduce((total, pool) => total + count(pool), 0);
      return {
        sources: open.size,
        open: sumCounts((pool) => pool.open),
        idle: sumCounts((pool) => pool.idle),
        waiting: sumCounts((pool) => pool.waiting),
      };
    },
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map((entry) => closeQuietly(entry.source)));
    },
  };
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
