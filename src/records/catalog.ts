/** The catalog: typed reads of records, and the one way to change anything. */
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
import {
  type DraftOf,
  type RecordBase,
  type RecordKind,
  toCatalogRecord,
  toRecordDraft,
  toSharedRecord,
} from './record.ts';

type AnyRecord = RecordBase & { readonly kind: string };

export interface Blocker {
  readonly kind: string;
  readonly name: string;
}

export interface CatalogReader {
  find<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, name: string): Promise<R | undefined>;
  get<R extends AnyRecord>(kind: RecordKind<R>, id: string): Promise<R | undefined>;
  list<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, page?: Page): Promise<readonly R[]>;
  /** The names of what `list` would give: for listings, which show no more. */
  listNames<R extends AnyRecord>(kind: RecordKind<R>, parent: string | null, page?: Page): Promise<readonly string[]>;
  /** The values that records carry under a key, each once, in code-point order. */
  listKeyValues<R extends AnyRecord>(kind: RecordKind<R>, key: string, range?: ValueRange): Promise<readonly string[]>;
  findByKey<R extends AnyRecord>(kind: RecordKind<R>, key: string, value: string, limit: number): Promise<readonly R[]>;
  /** How many records of a kind there are, wherever they live. */
  count(kind: { readonly kind: string }): Promise<number>;
  /** The records of a kind wherever they live, in pieces: there may be more than fit into memory. They must be of one state. */
  readAll<R extends AnyRecord>(kind: RecordKind<R>): AsyncIterable<readonly R[]>;
  /** What lives in a record: the first few, and how many there are. */
  listContents(parent: string, limit: number): Promise<{ readonly first: readonly Blocker[]; readonly total: number }>;
}

export interface CatalogTransaction extends CatalogReader {
  /** The number that this change will have in the log; for files that belong to it. */
  readonly sequence: number;
  insert<R extends AnyRecord>(kind: RecordKind<R>, draft: DraftOf<R>): Promise<R>;
  /** Writes the record if it differs from what is stored: a change that changes nothing leaves no trace. */
  update<R extends AnyRecord>(kind: RecordKind<R>, record: R): Promise<R>;
  /** Removes a record and everything that lives in it. */
  removeDeep(id: string): Promise<void>;
  /** The records as they are stored, whatever their kind: for whoever puts them back. */
  readonly stored: WriteTransaction;
}

export interface Catalog extends CatalogReader {
  /** The number of the last change that reads show: while it stays the same, so does all that was read. */
  position(): number;
  /** From now on reads show what others had changed when it was called; undefined where nobody else writes. */
  refresh(): Promise<void> | undefined;
  /** Runs the work in one change: all of it is kept, or nothing; nothing inside waits for anything but the storage. */
  change<T>(
    principal: Principal,
    what: string,
    work: (transaction: CatalogTransaction) => Promise<T>,
    /** The number of the change that it takes back. */
    undoes?: number,
  ): Promise<T>;
  /** Runs the work as a change would, and takes everything back. */
  rehearse<T>(principal: Principal, what: string, work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
  /** The log of changes, as it is when it is asked: reads may show less of it, up to `position`. */
  readonly log: LogReader;
  /** Entries of the log after a number with secrets as they are kept, sealed: for whoever puts records back. */
  listSealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** What the log of changes tells of a record, oldest first: the entries after a number, as many as `limit`. */
  listRecordChanges(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Whether a record names these bytes, or this set of files, whatever the log tells. */
  isFileInUse(file: string): Promise<boolean>;
  /** Whether changes are only tried: then nothing may be kept elsewhere either. */
  readonly isDryRun: boolean;
  /**
   * Does something outside of the catalog that cannot be taken back, now that the changes so far are certain. Undefined
   * where it is not done: they are only tried, or will be certain later, and it is done then.
   */
  afterCommit<T>(effect: () => Promise<T>): Promise<T | undefined>;
  /** Only where changes are certain later: those of `everyOf` that they have written. */
  readonly everyWritten?: CatalogReader['readAll'];
  /** Has another database committed right before the changes so far are certain; only where that is later. */
  readonly joinExternal?: (outside: ExternalTransaction) => void;
}

/** How large a state is, and which one it is. */
export type CatalogSize = Pick<Catalog, 'count' | 'position'>;

export function openCatalog(storage: Storage): Catalog {
  return createCatalog(storage, storage, {
    isDryRun: false,
    run: async (author, work) => (await storage.write(author, work)).result,
  });
}

type ListOfKind = RecordReader['listOfKind'];

/** How the work of a change is carried out. */
export interface ChangeRunner {
  readonly isDryRun: boolean;
  run<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** Where that is not done by the storage. */
  readonly rehearse?: ChangeRunner['run'];
  /** Where changes are certain later than they are made. */
  readonly later?: {
    afterCommit(effect: () => Promise<unknown>): void;
    join(outside: ExternalTransaction): void;
    /** Told that the log is read. */
    noteLogRead(): void;
    readonly listWritten: ListOfKind;
  };
}

/** A catalog that reads through `reader`, which shows the changes up to `position`, and changes through `runner`. */
export function createCatalog(
  storage: Storage,
  reader: RecordReader,
  runner: ChangeRunner,
  position: () => number = () => storage.position(),
): Catalog {
  const toChangeAuthor = (principal: Principal, what: string) => ({ who: principal.name, what: toStorableText(what) });
  const { isDryRun, later } = runner;
  const rehearse: ChangeRunner['run'] =
    runner.rehearse ?? (async (who, work) => (await storage.rehearse(who, work)).result);
  const read = createCatalogReader(reader);
  // Each request makes one: what stands behind something that is spread is added to an object one by one, which takes long.
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

/** Apart from the others, of which each request makes one: a property that is worked out would make that slow. */
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

/** What a change is called holds names as clients send them, also those of things that are not there. */
function toStorableText(what: string): string {
  return what.toWellFormed().replaceAll('\0', '\ufffd');
}

/** So few are read within a millisecond or two. */
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
    readAll: (kind) => readRecordsOfKind(kind, (...asked) => reader.listOfKind(...asked)),
    async listContents(parent, limit) {
      const [first, total] = await Promise.all([reader.listChildren(parent, limit), reader.countChildren(parent)]);
      return { first: first.map(({ kind, name }) => ({ kind, name })), total };
    },
  };
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

/** How many records a deep removal takes at a time, so that it never holds a whole catalog in memory. */
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
