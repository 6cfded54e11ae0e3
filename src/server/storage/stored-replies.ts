/** Responses stored for idempotent retries: kept for a day and encrypted with the keystore. */
import type { FastifyBaseLogger } from 'fastify';
import type { AppOptions } from '../../http/context/app-options.ts';
import type { Services } from '../../interface/common/services.ts';
import { toSecret } from '../../lib/identity/secret.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import { REPLY_RETENTION_MS, type Storage } from '../../storage/port/port.ts';
import { limits } from '../settings/limits.ts';
import { HistoryRetention } from './history-retention.ts';

export function openStoredReplies(
  storage: Pick<Storage, 'findReply'>,
  sealer: Sealer,
  clock: () => number,
): AppOptions<Services>['replies'] {
  return {
    async find(who, key) {
      const stored = await storage.findReply(who, key);
      if (stored === undefined || stored.atMs <= clock() - REPLY_RETENTION_MS) return undefined;
      return { request: stored.request, reply: sealer.open(toSecret(stored.reply)) };
    },
  };
}

/** Deletes expired responses in small background steps. */
export function startReplyRetention(
  storage: Pick<Storage, 'deleteReplies'>,
  { clock, logger }: { readonly clock: () => number; readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn'> },
): HistoryRetention {
  const retention = new HistoryRetention({
    storage: { deleteChanges: (beforeMs, limit) => storage.deleteReplies(beforeMs, limit) },
    days: 1,
    clock,
    limits: limits.keptReplies,
    report: (replies) => logger.debug({ replies }, 'deleted expired responses of idempotent requests'),
    warn: (reason) => logger.warn({ err: reason }, 'expired responses of idempotent requests could not be deleted'),
  });
  retention.start();
  return retention;
}
