/** Finds out whether a transaction was committed whose response was lost with the connection. */
import { setTimeout as delay } from 'node:timers/promises';
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement } from '../connection/statement.ts';
import type { UnconfirmedCommit } from '../connection/transaction-host.ts';

/** Short, because the caller has already waited. */
const LOCK_TIMEOUT_MS = 4_000;

/** A restarting database or a new primary may be available soon. */
const RETRY_WINDOW_MS = 2_000;
const RETRY_PAUSE_MS = 100;

const selectNonce = prepareStatement('nonce_of', 'SELECT nonce FROM changes WHERE sequence = $1');

/**
 * Resolves if it was committed; otherwise throws a problem that says that it was not, or that the outcome is unknown.
 */
export async function checkCommit(
  place: PostgresLocation,
  { nonce, sequence, cause }: UnconfirmedCommit,
): Promise<void> {
  // A commit without record changes has no number that could be looked up.
  const found = sequence === undefined ? undefined : await retryUntilKnown(() => readNonce(place, sequence));
  if (found === undefined) throw attachCause(problem('outcome-unknown', { retryAfterSeconds: 5 }), cause);
  if (found !== nonce) throw attachCause(createUnavailableProblem(), cause);
}

/** Returns undefined if the lookup did not succeed in time. */
async function retryUntilKnown<T>(lookUp: () => Promise<T>): Promise<T | undefined> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await lookUp();
    } catch {
      if (performance.now() - startedMs > RETRY_WINDOW_MS) return undefined;
      await delay(RETRY_PAUSE_MS);
    }
  }
}

/** Returns the nonce of a change; null if there is none. */
async function readNonce(place: PostgresLocation, sequence: number): Promise<unknown> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    // Once this lock is acquired, the other transaction has ended.
    await session.run(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; BEGIN; SELECT sequence FROM head WHERE one FOR UPDATE`);
    const [row] = await session.query(selectNonce, [sequence]);
    return row?.[0] ?? null;
  } finally {
    session.end();
  }
}
