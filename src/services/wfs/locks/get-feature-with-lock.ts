/** GetFeatureWithLock: locks the selected features and returns the locked ones, as they are under the lock. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { LockResult } from '../../access/lock-features.ts';
import { openType } from '../../access/open-type.ts';
import type { WfsContext } from '../context/context.ts';
import { createFeaturesReply, openAll } from '../features/get-feature.ts';
import type { OpenedQuery } from '../features/open-query.ts';
import { selectOutputFormat } from '../features/output-formats.ts';
import type { GetFeatureWithLockRequest } from '../request/request.ts';
import { lockPage, refuseLocking } from './select-features.ts';

export async function getFeatureWithLock(
  context: WfsContext,
  request: GetFeatureWithLockRequest,
): Promise<ServiceReply> {
  refuseLocking(context, request);
  const format = selectOutputFormat(request.version, request.outputFormat, context.settings);
  refuseUnsuitable(request, format.format.writesLock === true);
  const { featureLocks } = context.services;
  let queries = await openAll(context, request, { ...format, access: 'write' });
  const release = (): void => {
    for (const { opened } of queries) opened.release();
  };
  let created: string | undefined;
  try {
    const { startIndex: offset = 0, count = Number.POSITIVE_INFINITY, ...whole } = request;
    const limit = Math.min(count, context.settings.maxFeatures);
    const { id, locked, stores } = await lockPage(context, request, queries, { offset, limit });
    created = id;
    queries = await reopenChanged(context, queries, stores);
    const isEmpty = locked.every((ids) => ids.length === 0);
    if (isEmpty) await featureLocks.release(id);
    const lockedQueries = queries.map((query, index) => ({
      ...query,
      filter: { kind: 'identifiers', identifiers: locked[index] ?? [] } as const,
    }));
    const answered = { ...whole, kind: 'GetFeature', ...(isEmpty ? {} : { lockId: id }) } as const;
    // Each response has its own lock.
    const { maxAgeSeconds: _, ...reply } = await createFeaturesReply(context, answered, lockedQueries, format);
    return { ...reply, release };
  } catch (error) {
    release();
    if (created !== undefined) await featureLocks.release(created);
    throw error;
  }
}

/** Reads from the store that the lock holds, if its uploaded files became editable since the queries were opened. */
async function reopenChanged(
  { services, signal }: WfsContext,
  queries: readonly OpenedQuery[],
  stores: LockResult['stores'],
): Promise<readonly OpenedQuery[]> {
  return Promise.all(
    queries.map(async (query) => {
      const { published, release } = query.opened;
      const store = stores.get(published.records.store.id);
      if (store === undefined || store.version === published.records.store.version) return query;
      const current = { ...published, records: { ...published.records, store } };
      const opened = await openType(services.vectorData, current, signal);
      release();
      return { ...query, opened };
    }),
  );
}

function refuseUnsuitable({ resultType, outputFormat }: GetFeatureWithLockRequest, writesLock: boolean): void {
  if (resultType === 'hits') {
    throw problem('ows-option-unsupported', {
      what: 'GetFeatureWithLock with resultType=hits',
      instead: 'use resultType=results, or GetFeature',
      field: 'resultType',
    });
  }
  if (!writesLock) {
    throw problem('ows-option-unsupported', {
      what: `GetFeatureWithLock with the format '${outputFormat}', which cannot contain the id of the lock`,
      instead: 'use GML or application/json',
      field: 'outputFormat',
    });
  }
}
