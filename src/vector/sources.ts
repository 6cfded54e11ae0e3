/** The open sources: each store's is opened at first use, shared, and closed when the store changes or is not used. */

import { type FilterRunner, inlineFilterRunner } from '../filter/run/filter-runner.ts';
import { type Deadline, withDeadline } from '../workers/deadline.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from './port/driver.ts';
import { getDriver } from './port/parameters.ts';
import type { ConnectionCounts, VectorSource } from './port/port.ts';

/** What is needed of a store to open its data. */
export interface OpenableStore {
  readonly id: string;
  /** A new version may have new parameters: the source of an older one is closed. */
  readonly version: number;
  /** Another one where its files were put in another place since. */
  readonly filesVersion?: number;
  readonly name: string;
  readonly parameters: ConnectionParameters;
  /** Where its files are, if that is not for the common context to say. */
  readonly context?: DriverContext;
}

export type SourceWork<T> = (source: VectorSource, signal: AbortSignal, deadline: Deadline) => Promise<T>;

/** A source that stays open for as long as somebody reads from it, as a slow client does. */
export interface AcquiredSource {
  readonly source: VectorSource;
  /** Where filters are evaluated that the source leaves to others. */
  readonly filterRunner: FilterRunner;
  /** Waits for an answer of the source, but no longer than the deadline. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** To be called once, whatever became of the reading. */
  release(): void;
}

export interface VectorSources {
  /**
   * Runs `work` with the source of a store, within the deadline. A source that is too slow ends in a
   * `store-unreachable` problem; whatever else goes wrong passes as it is.
   */
  use<T>(store: OpenableStore, work: SourceWork<T>): Promise<T>;
  /** The same with a source of its own, which is closed afterwards, and within another deadline where one is given. */
  useOnce<T>(
    store: Pick<OpenableStore, 'name' | 'parameters'>,
    context: DriverContext,
    work: SourceWork<T>,
    ownDeadlineMs?: number,
  ): Promise<T>;
  /** The source of a store, to be released by whoever asks. */
  acquire(store: OpenableStore): Promise<AcquiredSource>;
  /** Closes the source of a store, so that its next use opens it afresh; resolves when nobody uses the old one. */
  reset(storeId: string): Promise<void>;
  /** The same for all stores. */
  resetAll(): Promise<void>;
  /** The sources that are open, and the connections they keep together. */
  getCounts(): { readonly sources: number } & ConnectionCounts;
  close(): Promise<void>;
}

export interface VectorSourcesOptions {
  readonly drivers: readonly VectorDriver[];
  readonly context: DriverContext;
  /** How long one use may take. */
  readonly deadlineMs: number;
  /** Sources kept open at most; the one not used for longest goes first. */
  readonly maxOpen: number;
}

interface OpenSource {
  readonly version: number;
  readonly filesVersion: number | undefined;
  readonly source: Promise<VectorSource>;
  /** Once it is open. */
  opened?: VectorSource;
  uses: number;
  /** Set when the source is to be closed after its last use. */
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
      // Last in the map is last used.
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
      // A source that failed to open is not kept: the next use tries again.
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

/** A source that cannot be closed has nothing more to tell: its store is changed or gone. */
async function closeQuietly(source: Promise<VectorSource>): Promise<void> {
  await source.then((opened) => opened.close()).catch(() => undefined);
}
