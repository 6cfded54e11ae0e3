/** The catalog of one request: reads use one snapshot, and changes are recorded or, in a dry run, discarded. */
import { isDeepStrictEqual } from 'node:util';
import type { BufferedTransaction, ChangeAuthor, ChangeEntry, ChangeItem, Storage } from '../storage/port/port.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import type { TransactionScope } from './transaction-scope.ts';

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

/** The catalog of a buffered transaction, whose changes are committed together. */
export interface BufferedCatalog {
  readonly catalog: Catalog;
  /** Returns all changes so far, or those since the given items; undefined if there are none. */
  readChange(since?: readonly ChangeItem[]): SessionChange | undefined;
  listItems(): readonly ChangeItem[];
  /** Returns the author and the description of the changes, if there are any. */
  findAuthor(): ChangeAuthor | undefined;
}

/** `scope` collects effects that run after the commit. */
export function openBufferedCatalog(
  storage: Storage,
  draft: BufferedTransaction,
  scope: TransactionScope,
  { isDryRun }: { readonly isDryRun: boolean },
): BufferedCatalog {
  let last: ChangeAuthor | undefined;
  const runner = {
    isDryRun,
    async run<T>(author: ChangeAuthor, work: Parameters<typeof draft.change<T>>[1]) {
      const { result } = await draft.change(author, work);
      last = author;
      return result;
    },
    rehearse: draft.rehearse.bind(draft),
    later: {
      afterCommit: scope.afterCommit,
      join: scope.join,
      noteLogRead: () => draft.noteLogRead(),
      listWritten: (...args: Parameters<BufferedTransaction['listWritten']>) => draft.listWritten(...args),
    },
  };
  return {
    catalog: createCatalog(storage, draft, runner, () => draft.position),
    readChange: (since = []) =>
      last && { ...last, items: computeItemsSince(since, draft.listItems()), sequence: null, atMs: null },
    listItems: () => draft.listItems(),
    findAuthor: () => last,
  };
}

/** Returns the items that changed since the given ones. Records with an unchanged state are omitted. */
function computeItemsSince(since: readonly ChangeItem[], now: readonly ChangeItem[]): readonly ChangeItem[] {
  if (since.length === 0) return now;
  const former = new Map(since.map((item) => [item.id, item]));
  const later = now.flatMap((item) => {
    const was = former.get(item.id);
    if (was === undefined) return [item];
    return isDeepStrictEqual(was.after, item.after) ? [] : [{ ...item, before: was.after }];
  });
  const present = new Set(now.map(({ id }) => id));
  // A record that is back in its original state has no item any more.
  const undone = since
    .filter(({ id }) => !present.has(id))
    .map((item) => ({ ...item, before: item.after, after: item.before }));
  return [...later, ...undone];
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
