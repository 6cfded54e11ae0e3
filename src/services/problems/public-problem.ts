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
  'feature-filter-unusable',
  'map-too-slow',
  'work-refused',
  'work-too-slow',
  'filter-too-slow',
  'remote-map-failed',
]);

/** Returns the problem for clients; the log contains the original. */
export function toPublicProblem(thrown: Problem): Problem {
  // A URL that the client has sent has the name of its parameter; others are those of stores.
  const isOfServer = thrown.code === 'url-refused' && thrown.details.field === undefined;
  const isOfStores = isOfServer || thrown.code.startsWith('store-') || thrown.code.startsWith('vector-');
  return isOfStores || (thrown.status >= 500 && !publicProblemCodes.has(thrown.code))
    ? problem('feature-data-missing', {})
    : thrown;
}
