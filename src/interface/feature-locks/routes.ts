/** Routes for locks of features, which administrators list and release. */
import { createIntegerParameter, createTextParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { FeatureLock, FeatureLocks } from '../../lib/locks/feature-locks.ts';
import { problem } from '../../lib/problems/problem.ts';
import { del, family, get, type Services } from '../common/services.ts';
import { lockDocument, locksDocument } from './representation.ts';

/** A page takes some milliseconds of the main thread. */
const MAX_PAGE = 500;

export function featureLockRoutes(): RouteTable<Services> {
  return family(
    'Feature locks',
    {
      description: 'Locks of features by WFS clients. They expire on their own, and are no part of the configuration.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
    },
    [
      get(
        '/locks',
        'List the locks of features',
        {
          returns: locksDocument,
          rejectsUnknownQuery: true,
          query: {
            after: createTextParameter('Return only locks after this id.'),
            limit: createIntegerParameter(`Maximum number of locks; default: ${MAX_PAGE}.`, 1, MAX_PAGE),
          },
        },
        async ({ services: { featureLocks }, query: { after, limit } }) => {
          const size = limit ?? MAX_PAGE;
          const found = await featureLocks.list(after ?? undefined, size + 1);
          const locks = found.slice(0, size);
          const last = locks.at(-1);
          if (found.length <= size || last === undefined) return { resource: { locks } };
          const next = { limit: String(size), after: last.id };
          return { resource: { locks, next }, next };
        },
      ),
      get(
        '/locks/:lock',
        'Read a lock of features',
        { returns: lockDocument, rejectsUnknownQuery: true, problems: ['lock-unknown'] },
        async ({ services: { featureLocks }, params }) => ({ resource: await findLock(featureLocks, params.lock) }),
      ),
      del(
        '/locks/:lock',
        'Release a lock of features',
        { rejectsUnknownQuery: true, problems: ['lock-unknown'] },
        async ({ services: { featureLocks }, params }) => {
          if (!(await featureLocks.release(params.lock))) throw problem('lock-unknown', { id: params.lock });
        },
      ),
    ],
  );
}

async function findLock(locks: FeatureLocks, id: string): Promise<FeatureLock> {
  const found = await locks.find(id);
  if (found === undefined || found.isExpired) throw problem('lock-unknown', { id });
  return found;
}
