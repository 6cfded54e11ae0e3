/** Hits, misses and the size of the tile cache. */
import type { TileCacheCounts } from '../../tiles/cache/tile-cache.ts';
import { type Collector, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createTileCollector(counts: () => TileCacheCounts): Collector {
  return () => {
    const { lookups, disk, memory, shared } = counts();
    return [
      createLabelledFamily(metrics.tileLookups, 'result', Object.entries(lookups)),
      createLabelledFamily(metrics.tileCacheSize, 'tier', [
        ['memory', memory.bytes],
        ['disk', disk.bytes],
        ...(shared === undefined ? [] : [['shared', shared.bytes] as const]),
      ]),
      createLabelledFamily(metrics.tileCacheLimit, 'tier', [
        ['memory', memory.maxBytes],
        ['disk', disk.maxBytes],
        ...(shared === undefined ? [] : [['shared', shared.maxBytes] as const]),
      ]),
      ...(shared === undefined
        ? []
        : [
            createLabelledFamily(metrics.sharedTileFailures, 'operation', [
              ['read', shared.failedReads],
              ['write', shared.skippedWrites],
            ]),
          ]),
    ];
  };
}
