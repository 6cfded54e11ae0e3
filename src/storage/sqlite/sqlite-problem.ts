/** What SQLite and the disk say when they cannot go on -> the problem that a client is told. */
import { Problem, problem } from '../../lib/problem.ts';

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

/** The same error, if it is a fault of ours and none of the disk or of another program. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const told = codeOf(error);
  return told === undefined ? error : Object.assign(problem(told, {}), { cause: error });
}

function codeOf(error: Error): 'storage-full' | 'storage-busy' | 'storage-unavailable' | undefined {
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return 'storage-full';
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  switch (error.errcode & 0xff) {
    case primaryCodes.full:
      return 'storage-full';
    case primaryCodes.busy:
    case primaryCodes.locked:
      return 'storage-busy';
    case primaryCodes.readOnly:
    case primaryCodes.ioError:
    case primaryCodes.corrupt:
    case primaryCodes.cannotOpen:
    case primaryCodes.noDatabase:
      return 'storage-unavailable';
    default:
      return undefined;
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === 'storage-busy';
}
