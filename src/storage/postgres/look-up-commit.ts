/** Finds out whether a transaction was kept whose end was not heard because the connection was lost. */
import { setTimeout as delay } from 'node:timers/promises';
import { withCause } from '../../lib/disk-problem.ts';
import { problem } from '../../lib/problem.ts';
import type { PostgresPlace } from './place.ts';
import { unavailable } from './problem.ts';
import { PostgresSession } from './session.ts';
import { prepared } from './statement.ts';
import type { UnheardCommit } from './transaction-world.ts';

/** Whoever asked has waited already. */
const LOOK_UP_MS = 4_000;

/** A database that is started anew, or a new primary, may be there in a moment. */
const TRIED_MS = 2_000;
const PAUSE_MS = 100;

const nonceOf = prepared('nonce_of', 'SELECT nonce FROM changes WHERE sequence = $1');

/** Resolved when it was kept; else a problem that says that it was not, or that nobody knows. */
export async function lookUpCommit(place: PostgresPlace, { nonce, sequence, cause }: UnheardCommit): Promise<void> {
  // What changes no record has no number by which it could be found.
  const found = sequence === undefined ? undefined : await untilKnown(() => nonceAt(place, sequence));
  if (found === undefined) throw withCause(problem('outcome-unknown', { retryAfterSeconds: 5 }), cause);
  if (found !== nonce) throw withCause(unavailable(), cause);
}

/** Undefined where it could not be found out in time. */
async function untilKnown<T>(lookUp: () => Promise<T>): Promise<T | undefined> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await lookUp();
    } catch {
      if (performance.now() - startedMs > TRIED_MS) return undefined;
      await delay(PAUSE_MS);
    }
  }
}

/** The nonce of a change, null where there is none. */
async function nonceAt(place: PostgresPlace, sequence: number): Promise<unknown> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    // Whoever has this lock knows that the other transaction has ended, one way or the other.
    await session.run(`SET lock_timeout = ${LOOK_UP_MS}; BEGIN; SELECT sequence FROM head WHERE one FOR UPDATE`);
    const [row] = await session.ask(nonceOf, [sequence]);
    return row?.[0] ?? null;
  } finally {
    session.end();
  }
}
