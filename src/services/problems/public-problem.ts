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
  const isOfStores = thrown.code.startsWith('store-') || thrown.code.startsWith('vector-');
  return isOfStores || (thrown.status >= 500 && !publicProblemCodes.has(thrown.code))
    ? problem('feature-data-missing', {})
    : thrown;
}
