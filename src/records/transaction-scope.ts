/** What goes with a draft but is not in it: files that it pins, other databases, and what is only done once it is kept. */
import type { ExternalTransaction } from './external-transaction.ts';

export interface TransactionScope {
  /** Enters something that ends with its work, does the work, and stays inside until the draft has ended. */
  hold<A, T>(enter: (work: (given: A) => Promise<T>) => Promise<unknown>, work: (given: A) => Promise<T>): Promise<T>;
  /** Does it once the draft is kept. */
  afterCommit(effect: () => Promise<unknown>): void;
  /** Commits another database right before the draft is kept. */
  join(outside: ExternalTransaction): void;
  /** Whether there is another database to commit. */
  hasExternal(): boolean;
  commitExternal(): Promise<void>;
  /** The draft is durable: does what waits for that. What fails now cannot be taken back, and is told. */
  runCommitEffects(failed: (reason: unknown) => void): Promise<void>;
  /** Nothing of the draft was kept; `reason` is the error that prevented it, if there was one. */
  abandon(reason?: unknown): Promise<void>;
}

/** Ends what was entered for a draft that came to nothing. */
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
      // Once the work is done, this rejection is nobody's any more.
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
      // Each may be committed already; then there is nothing left to roll back.
      await Promise.allSettled(outsides.map((outside) => outside.rollback()));
      ended.resolve(new TransactionAbandoned('The buffered transaction was discarded.', { cause: reason }));
      await Promise.allSettled(entered);
    },
  };
}
