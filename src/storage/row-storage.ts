/** The storage port over the rows of a database: the write queue, the rules and the cache of records. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { YieldIfDue } from '../lib/async/yield-if-due.ts';
import { measureWork } from '../lib/measure/measure-work.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import type { Page } from '../lib/text/page.ts';
import { BufferedTransactionRunner } from './drafts/buffered-transaction-runner.ts';
import { requireLimit } from './port/limit.ts';
import type {
  BufferedResult,
  BufferedTransaction,
  ChangeAuthor,
  ChangeEntry,
  ChangeHead,
  KindRules,
  LogReader,
  Notes,
  RecordSortKey,
  RehearsalResult,
  Snapshot,
  Storage,
  StoredRecord,
  StoredReply,
  ValueRange,
  WriteResult,
  WriteTransaction,
} from './port/port.ts';
import type { ReadConnections, RowSnapshot, Rows, VisibleState } from './port/rows.ts';
import { isStorable } from './port/storable-text.ts';
import { adaptKinds, type BodyVersions } from './transactions/adapt-kinds.ts';
import { LatestLogReader, type LogRules, maskItem, RowLogReader } from './transactions/log-reader.ts';
import { CachingSnapshot, RecordNameCache } from './transactions/record-reader.ts';
import { WriteQueue } from './transactions/write-queue.ts';
import { type WriteGroup, WriteSteps } from './transactions/write-steps.ts';

export interface RowStorageOptions {
  /** Integer milliseconds since 1970. */
  readonly clock: () => number;
  /** The rules of every record kind in the storage. */
  readonly kinds: readonly KindRules[];
  readonly pace: YieldIfDue;
  /** The folder of files for large transactions, which have no name. */
  readonly spillFolder: string;
  /** A group of writes is closed after this time; longer if a durable commit takes longer. */
  readonly maxGroupMs?: number;
}

/** Migrates older records first. */
export async function openRowStorage(rows: Rows, options: RowStorageOptions): Promise<Storage> {
  try {
    const versions = await adaptKinds(rows, options.kinds);
    return new RowStorage(rows, options, versions);
  } catch (error) {
    await rows.close();
    throw error;
  }
}

/** The maximum number of writes that are committed together. */
const MAX_GROUP = 64;
const MAX_GROUP_MS = 5;

class RowStorage implements Storage {
  readonly #rows: Rows;
  readonly #steps: WriteSteps;
  readonly #logRules: LogRules;
  readonly log: LogReader;
  readonly notes: Notes;
  readonly #cache = new RecordNameCache();
  readonly #queue: WriteQueue<WriteGroup>;
  readonly #watchers = new Set<() => void>();
  readonly #noteWatchers = new Set<() => void>();
  readonly #buffered: BufferedTransactionRunner<WriteGroup>;
  #position: number;
  #announced: number;
  #closed: Promise<void> | undefined;
  #isOpen = true;

