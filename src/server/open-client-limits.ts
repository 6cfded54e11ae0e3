/** Opens the limits for each client address. */
import { ClientLimits } from '../http/request/client-limits.ts';
import { noProxies } from '../http/request/request-head.ts';
import type { Settings } from './settings/settings.ts';

/** Returns undefined if no limit is set. */
export function openClientLimits({
  rateLimit,
  concurrentLimit,
  limitExempt,
}: Pick<Settings, 'rateLimit' | 'concurrentLimit' | 'limitExempt'>): ClientLimits | undefined {
  if (rateLimit === 0 && concurrentLimit === 0) return undefined;
  return new ClientLimits({
    perMinute: rateLimit,
    concurrent: concurrentLimit,
    exempt: limitExempt ?? noProxies,
    now: () => performance.now(),
  });
}
