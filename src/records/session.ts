/** The catalog as one request works with it: reads show one state, and what it changes is noted, or only tried. */
import { isDeepStrictEqual } from 'node:util';
import type { ChangeAuthor, ChangeEntry, ChangeItem, Draft, Storage } from '../storage/port.ts';
import { type Catalog, catalogOver } from './catalog.ts';
import type { DraftScope } from './draft-scope.ts';

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
  changeNumber(): number | null;
  /** The change it made or tried, without items if nothing was or would be changed; undefined if it did not get so far. */
  change(): Promise<SessionChange | undefined>;
  close(): void;
}

export function openCatalogSession(storage: Storage, kind: SessionKind): CatalogSession {
  switch (kind) {
    case 'read':
      return openReading(storage);
    case 'write':
      return openWriting(storage);
    case 'dry run':
      return openRehearsal(storage);
  }
}

/** What is done in a draft, whose changes are kept together in the end. */
export interface DraftCatalog {
  readonly catalog: Catalog;
  /** What all changes come to so far, or those since there were these items; undefined if there was none. */
  change(since?: readonly ChangeItem[]): SessionChange | undefined;
  items(): readonly ChangeItem[];
  /** Who made them, and what they did, if they made any. */
  author(): ChangeAuthor | undefined;
}

/** `scope` is where effects wait until the draft is kept. */
export function openDraftCatalog(
  storage: Storage,
  draft: Draft,
  scope: DraftScope,
  { isDryRun }: { readonly isDryRun: boolean },
): DraftCatalog {
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
      whenKept: scope.whenKept,
      join: scope.join,
      noteLogRead: () => draft.noteLogRead(),
      listWritten: (...asked: Parameters<Draft['listWritten']>) => draft.listWritten(...asked),
    },
  };
  return {
    catalog: catalogOver(storage, draft, runner, () => draft.position),
    change: (since = []) => last && { ...last, items: itemsSince(since, draft.items()), sequence: null, atMs: null },
    items: () => draft.items(),
    author: () => last,
  };
}

/** What has become of records since; those that are as they were then are left out. */
function itemsSince(since: readonly ChangeItem[], now: readonly ChangeItem[]): readonly ChangeItem[] {
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
function openReading(storage: Storage): CatalogSession {
  const snapshot = storage.snapshot();
  return {
    catalog: catalogOver(
      storage,
      snapshot,
      { isDryRun: false, run: async (author, work) => (await storage.write(author, work)).result },
      () => snapshot.position,
    ),
    position: () => snapshot.position,
    changeNumber: () => null,
    change: async () => undefined,
    close: () => snapshot.release(),
  };
}

function openWriting(storage: Storage): CatalogSession {
  const position = () => storage.position();
  let made: number | null = null;
  let last: SessionChange | undefined;
  return {
    catalog: catalogOver(storage, storage, {
      isDryRun: false,
      async run(author, work) {
        const { result, change } = await storage.write(author, work);
        made = change ?? made;
        last = { ...author, sequence: null, atMs: null, items: [] };
        return result;
      },
    }),
    position,
    changeNumber: () => made,
    change: async () => (made === null ? last : (await storage.changes(made - 1, 1))[0]),
    close: () => undefined,
  };
}

function openRehearsal(storage: Storage): CatalogSession {
  const position = () => storage.position();
  let tried: SessionChange | undefined;
  return {
    catalog: catalogOver(storage, storage, {
      isDryRun: true,
      async run(author, work) {
        const { result, entry } = await storage.rehearse(author, work);
        tried = { ...author, ...entry, items: entry?.items ?? [], sequence: null, atMs: null };
        return result;
      },
    }),
    position,
    changeNumber: () => null,
    change: async () => tried,
    close: () => undefined,
  };
}
