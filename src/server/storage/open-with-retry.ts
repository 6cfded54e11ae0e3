/** Opens a server on a database that may be slow, or not be there yet: that passes, and the operator hears why it takes so long. */
import { setTimeout as delay } from 'node:timers/promises';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';

/** How long it is tried, and how long to wait in between. */
export interface RetryOptions {
  readonly forMs: number;
  readonly pauseMs: number;
}

const transientCodes: ReadonlySet<ProblemCode> = new Set(['storage-unavailable', 'storage-busy', 'outcome-unknown']);

/** A wrong user or password, no such database, no such host. */
const permanentCodes = /^(?:28|3D|ENOTFOUND)/;

/** What is thrown in the end is what the last try said; the operator hears of each reason when it is a new one. */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { forMs, pauseMs }: RetryOptions,
  told: (reason: string) => void,
): Promise<T> {
  const startedMs = performance.now();
  let before: string | undefined;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isTransient(error) || performance.now() - startedMs > forMs) throw error;
      const reason = formatMessage(getCause(error));
      if (reason !== before) told(reason);
      before = reason;
      await delay(pauseMs);
    }
  }
}

/** The operator is told what the database says, which clients are not. */
export function getCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function formatMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof Problem && transientCodes.has(error.code) && !permanentCodes.test(findErrorCode(error.cause) ?? '')
  );
}
