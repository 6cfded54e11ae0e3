/** Maps errors of SQLite and of the disk to problems. */
import { attachCause, findDiskProblem, STORAGE_RETRY_SECONDS } from './disk-problem.ts';
import { Problem, problem } from './problem.ts';

/** Primary result codes of SQLite: the lowest byte of each extended code. */
const primaryCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  noDatabase: 26,
};

/** SQLITE_IOERR_SHMSIZE: the index of the write-ahead log could not grow, which happens only on a full disk. */
const NO_ROOM_FOR_INDEX = 4_874;

/** Returns the problem for a storage error, with the error as its cause; any other error is returned unchanged. */
export function toStorageProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const found = findSqliteProblem(error);
  return found === undefined ? (findDiskProblem(error) ?? error) : attachCause(found, error);
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && findSqliteProblem(error)?.code === 'storage-busy';
}

function findSqliteProblem(error: Error): Problem | undefined {
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  if (error.errcode === NO_ROOM_FOR_INDEX) return problem('storage-full', {});
  switch (error.errcode & 0xff) {
    case primaryCodes.full:
      return problem('storage-full', {});
    case primaryCodes.busy:
    case primaryCodes.locked:
      return problem('storage-busy', { retryAfterSeconds: STORAGE_RETRY_SECONDS });
    case primaryCodes.readOnly:
    case primaryCodes.ioError:
    case primaryCodes.corrupt:
    case primaryCodes.cannotOpen:
    case primaryCodes.noDatabase:
      return problem('storage-unavailable', {});
    default:
      return undefined;
  }
}
