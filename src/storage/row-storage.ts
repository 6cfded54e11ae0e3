/** The storage port over the rows of a database: the queue of writes, the rules, and the memory of what was found. */

import type { Pace } from '../lib/pace.ts';
import type { Page } from '../lib/page.ts';
import { Problem } from '../lib/problem.ts';
import { adaptKinds, type BodyVersions } from './adapt-kinds.ts';
import { Drafts } from './drafts.ts';
import { FoundRecords } from './found-records.ts';
import { LogOfEachState, type LogRules, masked, RowLogReader } from './log-reader.ts';
import type {
  ChangeAuthor,
  ChangeEntry,
  ChangeHead,
  Draft,
  DraftEnd,
  KeptReply,
  KindRules,
  LogReader,
  Notes,
  RecordPlace,
  Rehearsed,
  Snapshot,
  Storage,
  StoredRecord,
  ValueRange,
  WriteTransaction,
  Written,
} from './port.ts';
import { requireLimit } from './record-reader.ts';
import { RememberingSnapshot } from './remembering-snapshot.ts';
import type { RowSnapshot, Rows, ShownState } from './rows.ts';
import { isStorable } from './storable-text.ts';
import { WriteQueue } from './write-queue.ts';
import { type WriteGroup, WriteSteps } from './write-steps.ts';

export interface RowStorageOptions {
  /** Whole milliseconds since 1970. */
  readonly clock: () => number;
  /** Every kind of record that may be in it. */
  readonly kinds: readonly KindRules[];
  readonly pace: Pace;
  /** A write that has taken so long is not kept waiting for others; more where making it durable takes longer. */
  readonly maxGroupMs?: number;
}

/** Brings older records up to date first. */
export async function openRowStorage(rows: Rows, options: RowStorageOptions): Promise<Storage> {
  try {
    const versions = await adaptKinds(rows, options.kinds);
    return new RowStorage(rows, options, versions);
  } catch (error) {
    await rows.close();
    throw error;
  }
}

/** So many writes are made durable together at most. */
const MAX_GROUP = 64;
const MAX_GROUP_MS = 5;

class RowStorage implements Storage {
  readonly #rows: Rows;
  readonly #steps: WriteSteps;
  readonly #logRules: LogRules;
  readonly log: LogReader;
  readonly notes: Notes;
  readonly #found = new FoundRecords();
  readonly #queue: WriteQueue<WriteGroup>;
  readonly #watchers = new Set<() => void>();
  readonly #noteWatchers = new Set<() => void>();
  readonly #drafts: Drafts<WriteGroup>;
  #position: number;
  #announced: number;
  #closed: Promise<void> | undefined;
  #isOpen = true;

