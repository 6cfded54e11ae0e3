/** What anybody may be told of a failure: nothing of stores, hosts and files, which are the operator's business. */
import { type Problem, problem } from '../../lib/problems/problem.ts';

/** Those whose words hold no more than a client may know. */
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
  'remote-map-failed',
]);

/** What services of features may say instead; the log has what really was. */
export function toPublicProblem(thrown: Problem): Problem {
  const isOfStores = thrown.code.startsWith('store-') || thrown.code.startsWith('vector-');
  return isOfStores || (thrown.status >= 500 && !publicProblemCodes.has(thrown.code))
    ? problem('feature-data-missing', {})
    : thrown;
}
