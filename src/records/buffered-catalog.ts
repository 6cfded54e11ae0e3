/** The catalog of a buffered transaction, whose changes are committed together. */
import { isDeepStrictEqual } from 'node:util';
import type { BufferedTransaction, ChangeAuthor, ChangeItem, Storage } from '../storage/port/port.ts';
import { type Catalog, createCatalog, type SessionChange } from './catalog.ts';
import type { TransactionScope } from './transaction-scope.ts';

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
