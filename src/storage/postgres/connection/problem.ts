/** Maps errors of PostgreSQL and of its connection to problems for clients. */
import { DatabaseError } from 'pg';
import { attachCause, STORAGE_RETRY_SECONDS } from '../../../lib/problems/disk-problem.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';

/** Connections, users, resources, operator interventions, system errors and read-only databases. */
const databaseErrorCodes = /^(?:08|25006|25P|28|3D|53|57|58|F0|XX)/;

const DISK_FULL = '53100';
/** The index entry limit: a third of a page. */
const TOO_LONG = '54000';
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns the error unchanged unless the database or its connection caused it. */
export function toStorageProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (!(error instanceof DatabaseError)) return attachCause(createUnavailableProblem(), error);
  if (error.code === DISK_FULL) return attachCause(problem('storage-full', {}), error);
  if (error.code === TOO_LONG) return attachCause(problem('key-too-long', {}), error);
  if (error.code === LOCK_NOT_AVAILABLE) {
    return attachCause(problem('storage-busy', { retryAfterSeconds: STORAGE_RETRY_SECONDS }), error);
  }
  return databaseErrorCodes.test(error.code ?? '') || isSessionEnding(error)
    ? attachCause(createUnavailableProblem(), error)
    : error;
}

export function createUnavailableProblem(): Problem {
  return problem('storage-unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS });
}

/** Returns whether the connection is unusable after the error. */
export function isSessionEnding(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}
