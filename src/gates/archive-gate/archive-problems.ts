/** Problems of the archive gate. */

import { type Problem, problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';

/** `entry` is null if the archive as a whole is invalid. */
export function createArchiveRefusal(entry: string | null, reason: string): Problem {
  return problem('archive-refused', { entry: entry === null ? null : toPrintableFileName(entry), reason });
}

export function createArchiveTooLarge(entry: string | null, reason: string): Problem {
  return problem('archive-too-large', { entry: entry === null ? null : toPrintableFileName(entry), reason });
}

/**
 * Runs a step of the ZIP library. An error without a code is about the archive; an error with a code comes from the
 * disk.
 */
export async function runZipStep<T>(work: Promise<T>, entry: string | null, reason: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && !('code' in error) && error.name === 'Error') {
      throw createArchiveRefusal(entry, reason);
    }
    throw error;
  }
}
