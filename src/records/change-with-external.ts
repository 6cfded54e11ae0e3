/** Commits a change of the catalog together with a change of an external database. */
import type { Principal } from '../lib/identity/principal.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';
import type { ExternalTransaction } from './external-transaction.ts';

export type { ExternalTransaction } from './external-transaction.ts';

/**
 * In a rehearsal, `apply` returns undefined to request a new attempt. In the final phase it must use the current state.
 */
export type ChangePhase = 'rehearsal' | 'final';

/**
 * Two databases cannot be committed atomically, and a change must not wait for the other one. So the change is
 * rehearsed first, which detects all conflicts; then the other database is committed, and then the change is made.
 * Returns undefined if the rehearsal returned nothing; then nothing has happened.
 *
 * Remaining risk: if the server stops, if the catalog is not writable, or if a concurrent change takes the name or
 * deletes the store between the rehearsal and the change, then the other database has the new tables and rows, but they
 * are not published. A repeated request appends the rows again, or replaces them if it asks for that; a table that
 * already exists is published as it is.
 *
 * A buffered transaction commits the other database when only its own commit can still fail. If the other database
 * cannot wait that long, it is committed immediately and stays so even if the buffered transaction is discarded.
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
    // Report the first failure.
    await outside.rollback().catch(() => undefined);
    throw error;
  }
  return catalog.change(principal, what, (transaction) => apply(transaction, 'final'));
}
