/** What SQLite and the disk say when they cannot go on -> the problem that a client is told. */
import { attachCause, findDiskProblem, STORAGE_RETRY_SECONDS } from './disk-problem.ts';
import { Problem, problem } from './problem.ts';

/** Primary result codes of SQLite; the extended ones have these in their lowest byte. */
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

/** The index of the write-ahead log could not be made longer: it grows in memory that only a full disk refuses. */
const NO_ROOM_FOR_INDEX = 4_874;

/** The same error, if it is a fault of ours and none of the disk or of another program. */
export function toStorageProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const told = findSqliteProblem(error);
  return told === undefined ? (findDiskProblem(error) ?? error) : attachCause(told, error);
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