  constructor(rows: Rows, options: RowStorageOptions, versions: BodyVersions) {
    this.#rows = rows;
    this.#steps = new WriteSteps(options);
    const kinds = new Map(options.kinds.map((rules) => [rules.kind, rules]));
    this.#logRules = { kinds, versions, pace: options.pace };
    this.log = new LogOfEachState((read) => this.#reading(({ log }) => read(log)), options.pace);
    this.notes = {
      read: async (name) => (isStorable(name) ? this.#onRows((rows) => rows.note(name)) : undefined),
      namesFrom: async (beginning) => (isStorable(beginning) ? this.#onRows((rows) => rows.noteNames(beginning)) : []),
      write: (name, text) => this.#queue.run((group) => this.#steps.putNote(group, name, text)),
      revise: (name, write, fence) => this.#queue.run((group) => this.#steps.revise(group, name, write, fence)),
      announce: (name, write) => this.#queue.run((group) => this.#steps.announce(group, name, write)),
      announced: () => this.#announced,
      watch: (told) => watchedBy(this.#noteWatchers, told),
    };
    const { maxGroupMs = MAX_GROUP_MS } = options;
    this.#queue = new WriteQueue({
      begin: () => this.#beginGroup(),
      isFull: ({ count, beganMs, isBound }) =>
        isBound || count >= MAX_GROUP || performance.now() - beganMs > maxGroupMs,
      finish: (group) => this.#finishGroup(group),
      // What is the matter with the database itself is a problem that clients are told of.
      isOfOneJob: ({ isBound }, error) => !isBound && !(error instanceof Problem),
    });
    this.#drafts = new Drafts({
      ...options,
      kinds,
      prepareRead: () => rows.prepareRead(),
      snapshot: () => rows.snapshot(),
      refresh: () => rows.refresh(),
      inTurn: (job) => this.#queue.run(job),
      mayRefuse: (record, parts) => rows.mayRefuse?.(record, parts) ?? false,
      keep: async (group, author, drafted, work, { isKept, beforeCommit, reply, note }) =>
        (await this.#steps.write(group, author, work, { isKept, drafted, beforeCommit, reply, note })).change,
    });
    const snapshot = rows.snapshot();
    this.#position = snapshot.position;
    this.#announced = snapshot.announced;
    snapshot.release();
    rows.follow((state) => this.#show(state));
  }

  snapshot(): Snapshot {
    this.#assertOpen();
    return new RememberingSnapshot(this.#rows.snapshot(), this.#found, this.#logRules, () => this.#position);
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    this.#assertOpen();
    const known = this.#found.recall(kind, parent, name);
    return known === undefined ? this.#reading((snapshot) => snapshot.find(kind, parent, name)) : (known ?? undefined);
  }

  get(id: string): Promise<StoredRecord | undefined> {
    return this.#reading((snapshot) => snapshot.get(id));
  }

  list(kind: string, parent: string | null, page?: Page): Promise<readonly StoredRecord[]> {
    return this.#reading((snapshot) => snapshot.list(kind, parent, page));
  }

  listNames(kind: string, parent: string | null, page?: Page): Promise<readonly string[]> {
    return this.#reading((snapshot) => snapshot.listNames(kind, parent, page));
  }

  listKeyValues(kind: string, key: string, range?: ValueRange): Promise<readonly string[]> {
    return this.#reading((snapshot) => snapshot.listKeyValues(kind, key, range));
  }

  findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]> {
    return this.#reading((snapshot) => snapshot.findByKey(kind, key, value, limit));
  }

  children(parent: string, limit: number): Promise<readonly StoredRecord[]> {
    return this.#reading((snapshot) => snapshot.children(parent, limit));
  }

  countChildren(parent: string): Promise<number> {
    return this.#reading((snapshot) => snapshot.countChildren(parent));
  }

  count(kind: string): Promise<number> {
    return this.#reading((snapshot) => snapshot.count(kind));
  }

  listOfKind(kind: string, after: RecordPlace | undefined, limit: number): Promise<readonly StoredRecord[]> {
    return this.#reading((snapshot) => snapshot.listOfKind(kind, after, limit));
  }

  async write<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<Written<T>> {
    const { result, change } = await this.#queue.run((group) =>
      this.#steps.write(group, author, work, { isKept: true }),
    );
    return { result, change };
  }

  async rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<Rehearsed<T>> {
    const { result, items } = await this.#queue.run((group) =>
      this.#steps.write(group, author, work, { isKept: false }),
    );
    return {
      result,
      entry: items.length === 0 ? null : { ...author, items: items.map((item) => masked(item, this.#logRules.kinds)) },
    };
  }

  async draft<T>(work: (draft: Draft) => Promise<DraftEnd<T>>): Promise<Written<T>> {
    this.#assertOpen();
    return this.#drafts.run(work);
  }

  async findReply(who: string, key: string): Promise<KeptReply | undefined> {
    this.#assertOpen();
    return isStorable(who) && isStorable(key) ? this.#onRows((rows) => rows.findReply(who, key)) : undefined;
  }

  async forgetReplies(beforeMs: number, limit: number): Promise<number> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#queue.run((group) => this.#steps.forgetReplies(group, beforeMs, limit));
  }

  async changes(after: number, limit: number): Promise<readonly ChangeEntry[]> {
    const entries = await this.sealedChanges(after, limit);
    return entries.map((entry) => this.#masked(entry));
  }

  async sealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#onRows(async (rows) => this.#withItems(rows, await rows.changes({ after }, limit)));
  }

  async changesOf(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]> {
    this.#assertOpen();
    requireLimit(limit);
    if (!isStorable(id)) return [];
    return this.#onRows(async (rows) => {
      const entries: ChangeEntry[] = [];
      for (const sequence of await rows.entriesOf(id, after, limit)) {
        entries.push(...(await this.#withItems(rows, await rows.changes({ after: sequence - 1 }, 1))));
      }
      return entries.map((entry) => this.#masked(entry));
    });
  }

  async isFileNamed(file: string, sinceMs: number): Promise<boolean> {
    this.#assertOpen();
    // Another node may have committed a change that names it: files are removed by this answer.
    await this.#rows.refresh();
    return isStorable(file) && this.#onRows((rows) => rows.isFileNamed(file, sinceMs));
  }

  async isFileInUse(file: string): Promise<boolean> {
    this.#assertOpen();
    await this.#rows.refresh();
    return isStorable(file) && this.#onRows((rows) => rows.isFileInUse(file));
  }

  async forgetChanges(beforeMs: number, limit: number): Promise<number> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#queue.run((group) => this.#steps.forgetChanges(group, beforeMs, limit));
  }

  refresh(): Promise<void> | undefined {
    return this.#rows.refresh();
  }

  position(): number {
    this.#assertOpen();
    return this.#position;
  }

  watch(told: () => void): () => void {
    return watchedBy(this.#watchers, told);
  }

  pendingWrites(): number {
    return this.#queue.depth;
  }

  isWritable(): boolean {
    return this.#isOpen && this.#rows.isWritable();
  }

  async integrityProblems(): Promise<readonly string[]> {
    this.#assertOpen();
    return this.#rows.integrityProblems();
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

  async #withItems(rows: RowSnapshot, found: readonly ChangeHead[]): Promise<readonly ChangeEntry[]> {
    const log = new RowLogReader(rows, this.#logRules, () => this.#assertOpen());
    const entries: ChangeEntry[] = [];
    for (const entry of found) entries.push(await log.sealed(entry));
    return entries;
  }

  #masked(entry: ChangeEntry): ChangeEntry {
    return { ...entry, items: entry.items.map((item) => masked(item, this.#logRules.kinds)) };
  }

  async #beginGroup(): Promise<WriteGroup> {
    const rows = await this.#rows.begin();
    return { rows, beganMs: performance.now(), count: 0, isBound: false, ...rows.head, touched: [] };
  }

  async #finishGroup(group: WriteGroup): Promise<{ readonly shown: Promise<void> | undefined }> {
    const { shown } = await group.rows.commit();
    // Where others write as well, the rows tell of it.
    const isNew = group.position > this.#position || group.announced > this.#announced;
    if (shown === undefined && isNew) this.#show(group);
    return { shown };
  }

  /** Before anybody gets to see the new state. */
  #show({ position, announced, touched }: ShownState): void {
    if (touched === undefined) this.#found.forgetAll();
    else this.#found.forget(touched);
    const [hasChanged, isAnnounced] = [this.#position !== position, this.#announced !== announced];
    this.#position = position;
    this.#announced = announced;
    if (hasChanged) for (const told of this.#watchers) told();
    // Who reads a note right away finds what was announced.
    if (isAnnounced) {
      queueMicrotask(() => {
        for (const told of this.#noteWatchers) told();
      });
    }
  }

  async #reading<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const preparing = this.#rows.prepareRead();
    if (preparing !== undefined) await preparing;
    const snapshot = this.snapshot();
    try {
      return await read(snapshot);
    } finally {
      snapshot.release();
    }
  }

  async #onRows<T>(read: (rows: RowSnapshot) => Promise<T>): Promise<T> {
    const preparing = this.#rows.prepareRead();
    if (preparing !== undefined) await preparing;
    const rows = this.#rows.snapshot();
    try {
      return await read(rows);
    } finally {
      rows.release();
    }
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw new Error('The storage is closed.');
  }
}

/** Each has a place of its own, also who watches twice. */
function watchedBy(watchers: Set<() => void>, told: () => void): () => void {
  const watcher = () => told();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
