import { Problem } from '../../lib/problems/problem.ts';
import type { Match, Router } from '../routes/router.ts';

/** Returns the problem of an invalid path instead of throwing it, because only authorized callers may see it. */
export function matchOrProblem<S>(router: Router<S>, rawPath: string): Match<S> | Problem | undefined {
  try {
    return router.match(rawPath);
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
}
