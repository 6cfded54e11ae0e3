/** Maps errors of the connections to the database file to problems. */
import { attachCause } from '../../lib/problems/disk-problem.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toStorageProblem } from '../../lib/problems/sqlite-problem.ts';

/**
 * As `toStorageProblem`. Work that still runs when the server has stopped, such as that of a disconnected client, finds
 * the connections closed.
 */
export function toConnectionProblem(error: unknown): unknown {
  return isClosed(error) ? attachCause(problem('draining', {}), error) : toStorageProblem(error);
}

/** The code with which Node.js rejects the use of closed databases and their statements. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}