  constructor(rows: Rows, options: RowStorageOptions, versions: BodyVersions) {
    this.#rows = rows;
    this.#steps = new WriteSteps(options);
    const kinds = new Map(options.kinds.map((rules) => [rules.kind, rules]));
    this.#logRules = { kinds, versions, pace: options.pace };
    this.log = new LatestLogReader((read) => this.#withSnapshot(({ log }) => read(log)), options.pace);
    this.notes = {
      read: async (name) => (isStorable(name) ? this.#withRows((rows) => rows.readNote(name)) : undefined),
      listNames: async (beginning) =>
        isStorable(beginning) ? this.#withRows((rows) => rows.listNoteNames(beginning)) : [],
      write: (name, text) => this.#queue.run((group) => this.#steps.putNote(group, name, text)),
      update: (name, write, fence) => this.#queue.run((group) => this.#steps.updateNote(group, name, write, fence)),
      announce: (name, write) => this.#queue.run((group) => this.#steps.announceNote(group, name, write)),
      getLastAnnouncement: () => this.#announced,
      watch: (listener) => addWatcher(this.#noteWatchers, listener),
    };
    const { maxGroupMs = MAX_GROUP_MS } = options;
    this.#queue = new WriteQueue({
      begin: () => this.#beginGroup(),
      isFull: ({ count, beganMs, isBound }) =>
        isBound || count >= MAX_GROUP || performance.now() - beganMs > maxGroupMs,
      finish: (group) => this.#finishGroup(group),
      // A failure of the database itself is a Problem for clients.
      isJobFailure: ({ isBound }, error) => !isBound && !(error instanceof Problem),
    });
    this.#buffered = new BufferedTransactionRunner({
      ...options,
      kinds,
      prepareRead: () => rows.snapshots.prepareRead?.(),
      snapshot: () => rows.snapshots.hold(),
      refresh: () => rows.snapshots.refresh?.(),
      runExclusive: (job) => measureWork({ stage: 'commit' }, () => this.#queue.run(job)),
      canReject: rows.canReject?.bind(rows),
      commit: async (group, author, work, { shouldCommit, drafted, beforeCommit, reply, note }) =>
        (await this.#steps.write(group, author, work, { shouldCommit, drafted, beforeCommit, reply, note })).change,
    });
    const snapshot = rows.snapshots.hold();
    this.#position = snapshot.position;
    this.#announced = snapshot.announced;
    snapshot.release();
    rows.subscribe?.((state) => this.#applyState(state));
  }

  snapshot(): Snapshot {
    this.#assertOpen();
    return new CachingSnapshot(this.#rows.snapshots.hold(), this.#cache, this.#logRules, () => this.#position);
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    this.#assertOpen();
    const known = this.#cache.get(kind, parent, name);
    return known === undefined
      ? this.#withSnapshot((snapshot) => snapshot.find(kind, parent, name))
      : (known ?? undefined);
  }

  get(id: string): Promise<StoredRecord | undefined> {
    return this.#withSnapshot((snapshot) => snapshot.get(id));
  }

  list(kind: string, parent: string | null, page?: Page): Promise<readonly StoredRecord[]> {
    return this.#withSnapshot((snapshot) => snapshot.list(kind, parent, page));
  }

  listNames(kind: string, parent: string | null, page?: Page): Promise<readonly string[]> {
    return this.#withSnapshot((snapshot) => snapshot.listNames(kind, parent, page));
  }

  listKeyValues(kind: string, key: string, range?: ValueRange): Promise<readonly string[]> {
    return this.#withSnapshot((snapshot) => snapshot.listKeyValues(kind, key, range));
  }

  findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]> {
    return this.#withSnapshot((snapshot) => snapshot.findByKey(kind, key, value, limit));
  }

  listChildren(parent: string, limit: number): Promise<readonly StoredRecord[]> {
    return this.#withSnapshot((snapshot) => snapshot.listChildren(parent, limit));
  }

  countChildren(parent: string): Promise<number> {
    return this.#withSnapshot((snapshot) => snapshot.countChildren(parent));
  }

  count(kind: string): Promise<number> {
    return this.#withSnapshot((snapshot) => snapshot.count(kind));
  }

  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]> {
    return this.#withSnapshot((snapshot) => snapshot.listOfKind(kind, after, limit));
  }

  async write<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<WriteResult<T>> {
    const { result, change } = await measureWork({ stage: 'commit' }, () =>
      this.#queue.run((group) => this.#steps.write(group, author, work, { shouldCommit: true })),
    );
    return { result, change };
  }

  async rehearse<T>(
    author: ChangeAuthor,
    work: (transaction: WriteTransaction) => Promise<T>,
  ): Promise<RehearsalResult<T>> {
    const { result, items } = await this.#queue.run((group) =>
      this.#steps.write(group, author, work, { shouldCommit: false }),
    );
    return {
      result,
      entry:
        items.length === 0 ? null : { ...author, items: items.map((item) => maskItem(item, this.#logRules.kinds)) },
    };
  }

  async writeBuffered<T>(work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>): Promise<WriteResult<T>> {
    this.#assertOpen();
    return this.#buffered.run(work);
  }

  async findReply(who: string, key: string): Promise<StoredReply | undefined> {
    this.#assertOpen();
    return isStorable(who) && isStorable(key) ? this.#withRows((rows) => rows.findReply(who, key)) : undefined;
  }

  async deleteReplies(beforeMs: number, limit: number): Promise<number> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#queue.run((group) => this.#steps.deleteReplies(group, beforeMs, limit));
  }

  async listChanges(after: number, limit: number): Promise<readonly ChangeEntry[]> {
    const entries = await this.listSealedChanges(after, limit);
    return entries.map((entry) => this.#maskEntry(entry));
  }

  async listSealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#withRows(async (rows) => this.#readItems(rows, await rows.listChanges({ after }, limit)));
  }

  async listRecordChanges(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]> {
    this.#assertOpen();
    requireLimit(limit);
    if (!isStorable(id)) return [];
    return this.#withRows(async (rows) => {
      const entries: ChangeEntry[] = [];
      for (const sequence of await rows.listEntryNumbers(id, after, limit)) {
        entries.push(...(await this.#readItems(rows, await rows.listChanges({ after: sequence - 1 }, 1))));
      }
      return entries.map((entry) => this.#maskEntry(entry));
    });
  }

  async isFileReferenced(file: string, sinceMs: number): Promise<boolean> {
    this.#assertOpen();
    // Another node may have committed a reference: files are deleted based on this result.
    await this.#rows.snapshots.refresh?.();
    return isStorable(file) && this.#withRows((rows) => rows.isFileReferenced(file, sinceMs));
  }

  async isFileInUse(file: string): Promise<boolean> {
    this.#assertOpen();
    await this.#rows.snapshots.refresh?.();
    return isStorable(file) && this.#withRows((rows) => rows.isFileInUse(file));
  }

  async deleteChanges(beforeMs: number, limit: number): Promise<number> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#queue.run((group) => this.#steps.deleteChanges(group, beforeMs, limit));
  }

  refresh(): Promise<void> | undefined {
    return this.#rows.snapshots.refresh?.();
  }

  position(): number {
    this.#assertOpen();
    return this.#position;
  }

  watch(listener: () => void): () => void {
    return addWatcher(this.#watchers, listener);
  }

  countPendingWrites(): number {
    return this.#queue.depth;
  }

  countConnections(): ReadConnections | undefined {
    return this.#rows.snapshots.countConnections?.();
  }

  isWritable(): boolean {
    return this.#isOpen && this.#rows.isWritable();
  }

  async findIntegrityProblems(): Promise<readonly string[]> {
    this.#assertOpen();
    return this.#rows.findIntegrityProblems();
  }

  close(signal?: AbortSignal): Promise<void> {
    this.#closed ??= this.#closeAfterWrites(signal);
    return this.#closed;
  }

  async #closeAfterWrites(signal: AbortSignal | undefined): Promise<void> {
    await this.#queue.close(signal);
    this.#isOpen = false;
    await this.#rows.close(signal);
  }

  async #readItems(rows: RowSnapshot, found: readonly ChangeHead[]): Promise<readonly ChangeEntry[]> {
    const log = new RowLogReader(rows, this.#logRules, () => this.#assertOpen());
    const entries: ChangeEntry[] = [];
    for (const entry of found) entries.push(await log.readSealed(entry));
    return entries;
  }

  #maskEntry(entry: ChangeEntry): ChangeEntry {
    return { ...entry, items: entry.items.map((item) => maskItem(item, this.#logRules.kinds)) };
  }

  async #beginGroup(): Promise<WriteGroup> {
    const rows = await this.#rows.begin();
    return { rows, beganMs: performance.now(), count: 0, isBound: false, ...rows.head, touched: [] };
  }

  async #finishGroup(group: WriteGroup): Promise<{ readonly shown: Promise<void> | undefined }> {
    const { shown } = await group.rows.commit();
    // With other writers, the rows announce new states.
    const isNew = group.position > this.#position || group.announced > this.#announced;
    if (shown === undefined && isNew) this.#applyState(group);
    return { shown };
  }

  /** Runs before the new state is visible. */
  #applyState({ position, announced, touched }: VisibleState): void {
    if (touched === undefined) this.#cache.clear();
    else this.#cache.delete(touched);
    const [hasChanged, isAnnounced] = [this.#position !== position, this.#announced !== announced];
    this.#position = position;
    this.#announced = announced;
    // The state becomes visible right after this call: listeners that read at once must see it.
    queueMicrotask(() => {
      if (hasChanged) for (const listener of this.#watchers) listener();
      if (isAnnounced) for (const listener of this.#noteWatchers) listener();
    });
  }

  async #withSnapshot<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const preparing = this.#rows.snapshots.prepareRead?.();
    if (preparing !== undefined) await preparing;
    const snapshot = this.snapshot();
    try {
      return await read(snapshot);
    } finally {
      snapshot.release();
    }
  }

  async #withRows<T>(read: (rows: RowSnapshot) => Promise<T>): Promise<T> {
    const preparing = this.#rows.snapshots.prepareRead?.();
    if (preparing !== undefined) await preparing;
    const rows = this.#rows.snapshots.hold();
    try {
      return await read(rows);
    } finally {
      rows.release();
    }
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw problem('draining', {});
  }
}

/**
 * A separate entry for each call, even with the same listener. The listener runs in the context of its subscription:
 * in that of the write or request that noticed the change, its own writes would count as nested.
 */
function addWatcher(watchers: Set<() => void>, listener: () => void): () => void {
  const watcher = AsyncLocalStorage.bind(() => listener());
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
