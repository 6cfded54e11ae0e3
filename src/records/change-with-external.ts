/** A change of the catalog that goes with a change of a database that is not ours. */
import type { Principal } from '../lib/identity/principal.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';
import type { ExternalTransaction } from './external-transaction.ts';

export type { ExternalTransaction } from './external-transaction.ts';

/** In a rehearsal `apply` gives undefined when all has to be done anew; in the end it has to do with what is there. */
export type ChangePhase = 'rehearsal' | 'final';

/**
 * Two databases cannot be committed as one, and nobody may wait for the other one inside a change. So the change is
 * rehearsed first, which finds out whatever speaks against it; then the other database is committed, and then the change
 * is made. Undefined when the rehearsal gave nothing: then nothing has happened.
 *
 * What remains: if the server dies, if the catalog cannot be written, or if somebody else's change takes a name or the
 * store away between the rehearsal and the end, the other database has the new tables and rows and nothing of them is
 * published. Who repeats the request then appends the rows once more, or replaces them if that is what it asks for; a table
 * that was to be made is published as one that is there.
 *
 * A draft commits the other database in its turn, when nothing can be in the way any more but its own commit. Where that
 * cannot wait so long, it is committed at once, and stays so if nothing becomes of the draft.
 */
export async function changeWithExternal<T>(
  catalog: Catalog,
  author: { readonly principal: Principal; readonly what: string },
  apply: (transaction: CatalogTransaction, phase: ChangePhase) => Promise<T | undefined>,
  outside: ExternalTransaction,
): Promise<T | undefined> {
  const { principal, what } = author;
  if (catalog.isDryRun && catalog.joinExternal !== undefined && outside.tryOut !== undefined) {
    const result = await catalog.change(principal, what, (transaction) => apply(transaction, 'rehearsal'));
    catalog.joinExternal({ commit: async () => undefined, rollback: await outside.tryOut() });
    return result;
  }
  if (catalog.isDryRun) {
    try {
      return await catalog.change(principal, what, (transaction) => apply(transaction, 'rehearsal'));
    } finally {
      await outside.rollback();
    }
  }
  if (catalog.joinExternal !== undefined && outside.handOver !== undefined) {
    const result = await catalog.change(principal, what, (transaction) => apply(transaction, 'rehearsal'));
    if (result !== undefined) {
      outside.handOver();
      catalog.joinExternal(outside);
    }
    return result;
  }
  try {
    const rehearsed = await catalog.rehearse(principal, what, (transaction) => apply(transaction, 'rehearsal'));
    if (rehearsed === undefined) {
      await outside.rollback();
      return undefined;
    }
    await outside.commit();
  } catch (error) {
    // The first failure is the one to tell.
    await outside.rollback().catch(() => undefined);
    throw error;
  }
  return catalog.change(principal, what, (transaction) => apply(transaction, 'final'));
}
