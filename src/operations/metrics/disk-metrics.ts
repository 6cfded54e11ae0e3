/** Free disk space, and stored files without references. */
import type { DiskUsage } from '../system/disk-usage.ts';
import { type Collector, createFamily, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createDiskCollector(usage: Pick<DiskUsage, 'roots' | 'lastOrphans'>): Collector {
  return async () => {
    const roots = await usage.roots();
    const orphans = usage.lastOrphans();
    return [
      createLabelledFamily(
        metrics.diskFree,
        'root',
        roots.map(({ name, freeBytes }) => [name, freeBytes] as const),
      ),
      createLabelledFamily(
        metrics.diskTotal,
        'root',
        roots.map(({ name, totalBytes }) => [name, totalBytes] as const),
      ),
      ...(orphans === undefined
        ? []
        : [createFamily(metrics.orphanedBytes, orphans.bytes), createFamily(metrics.orphanedFiles, orphans.files)]),
    ];
  };
}
