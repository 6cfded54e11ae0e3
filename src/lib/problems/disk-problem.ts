/** Maps disk errors of the operating system to problems. */
import { findErrorCode } from './error-code.ts';
import { type Problem, problem } from './problem.ts';

/** The Retry-After for resources that another program or request releases soon, such as locks and open files. */
export const STORAGE_RETRY_SECONDS = 5;

/** Returns the problem, with the original error as its cause; undefined if the error is not a disk error. */
export function findDiskProblem(error: unknown): Problem | undefined {
  switch (findErrorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return attachCause(problem('storage-full', {}), error);
    case 'EIO':
    case 'EROFS':
      return attachCause(problem('storage-unavailable', {}), error);
    // Too many open files: a retry succeeds once some are closed.
    case 'EMFILE':
    case 'ENFILE':
      return attachCause(problem('storage-unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS }), error);
    default:
      return error instanceof AggregateError ? findFirstProblem(error.errors) : undefined;
  }
}

/** Attaches the original error for the log. Responses do not contain it, because it names server paths. */
export function attachCause(found: Problem, cause: unknown): Problem {
  found.cause = cause;
  return found;
}

function findFirstProblem(errors: readonly unknown[]): Problem | undefined {
  for (const each of errors) {
    const found = findDiskProblem(each);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
