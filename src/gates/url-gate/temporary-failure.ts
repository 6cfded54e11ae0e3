/** Recognises failures to read a URL that can be over at the next attempt. */
import { Problem } from '../../lib/problems/problem.ts';

const STATUS_TOO_MANY = 429;
const FIRST_SERVER_STATUS = 500;

/** Overloaded or restarting servers, and connections that ended early. Wrong addresses and certificates stay wrong. */
export function isTemporaryFailure(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code !== 'url-unreachable') return false;
  const reason = String(error.details['reason']);
  const status = Number(/^it returned status (\d{3})$/.exec(reason)?.[1] ?? 0);
  return (
    status === STATUS_TOO_MANY ||
    status >= FIRST_SERVER_STATUS ||
    reason === 'the connection was reset' ||
    reason === 'the connection failed' ||
    reason === 'its host did not respond'
  );
}
