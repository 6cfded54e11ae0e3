/** The catalog: typed reads of records, and the one way to change anything. */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../lib/page.ts';
import type { Principal } from '../lib/principal.ts';
import type {
  ChangeAuthor,
  ChangeEntry,
  LogReader,
  RecordReader,
  Storage,
  StoredRecord,
  ValueRange,
  WriteTransaction,
} from '../storage/port.ts';
import type { OutsideWork } from './outside-work.ts';
import { type DraftOf, type RecordBase, type RecordKind, recordFrom, sharedRecordFrom, storedFrom } from './record.ts';

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
  everyOf<R extends AnyRecord>(kind: RecordKind<R>): AsyncIterable<readonly R[]>;
  /** What lives in a record: the first few, and how many there are. */
  contents(parent: string, limit: number): Promise<{ readonly first: readonly Blocker[]; readonly total: number }>;
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
  sealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** What the log of changes tells of a record, oldest first: the entries after a number, as many as `limit`. */
  changesOf(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Whether a record names these bytes, or this set of files, whatever the log tells. */
  isFileInUse(file: string): Promise<boolean>;
  /** Whether changes are only tried: then nothing may be kept elsewhere either. */
  readonly isDryRun: boolean;
  /**
   * Does something outside of the catalog that cannot be taken back, now that the changes so far are certain. Undefined
   * where it is not done: they are only tried, or will be certain later, and it is done then.
   */
  whenKept<T>(effect: () => Promise<T>): Promise<T | undefined>;
  /** Only where changes are certain later: those of `everyOf` that they have written. */
  readonly everyWritten?: CatalogReader['everyOf'];
  /** Has another database committed right before the changes so far are certain; only where that is later. */
  readonly joinOutside?: (outside: OutsideWork) => void;
}

/** How large a state is, and which one it is. */
export type CatalogSize = Pick<Catalog, 'count' | 'position'>;

export function openCatalog(storage: Storage): Catalog {
  return catalogOver(storage, storage, {
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
    whenKept(effect: () => Promise<unknown>): void;
    join(outside: OutsideWork): void;
    /** Told that the log is read. */
    noteLogRead(): void;
    readonly listWritten: ListOfKind;
  };
}

/** A catalog that reads through `reader`, which shows the changes up to `position`, and changes through `runner`. */
export function catalogOver(
  storage: Storage,
  reader: RecordReader,
  runner: ChangeRunner,
  position: () => number = () => storage.position(),
): Catalog {
  const author = (principal: Principal, what: string) => ({ who: principal.name, what: storable(what) });
  const { isDryRun, later } = runner;
  const rehearse: ChangeRunner['run'] =
    runner.rehearse ?? (async (who, work) => (await storage.rehearse(who, work)).result);
  const read = readerOver(reader);
  // Each request makes one: what stands behind something that is spread is added to an object one by one, which takes long.
  const catalog: Catalog = {
    find: read.find,
    get: read.get,
    list: read.list,
    listNames: read.listNames,
    listKeyValues: read.listKeyValues,
    findByKey: read.findByKey,
    count: read.count,
    everyOf: read.everyOf,
    contents: read.contents,
    log: storage.log,
    position() {
      later?.noteLogRead();
      return position();
    },
    refresh: () => storage.refresh(),
    isDryRun,
    async whenKept(effect) {
      if (isDryRun) return undefined;
      if (later === undefined) return effect();
      later.whenKept(effect);
      return undefined;
    },
    sealedChanges(after, limit) {
      later?.noteLogRead();
      return storage.sealedChanges(after, limit);
    },
    changesOf: (id, after, limit) => storage.changesOf(id, after, limit),
    isFileInUse: (file) => storage.isFileInUse(file),
    change: (principal, what, work, undoes) =>
      runner.run({ ...author(principal, what), ...(undoes === undefined ? {} : { undoes }) }, (transaction) =>
        work(transactionOver(transaction)),
      ),
    rehearse: (principal, what, work) =>
      rehearse(author(principal, what), (transaction) => work(transactionOver(transaction))),
  };
  return later === undefined ? catalog : draftedCatalog(catalog, later);
}

/** Apart from the others, of which each request makes one: a property that is worked out would make that slow. */
function draftedCatalog(catalog: Catalog, later: NonNullable<ChangeRunner['later']>): Catalog {
  const { log } = catalog;
  const everyWritten: CatalogReader['everyOf'] = (kind) => recordsOf(kind, later.listWritten);
  return Object.defineProperty({ ...catalog, joinOutside: later.join, everyWritten }, 'log', {
    get() {
      later.noteLogRead();
      return log;
    },
  });
}

/** What a change is called holds names as clients send them, also those of things that are not there. */
function storable(what: string): string {
  return what.toWellFormed().replaceAll('\0', '\ufffd');
}

/** So few are read within a millisecond or two. */
const RECORDS_AT_ONCE = 500;

function readerOver(reader: RecordReader): CatalogReader {
  return {
    async find(kind, parent, name) {
      const stored = await reader.find(kind.kind, parent, name);
      return stored && sharedRecordFrom(kind, stored);
    },
    async get(kind, id) {
      const stored = await reader.get(id);
      return stored && recordFrom(kind, stored);
    },
    async list(kind, parent, page) {
      const stored = await reader.list(kind.kind, parent, page);
      return stored.map((each) => recordFrom(kind, each));
    },
    listNames: (kind, parent, page) => reader.listNames(kind.kind, parent, page),
    listKeyValues: (kind, key, range) => reader.listKeyValues(kind.kind, key, range),
    async findByKey(kind, key, value, limit) {
      const stored = await reader.findByKey(kind.kind, key, value, limit);
      return stored.map((each) => recordFrom(kind, each));
    },
    count: ({ kind }) => reader.count(kind),
    everyOf: (kind) => recordsOf(kind, (...asked) => reader.listOfKind(...asked)),
    async contents(parent, limit) {
      const [first, total] = await Promise.all([reader.children(parent, limit), reader.countChildren(parent)]);
      return { first: first.map(({ kind, name }) => ({ kind, name })), total };
    },
  };
}

async function* recordsOf<R extends AnyRecord>(kind: RecordKind<R>, list: ListOfKind): AsyncGenerator<readonly R[]> {
  let piece: readonly StoredRecord[];
  let last: StoredRecord | undefined;
  do {
    piece = await list(kind.kind, last, RECORDS_AT_ONCE);
    last = piece.at(-1);
    yield piece.map((each) => recordFrom(kind, each));
  } while (piece.length === RECORDS_AT_ONCE);
}

/** How many records a deep removal takes at a time, so that it never holds a whole catalog in memory. */
const REMOVAL_BATCH = 500;

function transactionOver(transaction: WriteTransaction): CatalogTransaction {
  const reader = readerOver(transaction);

  async function removeDeep(id: string): Promise<void> {
    for (;;) {
      const children = await transaction.children(id, REMOVAL_BATCH);
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
      return recordFrom(kind, await transaction.insert(storedFrom(kind, draft)));
    },
    async update(kind, record) {
      const current = await transaction.get(record.id);
      const draft = storedFrom(kind, record);
      if (
        current !== undefined &&
        current.parent === draft.parent &&
        current.name === draft.name &&
        isDeepStrictEqual(current.body, draft.body)
      ) {
        return recordFrom(kind, current);
      }
      return recordFrom(kind, await transaction.update(record.id, draft));
    },
  };
}
