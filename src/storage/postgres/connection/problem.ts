/** What PostgreSQL and the way to it say when they cannot go on -> the problem that a client is told. */
import { DatabaseError } from 'pg';
import { attachCause, STORAGE_RETRY_SECONDS } from '../../../lib/problems/disk-problem.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';

/** Connections, users, resources, interventions, faults of the system; and databases that only let themselves be read. */
const databaseErrorCodes = /^(?:08|25006|25P|28|3D|53|57|58|F0|XX)/;

const DISK_FULL = '53100';
/** Of an entry in an index: a third of a page. */
const TOO_LONG = '54000';
const LOCK_NOT_AVAILABLE = '55P03';

/** The same error, if it is a fault of ours and none of the database or of the way to it. */
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

/** Whether nothing can be asked on its connection any more. */
export function isSessionEnding(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}
