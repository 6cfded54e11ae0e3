/** The catalog as one request works with it: reads show one state, and what it changes is noted, or only tried. */
import { isDeepStrictEqual } from 'node:util';
import type { BufferedTransaction, ChangeAuthor, ChangeEntry, ChangeItem, Storage } from '../storage/port/port.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** A dry run does all that a write does, and keeps nothing of it. */
export type SessionKind = 'read' | 'write' | 'dry run';

/** A change that was made, or that would have been made by a dry run. */
export type SessionChange = Omit<ChangeEntry, 'sequence' | 'atMs'> & {
  /** Null for a dry run. */
  readonly sequence: number | null;
  readonly atMs: number | null;
};

export interface CatalogSession {
  readonly catalog: Catalog;
  /** The number of a change that is at least that of all it shows. */
  position(): number;
  /** The number of the change it made; null if it made none. */
  getChangeNumber(): number | null;
  /** The change it made or tried, without items if nothing was or would be changed; undefined if it did not get so far. */
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

/** What is done in a draft, whose changes are kept together in the end. */
export interface BufferedCatalog {
  readonly catalog: Catalog;
  /** What all changes come to so far, or those since there were these items; undefined if there was none. */
  readChange(since?: readonly ChangeItem[]): SessionChange | undefined;
  listItems(): readonly ChangeItem[];
  /** Who made them, and what they did, if they made any. */
  findAuthor(): ChangeAuthor | undefined;
}

/** `scope` is where effects wait until the draft is kept. */
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
      listWritten: (...asked: Parameters<BufferedTransaction['listWritten']>) => draft.listWritten(...asked),
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

/** What has become of records since; those that are as they were then are left out. */
function computeItemsSince(since: readonly ChangeItem[], now: readonly ChangeItem[]): readonly ChangeItem[] {
  if (since.length === 0) return now;
  const former = new Map(since.map((item) => [item.id, item]));
  const later = now.flatMap((item) => {
    const was = former.get(item.id);
    if (was === undefined) return [item];
    return isDeepStrictEqual(was.after, item.after) ? [] : [{ ...item, before: was.after }];
  });
  const present = new Set(now.map(({ id }) => id));
  // What is as it was before all of it has no item any more.
  const undone = since
    .filter(({ id }) => !present.has(id))
    .map((item) => ({ ...item, before: item.after, after: item.before }));
  return [...later, ...undone];
}

/** What a read sets off by itself (a store that cannot be reached is switched off) is written as ever. */
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
