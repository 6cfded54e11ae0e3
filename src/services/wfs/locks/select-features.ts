/** Selects the features of a request and locks them. */
import { problem } from '../../../lib/problems/problem.ts';
import { refuseReadOnlyService } from '../../access/edit-type.ts';
import { type LockResult, lockFeatures, MAX_LOCKED_FEATURES } from '../../access/lock-features.ts';
import type { WfsContext } from '../context/context.ts';
import { openPages } from '../features/feature-pages.ts';
import type { OpenedQuery } from '../features/open-query.ts';
import { createOperationProblem, isOffered } from '../request/operations.ts';
import type { GetFeatureWithLockRequest, LockFeatureRequest } from '../request/request.ts';

export type LockingRequest = LockFeatureRequest | GetFeatureWithLockRequest;

export function refuseLocking({ featureAccess, settings }: WfsContext, { kind, version }: LockingRequest): void {
  refuseReadOnlyService(featureAccess);
  if (!isOffered(kind, settings)) throw createOperationProblem(kind, version);
}

/** Locks a page of the features of all queries. */
export async function lockPage(
  { services, principal, now }: WfsContext,
  { seconds, isPartial }: LockingRequest,
  queries: readonly OpenedQuery[],
  page: { readonly offset: number; readonly limit: number },
): Promise<LockResult> {
  const limit = Math.min(page.limit, MAX_LOCKED_FEATURES + 1);
  const withoutValues = queries.map((query) => ({ ...query, attributes: [] }));
  const selected: { readonly opened: OpenedQuery['opened']; readonly ids: string[] }[] = [];
  let total = 0;
  for (const { query, set } of await openPages(withoutValues, { ...page, limit }, 'nothing', now)) {
    const ids: string[] = [];
    for await (const batch of set.batches) {
      ids.push(...batch.map(({ id }) => id));
      total += batch.length;
      if (total > MAX_LOCKED_FEATURES) throw problem('features-to-lock-too-many', { limit: MAX_LOCKED_FEATURES });
    }
    selected.push({ opened: query.opened, ids });
  }
  return lockFeatures(services, principal, { queries: selected, seconds, isPartial });
}
