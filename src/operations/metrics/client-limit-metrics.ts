/** The limits for each client address; no metrics without a limit. */
import { type Collector, createFamily, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createClientLimitCollector(
  limits:
    | { countRejected(): { readonly rate: number; readonly concurrent: number }; countTracked(): number }
    | undefined,
): Collector {
  return () =>
    limits === undefined
      ? []
      : [
          createLabelledFamily(metrics.rejectedRequests, 'limit', Object.entries(limits.countRejected())),
          createFamily(metrics.limitedAddresses, limits.countTracked()),
        ];
}
