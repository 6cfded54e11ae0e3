/** Runs a transaction in its own session, for work that may take long. */
import type { PostgresLocation } from './location.ts';
import { PostgresSession } from './session.ts';

export async function runInTransaction<T>(
  location: PostgresLocation,
  work: (session: PostgresSession) => Promise<T>,
): Promise<T> {
  const session = await PostgresSession.open(location, 'writes');
  try {
    await session.run('BEGIN');
    const result = await work(session);
    if (!(await session.commit())) throw new Error('The database rolled back the transaction.');
    return result;
  } finally {
    session.end();
  }
}
