/** Opens a server on a database that may be slow or not yet available, and reports why it waits. */
import { setTimeout as delay } from 'node:timers/promises';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';

/** The total time and the pause between attempts. */
export interface RetryOptions {
  readonly forMs: number;
  readonly pauseMs: number;
}

const transientCodes: ReadonlySet<ProblemCode> = new Set(['storage-unavailable', 'storage-busy', 'outcome-unknown']);

/** Wrong user or password, unknown database or bucket, unknown host. */
const permanentCodes =
  /^(?:28|3D|ENOTFOUND|AccessDenied|InvalidAccessKeyId|InvalidToken|ExpiredToken|SignatureDoesNotMatch|NoSuchBucket)/;

/** Throws the error of the last attempt. Reports each reason once when it changes. */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { forMs, pauseMs }: RetryOptions,
  report: (reason: string) => void,
): Promise<T> {
  const startedMs = performance.now();
  let lastReason: string | undefined;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isTransient(error) || performance.now() - startedMs > forMs) throw error;
      const reason = formatMessage(getCause(error));
      if (reason !== lastReason) report(reason);
      lastReason = reason;
      await delay(pauseMs);
    }
  }
}

/** Returns the error of the database, which operators see and clients do not. */
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
