/** Metric families of the process, the catalog, and the connections of stores. */
import { getHeapStatistics } from 'node:v8';
import type { Storage } from '../../storage/port/port.ts';
import type { Backups } from '../backup/backups.ts';
import type { DiskRoot, DiskUsage } from '../system/disk-usage.ts';
import { type Collector, createCounter, createGauge, type MetricFamily } from './exposition.ts';

const MICROSECONDS = 1e6;

/** Resource usage of this process, under the conventional Prometheus names. */
export function collectProcessMetrics(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1_000;
  return [
    createCounter('process_cpu_seconds_total', 'CPU time used.', (user + system) / MICROSECONDS),
    createGauge('process_start_time_seconds', 'Start time of the process in seconds since 1970.', startedAtSeconds),
    createGauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
    createGauge('graticule_heap_used_bytes', 'Heap memory in use.', heapUsed),
    createGauge('graticule_heap_limit_bytes', 'Limit of the heap.', getHeapStatistics().heap_size_limit),
    createGauge('graticule_external_memory_bytes', 'Memory of buffers and native objects outside the heap.', external),
  ];
}

/**
 * Size of the catalog, number of changes, and pending changes. Records are counted again only after a change, because
 * counting scans an index.
 */
export function createCatalogCollector(
  storage: Pick<Storage, 'countPendingWrites'>,
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
      {
        name: 'graticule_catalog_records',
        type: 'gauge',
        help: 'Records in the catalog, by kind.',
        samples: counted.counts.map(([kind, value]) => ({ labels: { kind }, value })),
      },
      createGauge('graticule_change_log_position', 'The sequence number of the last change.', position),
      createGauge('graticule_write_queue_depth', 'Pending and running changes.', storage.countPendingWrites()),
    ];
  };
}

/** The memory budget and the thread pools that share it. */
export function createWorkCollector(
  budgetBytes: number,
  pools: Readonly<Record<string, { threads(): number; waiting(): number }>>,
): Collector {
  const countPerPool = (count: (pool: { threads(): number; waiting(): number }) => number) =>
    Object.entries(pools).map(([pool, found]) => ({ labels: { pool }, value: count(found) }));
  return () => [
    createGauge('graticule_memory_budget_bytes', 'Memory budget of the server.', budgetBytes),
    {
      name: 'graticule_worker_threads',
      type: 'gauge',
      help: 'Running threads by pool.',
      samples: countPerPool((pool) => pool.threads()),
    },
    {
      name: 'graticule_worker_tasks_waiting',
      type: 'gauge',
      help: 'Queued tasks by pool.',
      samples: countPerPool((pool) => pool.waiting()),
    },
  ];
}

/** Free disk space, and stored files without references. */
export function createDiskCollector(usage: Pick<DiskUsage, 'roots' | 'lastOrphans'>): Collector {
  return async () => {
    const roots = await usage.roots();
    const createRootGauge = (name: string, help: string, value: (root: DiskRoot) => number): MetricFamily => ({
      ...{ name, type: 'gauge', help },
      samples: roots.map((root) => ({ labels: { root: root.name }, value: value(root) })),
    });
    const orphans = usage.lastOrphans();
    return [
      createRootGauge(
        'graticule_disk_free_bytes',
        'Free bytes of the disks with stored files.',
        (root) => root.freeBytes,
      ),
      createRootGauge('graticule_disk_total_bytes', 'Size of the disks with stored files.', (root) => root.totalBytes),
      ...(orphans === undefined
        ? []
        : [
            createGauge('graticule_orphaned_bytes', 'Stored bytes without references, as last counted.', orphans.bytes),
            createGauge('graticule_orphaned_files', 'Stored files without references, as last counted.', orphans.files),
          ]),
    ];
  };
}

/** Disk usage of the file cache of this node. */
export function createCopyCollector(usage: () => { readonly bytes: number; readonly limitBytes: number }): Collector {
  return () => {
    const { bytes, limitBytes } = usage();
    return [
      createGauge('graticule_file_cache_bytes', 'Size of the file cache of this node.', bytes),
      createGauge('graticule_file_cache_limit_bytes', 'Size limit of the file cache of this node.', limitBytes),
    ];
  };
}

/** Scheduled backups; none without a schedule. */
export function createBackupCollector(readStatus: Backups['readScheduleStatus']): Collector {
  return async () => {
    const status = await readStatus();
    if (status === undefined) return [];
    const { success, failure } = status;
    const last =
      success === null
        ? []
        : [
            createGauge(
              'graticule_backup_last_success_time_seconds',
              'Time of the last scheduled backup in seconds since 1970.',
              success.atMs / 1_000,
            ),
            createGauge('graticule_backup_last_bytes', 'Size of the last scheduled backup.', success.bytes),
            createGauge(
              'graticule_backup_last_duration_seconds',
              'Duration of the last scheduled backup.',
              success.seconds,
            ),
          ];
    const isFailed = failure === null ? 0 : 1;
    return [
      ...last,
      createGauge('graticule_backup_failed', '1 if the last scheduled backup failed, else 0.', isFailed),
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
      createGauge('graticule_store_sources_open', 'Stores with open data.', sources),
      createGauge('graticule_store_connections_open', 'Connections to the databases of stores.', open),
      createGauge('graticule_store_connections_idle', 'Idle connections to the databases of stores.', idle),
      createGauge('graticule_store_connections_waiting', 'Requests waiting for a database connection.', waiting),
      createGauge(
        'graticule_stores_unreachable',
        'Stores that were unreachable on the last access.',
        (await unreachable()).length,
      ),
    ];
  };
}
