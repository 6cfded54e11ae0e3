/** The catalog: typed reads of records, the only interface for changes, and the session of one request. */
import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../lib/identity/principal.ts';
import type { Page } from '../lib/text/page.ts';
import type {
  ChangeAuthor,
  ChangeEntry,
  LogReader,
  RecordReader,
  Storage,
  StoredRecord,
  ValueRange,
  WriteTransaction,
} from '../storage/port/port.ts';
import type { ExternalTransaction } from './external-transaction.ts';
import { type DraftOf, type RecordBase, type RecordKind, toCatalogRecord, toRecordDraft } from './record.ts';

type AnyRecord = RecordBase & { readonly kind: string };

export interface Blocker {
  readonly kind: string;
  readonly name: string;
}

export interface CatalogReader {
  find<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, name: string): Promise<R | undefined>;
  get<R extends AnyRecord>(kind: RecordKind<R>, id: string): Promise<R | undefined>;
  list<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, page?: Page): Promise<readonly R[]>;
  /** Returns the names of the records that `list` would return, for listings that show only names. */
  listNames<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, page?: Page): Promise<readonly string[]>;
  /** Returns the distinct values of a key in code-point order. */
  listKeyValues<R extends AnyRecord>(kind: RecordKind<R>, key: string, range?: ValueRange): Promise<readonly string[]>;
  findByKey<R extends AnyRecord>(kind: RecordKind<R>, key: string, value: string, limit: number): Promise<readonly R[]>;
  /** Counts the records of a kind under all parents. */
  count(kind: { readonly kind: string }): Promise<number>;
  /** Reads the records of a kind under all parents in batches, because they may exceed memory. Requires a snapshot. */
  readAll<R extends AnyRecord>(kind: RecordKind<R>): AsyncIterable<readonly R[]>;
  /** Returns the first records inside a record, and their total count. */
  listContents(parent: string, limit: number): Promise<{ readonly first: readonly Blocker[]; readonly total: number }>;
}

export interface CatalogTransaction extends CatalogReader {
  /** The number of this change in the log, for files that belong to it. */
  readonly sequence: number;
  insert<R extends AnyRecord>(kind: RecordKind<R>, draft: DraftOf<R>): Promise<R>;
  /** Writes the record if it differs from the stored one. An update without a difference adds nothing to the log. */
  update<R extends AnyRecord>(kind: RecordKind<R>, record: R): Promise<R>;
  /** Deletes a record and everything in it. */
  removeDeep(id: string): Promise<void>;
  /** Access to stored records of any kind, for restoring them. */
  readonly stored: WriteTransaction;
}

