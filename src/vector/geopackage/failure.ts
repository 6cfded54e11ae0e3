/** Converts GeoPackage errors to messages that contain the file name but not its location. */
import { basename } from 'node:path';
import { WkbError } from '../../geometry/wkb-decode.ts';
import { attachCause, findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';

/** A full disk is not a fault of the file. */
const SQLITE_FULL = 13;

/** Another connection reads or writes the file. */
const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}

/** By primary result code of SQLite. */
const reasons: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process is writing to it',
  6: 'another process is writing to it',
  8: 'it is read-only',
  10: 'a disk error occurred',
  11: 'it is damaged',
  14: 'it cannot be opened',
  18: 'it contains a value that is too large',
  23: 'it has a view that does more than read',
};

/** SQLite reports it for files of other formats. */
const SQLITE_NOTADB = 26;

/** Returns problems and internal errors unchanged. */
export function toFileProblem(error: unknown, path: string, format = 'a GeoPackage'): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  const file = basename(path);
  const ofDisk = findDiskProblem(error);
  if (ofDisk !== undefined) return ofDisk;
  if (error instanceof WkbError) {
    return problem('vector-file-unreadable', { file, reason: `one of its geometries is invalid: ${error.message}` });
  }
  if ('errcode' in error && typeof error.errcode === 'number') {
    if ((error.errcode & 0xff) === SQLITE_FULL) return attachCause(problem('storage-full', {}), error);
    const code = error.errcode & 0xff;
    const known = code === SQLITE_NOTADB ? `it is not ${format}` : reasons[code];
    const reason = known ?? `it is invalid (SQLite error ${error.errcode})`;
    return problem('vector-file-unreadable', { file, reason });
  }
  if ('code' in error && error.code === 'ERR_OUT_OF_RANGE') {
    return problem('vector-file-unreadable', { file, reason: 'its catalogue contains a number that is too large' });
  }
  if ('syscall' in error && 'code' in error) {
    return error.code === 'ENOENT'
      ? problem('vector-file-missing', { file })
      : problem('vector-file-unreadable', { file, reason: 'the server has no permission to use it' });
  }
  return error;
}
