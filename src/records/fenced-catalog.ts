/** The catalog for work under a lock: changes fail once another node has taken over the lock. */
import type { HeldLock } from '../lib/async/keyed-mutex.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';

type Work<T> = (transaction: CatalogTransaction) => Promise<T>;

export function createFencedCatalog(catalog: Catalog, turn: HeldLock): Catalog {
  async function runFenced<T>(change: (guarded: (work: Work<T>) => Work<T>) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    // A dry run or a buffered transaction has no commit here that a fence could guard.
    const isCommitted = !catalog.isDryRun && catalog.joinExternal === undefined;
    const fence = isCommitted ? await turn.fence() : undefined;
    return change((work) => async (transaction) => {
      // Check in the same transaction: the lock cannot be lost between this check and the commit.
      if (fence !== undefined) await transaction.stored.requireHeld(fence);
      return work(transaction);
    });
  }

  // Inherit instead of copying: some properties of a buffered catalog record that they were read.
  return Object.assign(Object.create(catalog) as Catalog, {
    change: <T>(...[principal, what, work, undoes]: Parameters<typeof catalog.change<T>>) =>
      runFenced<T>((guarded) => catalog.change(principal, what, guarded(work), undoes)),
    rehearse: <T>(...[principal, what, work]: Parameters<typeof catalog.rehearse<T>>) =>
      runFenced<T>((guarded) => catalog.rehearse(principal, what, guarded(work))),
  });
}
