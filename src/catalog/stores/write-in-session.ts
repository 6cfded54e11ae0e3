/** Runs work that writes into the data of a store, all of it or nothing. */

import type { Problem } from '../../lib/problems/problem.ts';
import type { ExternalTransaction } from '../../records/change-with-external.ts';
import type { VectorSource, WriteSession } from '../../vector/port/port.ts';

/**
 * What the work has not committed by its end is rolled back. It commits by `outside`, and rolls back by it if it has to do so
 * earlier, or hands it over to who does either later; `refusal` is what to tell of data that cannot be written.
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

/** What was committed or rolled back already is not rolled back once more. */
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
