/** How the archive gate says no. */

import { type Problem, problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';

/** `entry` is null where the archive as a whole is at fault. */
export function createArchiveRefusal(entry: string | null, reason: string): Problem {
  return problem('archive-refused', { entry: entry === null ? null : toPrintableFileName(entry), reason });
}

export function createArchiveTooLarge(entry: string | null, reason: string): Problem {
  return problem('archive-too-large', { entry: entry === null ? null : toPrintableFileName(entry), reason });
}

/**
 * Runs a step of the ZIP library. What it throws without a code is its complaint about the archive; a failure of the
 * disk has a code and is no fault of the archive.
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
