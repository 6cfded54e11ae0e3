/** Runs work that writes into the data of a store, all or nothing. */

import type { Problem } from '../../lib/problems/problem.ts';
import type { ExternalTransaction } from '../../records/change-with-external.ts';
import type { VectorSource, WriteSession } from '../../vector/port/port.ts';

/**
 * Rolls back what the work has not committed at its end. The work commits through `outside`, may roll back earlier, or
 * hands the transaction over to a later step; `refusal` is the problem for read-only data.
 */
export async function writeInSession<T>(
  source: VectorSource,
  signal: AbortSignal,
  refusal: () => Problem,
  work: (session: Omit<WriteSession, 'commit' | 'rollback'>, outside: ExternalTransaction) => Promise<T>,
): Promise<T> {
  if (source.startWriting === undefined) {
    throw refusal();
  }
  const session = await source.startWriting(signal);
  let isHandedOver = false;
  const outside: ExternalTransaction = {
    ...createRollbackGuard(session),
    handOver() {
      isHandedOver = true;
    },
  };
  try {
    return await work(session, outside);
  } finally {
    if (!isHandedOver) {
      await outside.rollback();
    }
  }
}

/** Rolls back only an open transaction. */
function createRollbackGuard(session: WriteSession): ExternalTransaction {
  let isOpen = true;
  return {
    async commit() {
      await session.commit();
      isOpen = false;
    },
    async rollback() {
      if (isOpen) {
        isOpen = false;
        await session.rollback();
      }
    },
  };
}
