/** Hides internal details of failures: stores, hosts and files concern the operator only. */
import { type Problem, problem } from '../../lib/problems/problem.ts';

/** Codes whose messages contain no internal details. */
const publicProblemCodes: ReadonlySet<string> = new Set([
  'unexpected',
  'storage-busy',
  'storage-unavailable',
  'storage-full',
  'draining',
  'feature-data-missing',
  'feature-data-damaged',
  'feature-data-changing',
  'feature-filter-unusable',
  'map-too-slow',
  'work-refused',
  'work-too-slow',
  'filter-too-slow',
  'remote-map-failed',
]);

/** What is wrong with a file, without its name. */
const fileFaults: ReadonlyMap<string, string> = new Map([
  ['vector-file-unreadable', 'cannot be read'],
  ['vector-file-truncated', 'is truncated'],
  ['vector-file-malformed', 'has invalid content'],
  ['vector-file-unsupported', 'has content that is not supported'],
]);

/** Sources that change while they are read; the next request reads them again. */
const changingCodes: ReadonlySet<string> = new Set(['vector-type-changed', 'remote-file-changed']);

/** Returns the problem for clients; the log contains the original. */
export function toPublicProblem(thrown: Problem): Problem {
  const { code } = thrown;
  // A URL that the client has sent has the name of its parameter; others are those of stores.
  const isOfServer = code === 'url-refused' && thrown.details.field === undefined;
  const isOfStores = isOfServer || code.startsWith('store-') || code.startsWith('vector-');
  if (!isOfStores && (thrown.status < 500 || publicProblemCodes.has(code))) return thrown;
  const fault = fileFaults.get(code);
  if (fault !== undefined) return problem('feature-data-damaged', { fault });
  return problem(changingCodes.has(code) ? 'feature-data-changing' : 'feature-data-missing', {});
}
