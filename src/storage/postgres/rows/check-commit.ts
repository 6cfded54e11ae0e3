/** Finds out whether a transaction was kept whose end was not heard because the connection was lost. */
import { setTimeout as delay } from 'node:timers/promises';
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement } from '../connection/statement.ts';
import type { UnconfirmedCommit } from '../connection/transaction-host.ts';

/** Whoever asked has waited already. */
const LOCK_TIMEOUT_MS = 4_000;

/** A database that is started anew, or a new primary, may be there in a moment. */
const RETRY_WINDOW_MS = 2_000;
const RETRY_PAUSE_MS = 100;

const selectNonce = prepareStatement('nonce_of', 'SELECT nonce FROM changes WHERE sequence = $1');

/** Resolved when it was kept; else a problem that says that it was not, or that nobody knows. */
export async function checkCommit(
  place: PostgresLocation,
  { nonce, sequence, cause }: UnconfirmedCommit,
): Promise<void> {
  // What changes no record has no number by which it could be found.
  const found = sequence === undefined ? undefined : await retryUntilKnown(() => readNonce(place, sequence));
  if (found === undefined) throw attachCause(problem('outcome-unknown', { retryAfterSeconds: 5 }), cause);
  if (found !== nonce) throw attachCause(createUnavailableProblem(), cause);
}

/** Undefined where it could not be found out in time. */
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

/** The nonce of a change, null where there is none. */
async function readNonce(place: PostgresLocation, sequence: number): Promise<unknown> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    // Whoever has this lock knows that the other transaction has ended, one way or the other.
    await session.run(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; BEGIN; SELECT sequence FROM head WHERE one FOR UPDATE`);
    const [row] = await session.query(selectNonce, [sequence]);
    return row?.[0] ?? null;
  } finally {
    session.end();
  }
}