export interface Catalog extends CatalogReader {
  /** The number of the last change that reads include. While it is unchanged, so are the results of reads. */
  position(): number;
  /** Makes reads include every change committed before this call; undefined if there are no other writers. */
  refresh(): Promise<void> | undefined;
  /** Runs the work in one atomic change. The work must wait for nothing but the storage. */
  change<T>(
    principal: Principal,
    what: string,
    work: (transaction: CatalogTransaction) => Promise<T>,
    /** The number of the change that it undoes. */
    undoes?: number,
  ): Promise<T>;
  /** Runs the work like a change and rolls everything back. */
  rehearse<T>(principal: Principal, what: string, work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
  /** The current change log. Reads include its entries up to `position` only. */
  readonly log: LogReader;
  /** Returns log entries after a number with sealed secrets, for restoring records. */
  listSealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Returns the log entries of a record after a number, oldest first, up to `limit`. */
  listRecordChanges(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Returns whether a record refers to these bytes or this file set. The change log is ignored. */
  isFileInUse(file: string): Promise<boolean>;
  /** Whether changes are discarded. Effects outside the catalog must be skipped then. */
  readonly isDryRun: boolean;
  /**
   * Runs an irreversible effect outside the catalog once the changes so far are committed. Returns undefined in a dry
   * run, and in a buffered transaction, which runs the effect after its commit.
   */
  afterCommit<T>(effect: () => Promise<T>): Promise<T | undefined>;
  /** In a buffered transaction only: the records of `readAll` that it has written. */
  readonly everyWritten?: CatalogReader['readAll'];
  /** In a buffered transaction only: commits another database right before this transaction. */
  readonly joinExternal?: (outside: ExternalTransaction) => void;
}

/** The size and the identity of a state. */
export type CatalogSize = Pick<Catalog, 'count' | 'position'>;

export function openCatalog(storage: Storage): Catalog {
  return createCatalog(storage, storage, {
    isDryRun: false,
    run: async (author, work) => (await storage.write(author, work)).result,
  });
}

type ListOfKind = RecordReader['listOfKind'];

/** Runs the work of a change. */
export interface ChangeRunner {
  readonly isDryRun: boolean;
  run<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** Replaces the rehearsal of the storage. */
  readonly rehearse?: ChangeRunner['run'];
  /** Present if changes are committed later than they are made. */
  readonly later?: {
    afterCommit(effect: () => Promise<unknown>): void;
    join(outside: ExternalTransaction): void;
    /** Called when the log is read. */
    noteLogRead(): void;
    readonly listWritten: ListOfKind;
  };
}

/**
 * Creates a catalog that reads through `reader`, which includes the changes up to `position`, and writes through
 * `runner`.
 */
export function createCatalog(
  storage: Storage,
  reader: RecordReader,
  runner: ChangeRunner,
  position: () => number = () => storage.position(),
): Catalog {
  const toChangeAuthor = ({ name, via }: Principal, what: string): ChangeAuthor => ({
    who: name,
    what: toStorableText(what),
    ...(via === undefined ? {} : { via }),
  });
  const { isDryRun, later } = runner;
  const rehearse: ChangeRunner['run'] =
    runner.rehearse ?? (async (who, work) => (await storage.rehearse(who, work)).result);
  const read = createCatalogReader(reader);
  // Each request creates this object. Properties after a spread are added one by one, which is slow.
  const catalog: Catalog = {
    find: read.find,
    get: read.get,
    list: read.list,
    listNames: read.listNames,
    listKeyValues: read.listKeyValues,
    findByKey: read.findByKey,
    count: read.count,
    readAll: read.readAll,
    listContents: read.listContents,
    log: storage.log,
    position() {
      later?.noteLogRead();
      return position();
    },
    refresh: () => storage.refresh(),
    isDryRun,
    async afterCommit(effect) {
      if (isDryRun) return undefined;
      if (later === undefined) return effect();
      later.afterCommit(effect);
      return undefined;
    },
    listSealedChanges(after, limit) {
      later?.noteLogRead();
      return storage.listSealedChanges(after, limit);
    },
    listRecordChanges: (id, after, limit) => storage.listRecordChanges(id, after, limit),
    isFileInUse: (file) => storage.isFileInUse(file),
    change: (principal, what, work, undoes) =>
      runner.run({ ...toChangeAuthor(principal, what), ...(undoes === undefined ? {} : { undoes }) }, (transaction) =>
        work(createCatalogTransaction(transaction)),
      ),
    rehearse: (principal, what, work) =>
      rehearse(toChangeAuthor(principal, what), (transaction) => work(createCatalogTransaction(transaction))),
  };
  return later === undefined ? catalog : createBufferedCatalog(catalog, later);
}

/** Separate from `createCatalog`, which runs for each request: a getter would make that slow. */
function createBufferedCatalog(catalog: Catalog, later: NonNullable<ChangeRunner['later']>): Catalog {
  const { log } = catalog;
  const everyWritten: CatalogReader['readAll'] = (kind) => readRecordsOfKind(kind, later.listWritten);
  return Object.defineProperty({ ...catalog, joinExternal: later.join, everyWritten }, 'log', {
    get() {
      later.noteLogRead();
      return log;
    },
  });
}

/** The description of a change contains names as clients send them, even of resources that do not exist. */
function toStorableText(what: string): string {
  return what.toWellFormed().replaceAll('\0', '\ufffd');
}

/** This many records are read within two milliseconds. */
const RECORDS_AT_ONCE = 500;

function createCatalogReader(reader: RecordReader): CatalogReader {
  return {
    async find(kind, parent, name) {
      const stored = await reader.find(kind.kind, parent, name);
      return stored && toSharedRecord(kind, stored);
    },
    async get(kind, id) {
      const stored = await reader.get(id);
      return stored && toCatalogRecord(kind, stored);
    },
    async list(kind, parent, page) {
      const stored = await reader.list(kind.kind, parent, page);
      return stored.map((each) => toCatalogRecord(kind, each));
    },
    listNames: (kind, parent, page) => reader.listNames(kind.kind, parent, page),
    listKeyValues: (kind, key, range) => reader.listKeyValues(kind.kind, key, range),
    async findByKey(kind, key, value, limit) {
      const stored = await reader.findByKey(kind.kind, key, value, limit);
      return stored.map((each) => toCatalogRecord(kind, each));
    },
    count: ({ kind }) => reader.count(kind),
    readAll: (kind) => readRecordsOfKind(kind, (...args) => reader.listOfKind(...args)),
    async listContents(parent, limit) {
      const [first, total] = await Promise.all([reader.listChildren(parent, limit), reader.countChildren(parent)]);
      return { first: first.map(({ kind, name }) => ({ kind, name })), total };
    },
  };
}

/** Records of stored records that the storage caches. */
const sharedRecords = new WeakMap<StoredRecord, object>();

/**
 * Returns the same record for the same stored record, which the storage caches, so that derived values can be cached
 * too.
 */
function toSharedRecord<R extends AnyRecord>(kind: RecordKind<R>, stored: StoredRecord): R {
  const known = sharedRecords.get(stored);
  if (known !== undefined && stored.kind === kind.kind) {
    return known as R;
  }
  const record = toCatalogRecord(kind, stored);
  sharedRecords.set(stored, record);
  return record;
}

async function* readRecordsOfKind<R extends AnyRecord>(
  kind: RecordKind<R>,
  list: ListOfKind,
): AsyncGenerator<readonly R[]> {
  let piece: readonly StoredRecord[];
  let last: StoredRecord | undefined;
  do {
    piece = await list(kind.kind, last, RECORDS_AT_ONCE);
    last = piece.at(-1);
    yield piece.map((each) => toCatalogRecord(kind, each));
  } while (piece.length === RECORDS_AT_ONCE);
}

/** The number of records that a deep deletion reads at a time, so that it never loads a whole catalog into memory. */
const REMOVAL_BATCH = 500;

function createCatalogTransaction(transaction: WriteTransaction): CatalogTransaction {
  const reader = createCatalogReader(transaction);

  async function removeDeep(id: string): Promise<void> {
    for (;;) {
      const children = await transaction.listChildren(id, REMOVAL_BATCH);
      if (children.length === 0) {
        break;
      }
      for (const child of children) {
        await removeDeep(child.id);
      }
    }
    await transaction.remove(id);
  }

  return {
    ...reader,
    sequence: transaction.sequence,
    stored: transaction,
    removeDeep,
    async insert(kind, draft) {
      return toCatalogRecord(kind, await transaction.insert(toRecordDraft(kind, draft)));
    },
    async update(kind, record) {
      const current = await transaction.get(record.id);
      const draft = toRecordDraft(kind, record);
      if (
        current !== undefined &&
        current.parent === draft.parent &&
        current.name === draft.name &&
        isDeepStrictEqual(current.body, draft.body)
      ) {
        return toCatalogRecord(kind, current);
      }
      return toCatalogRecord(kind, await transaction.update(record.id, draft));
    },
  };
}

/** A dry run executes the same steps as a write and discards the result. */
export type SessionKind = 'read' | 'write' | 'dry run';

/** A change that was made, or that a dry run would have made. */
export type SessionChange = Omit<ChangeEntry, 'sequence' | 'atMs'> & {
  /** Null for a dry run. */
  readonly sequence: number | null;
  readonly atMs: number | null;
};

export interface CatalogSession {
  readonly catalog: Catalog;
  /** The number of a change that is at least as recent as everything it reads. */
  position(): number;
  /** The number of the change that this session made; null if it made none. */
  getChangeNumber(): number | null;
  /**
   * The change that was made or tried, without items if nothing changes. Undefined if the session has not reached a
   * change.
   */
  readChange(): Promise<SessionChange | undefined>;
  close(): void;
}

export function openCatalogSession(storage: Storage, kind: SessionKind): CatalogSession {
  switch (kind) {
    case 'read':
      return openReadSession(storage);
    case 'write':
      return openWriteSession(storage);
    case 'dry run':
      return openDryRunSession(storage);
  }
}

/** A change that a read triggers itself (disabling an unreachable store) is written normally. */
function openReadSession(storage: Storage): CatalogSession {
  const snapshot = storage.snapshot();
  return {
    catalog: createCatalog(
      storage,
      snapshot,
      { isDryRun: false, run: async (author, work) => (await storage.write(author, work)).result },
      () => snapshot.position,
    ),
    position: () => snapshot.position,
    getChangeNumber: () => null,
    readChange: async () => undefined,
    close: () => snapshot.release(),
  };
}

function openWriteSession(storage: Storage): CatalogSession {
  const position = () => storage.position();
  let made: number | null = null;
  let last: SessionChange | undefined;
  return {
    catalog: createCatalog(storage, storage, {
      isDryRun: false,
      async run(author, work) {
        const { result, change } = await storage.write(author, work);
        made = change ?? made;
        last = { ...author, sequence: null, atMs: null, items: [] };
        return result;
      },
    }),
    position,
    getChangeNumber: () => made,
    readChange: async () => (made === null ? last : (await storage.listChanges(made - 1, 1))[0]),
    close: () => undefined,
  };
}

function openDryRunSession(storage: Storage): CatalogSession {
  const position = () => storage.position();
  let tried: SessionChange | undefined;
  return {
    catalog: createCatalog(storage, storage, {
      isDryRun: true,
      async run(author, work) {
        const { result, entry } = await storage.rehearse(author, work);
        tried = { ...author, ...entry, items: entry?.items ?? [], sequence: null, atMs: null };
        return result;
      },
    }),
    position,
    getChangeNumber: () => null,
    readChange: async () => tried,
    close: () => undefined,
  };
}
