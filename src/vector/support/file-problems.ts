/** Problems of damaged and unsupported files of features. */
import { Problem, problem } from '../../lib/problems/problem.ts';

export function createMalformedProblem(file: string, offset: number, reason: string): Problem {
  return problem('vector-file-malformed', { file, offset, reason });
}

export function createUnsupportedProblem(file: string, reason: string): Problem {
  return problem('vector-file-unsupported', { file, reason });
}

/** Runs a decoder of bytes from the file: all that it throws is caused by those bytes. */
export function decodeBytes<T>(where: { readonly file: string; readonly offset: number }, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { file, offset } = where;
    throw createMalformedProblem(file, offset, 'the bytes from here on cannot be decoded');
  }
}
