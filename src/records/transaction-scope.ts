/**
 * Resources of a buffered transaction outside the storage: pinned files, external databases and effects after the
 * commit.
 */
import type { ExternalTransaction } from './external-transaction.ts';

export interface TransactionScope {
  /**
   * Enters a scope that normally ends with its work, runs the work, and stays inside until the buffered transaction
   * ends.
   */
  hold<A, T>(enter: (work: (given: A) => Promise<T>) => Promise<unknown>, work: (given: A) => Promise<T>): Promise<T>;
  /** Runs the effect after the commit. */
  afterCommit(effect: () => Promise<unknown>): void;
  /** Commits another database right before the buffered transaction. */
  join(outside: ExternalTransaction): void;
  /** Returns whether there is another database to commit. */
  hasExternal(): boolean;
  commitExternal(): Promise<void>;
  /** Runs the effects after the commit. Failures cannot be rolled back and are reported. */
  runCommitEffects(failed: (reason: unknown) => void): Promise<void>;
  /** Called when nothing was committed. `reason` is the error that prevented it, if there was one. */
  abandon(reason?: unknown): Promise<void>;
}

/** Ends the scopes of a discarded buffered transaction. */
export class TransactionAbandoned extends Error {
  override readonly name = 'Abandoned';
}

export function openTransactionScope(): TransactionScope {
  const ended = Promise.withResolvers<'kept' | TransactionAbandoned>();
  const entered: Promise<unknown>[] = [];
  const outsides: ExternalTransaction[] = [];
  const effects: (() => Promise<unknown>)[] = [];

  return {
    hold(enter, work) {
      const done = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
      const left = enter(async (given) => {
        const result = await work(given);
        done.resolve(result);
        const end = await ended.promise;
        if (end instanceof TransactionAbandoned) throw end;
        return result;
      });
      // Once the work is done, nothing handles this rejection.
      entered.push(left);
      left.catch(done.reject);
      return done.promise;
    },
    afterCommit: (effect) => void effects.push(effect),
    join: (outside) => void outsides.push(outside),
    hasExternal: () => outsides.length > 0,
    async commitExternal() {
      for (const outside of outsides) await outside.commit();
    },
    async runCommitEffects(failed) {
      ended.resolve('kept');
      const results = await Promise.allSettled(entered);
      for (const effect of effects) results.push(...(await Promise.allSettled([effect()])));
      for (const result of results) if (result.status === 'rejected') failed(result.reason);
    },
    async abandon(reason) {
      // Some may already be committed; then there is nothing to roll back.
      await Promise.allSettled(outsides.map((outside) => outside.rollback()));
      ended.resolve(new TransactionAbandoned('The buffered transaction was discarded.', { cause: reason }));
      await Promise.allSettled(entered);
    },
  };
}
