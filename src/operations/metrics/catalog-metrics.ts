/** Metrics of the catalog, its storage, and the connections of stores. */
import type { Storage } from '../../storage/port/port.ts';
import { type Collector, createFamily, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

/**
 * Size of the catalog, number of changes, and pending changes. Records are counted again only after a change, because
 * counting scans an index.
 */
export function createCatalogCollector(
  storage: Pick<Storage, 'countPendingWrites' | 'isWritable'>,
  kinds: readonly { readonly kind: string }[],
): Collector {
  let counted: { readonly position: number; readonly counts: readonly (readonly [string, number])[] } | undefined;
  return async (catalog) => {
    const position = catalog.position();
    if (counted?.position !== position) {
      const counts: [string, number][] = [];
      for (const kind of kinds) {
        counts.push([kind.kind, await catalog.count(kind)]);
      }
      counted = { position, counts };
    }
    return [
      createLabelledFamily(metrics.catalogRecords, 'kind', counted.counts),
      createFamily(metrics.changeLogPosition, position),
      createFamily(metrics.writeQueueDepth, storage.countPendingWrites()),
      createFamily(metrics.storageWritable, storage.isWritable() ? 1 : 0),
    ];
  };
}

interface SourceCounts {
  readonly sources: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Connection pools of stores, and unreachable stores. */
export function createSourceCollector(
  counts: () => SourceCounts,
  unreachable: () => Promise<readonly { readonly store: string }[]>,
): Collector {
  return async () => {
    const { sources, open, idle, waiting } = counts();
    return [
      createFamily(metrics.storesOpen, sources),
      createFamily(metrics.storeConnections, open),
      createFamily(metrics.storeConnectionsIdle, idle),
      createFamily(metrics.storeConnectionsWaiting, waiting),
      createFamily(metrics.storesUnreachable, (await unreachable()).length),
    ];
  };
}
