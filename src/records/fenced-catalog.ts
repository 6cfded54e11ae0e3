/** The catalog for work under a lock: changes fail once another node has taken the lock. */
import type { HeldLock } from '../lib/async/keyed-mutex.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';

type Work<T> = (transaction: CatalogTransaction) => Promise<T>;

export function createFencedCatalog(catalog: Catalog, turn: HeldLock): Catalog {
  async function runFenced<T>(change: (guarded: (work: Work<T>) => Work<T>) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    // What is only tried, or kept later than the turn ends, has no commit that could be guarded.
    const isCommitted = !catalog.isDryRun && catalog.joinExternal === undefined;
    const fence = isCommitted ? await turn.fence() : undefined;
    return change((work) => async (transaction) => {
      // In the same transaction: the lock cannot be taken between this check and the commit.
      if (fence !== undefined) await transaction.stored.requireHeld(fence);
      return work(transaction);
    });
  }

  // Not copied: some properties of the catalog of a draft note that they were read.
  return Object.assign(Object.create(catalog) as Catalog, {
    change: <T>(...[principal, what, work, undoes]: Parameters<typeof catalog.change<T>>) =>
      runFenced<T>((guarded) => catalog.change(principal, what, guarded(work), undoes)),
    rehearse: <T>(...[principal, what, work]: Parameters<typeof catalog.rehearse<T>>) =>
      runFenced<T>((guarded) => catalog.rehearse(principal, what, guarded(work))),
  });
}
