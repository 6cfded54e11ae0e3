/** What the operating system says when a disk cannot go on -> the problem that a client is told. */
import { findErrorCode } from './error-code.ts';
import { type Problem, problem } from './problem.ts';

/** When a client may well try again after another program, or another request, has let go of something. */
export const STORAGE_RETRY_SECONDS = 5;

/** The problem with the original error as its cause; undefined for an error that is no fault of the disk. */
export function findDiskProblem(error: unknown): Problem | undefined {
  switch (findErrorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return attachCause(problem('storage-full', {}), error);
    case 'EIO':
    case 'EROFS':
      return attachCause(problem('storage-unavailable', {}), error);
    // Too many files are open at the moment; others will be closed.
    case 'EMFILE':
    case 'ENFILE':
      return attachCause(problem('storage-unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS }), error);
    default:
      return error instanceof AggregateError ? findFirstProblem(error.errors) : undefined;
  }
}

/** For the log: the client is not told what lies where. */
export function attachCause(told: Problem, cause: unknown): Problem {
  told.cause = cause;
  return told;
}

function findFirstProblem(errors: readonly unknown[]): Problem | undefined {
  for (const each of errors) {
    const told = findDiskProblem(each);
    if (told !== undefined) {
      return told;
    }
  }
  return undefined;
}
