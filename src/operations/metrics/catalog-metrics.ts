/** How large the catalog is, how often it was changed, and how many changes wait. */
import type { Storage } from '../../storage/port.ts';
import { type Collector, gauge } from './exposition.ts';

type Watched = Pick<Storage, 'count' | 'position' | 'pendingWrites'>;

/** Records are counted again only after a change: that reads through an index. */
export function catalogMetrics(storage: Watched, kinds: readonly string[]): Collector {
  let counted: { readonly position: number; readonly counts: readonly (readonly [string, number])[] } | undefined;
  return async () => {
    const position = storage.position();
    if (counted?.position !== position) {
      const counts: [string, number][] = [];
      for (const kind of kinds) {
        counts.push([kind, await storage.count(kind)]);
      }
      counted = { position, counts };
    }
    return [
      {
        name: 'graticule_catalog_records',
        type: 'gauge',
        help: 'Records in the catalog, by kind.',
        samples: counted.counts.map(([kind, value]) => ({ labels: { kind }, value })),
      },
      gauge('graticule_change_log_position', 'The sequence number of the last change.', position),
      gauge('graticule_write_queue_depth', 'Changes that wait or run.', storage.pendingWrites()),
    ];
  };
}
