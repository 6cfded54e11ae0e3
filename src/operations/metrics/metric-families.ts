/** What can be watched here: the process, the catalog, and the connections to the data of stores. */
import { getHeapStatistics } from 'node:v8';
import type { Storage } from '../../storage/port/port.ts';
import type { DiskRoot, DiskUsage } from '../system/disk-usage.ts';
import { type Collector, createCounter, createGauge, type MetricFamily } from './exposition.ts';

const MICROSECONDS = 1e6;

/** What this process uses of the machine, under the names every such process is watched by. */
export function collectProcessMetrics(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1_000;
  return [
    createCounter('process_cpu_seconds_total', 'CPU time used.', (user + system) / MICROSECONDS),
    createGauge('process_start_time_seconds', 'When the process was started, in seconds since 1970.', startedAtSeconds),
    createGauge('process_resident_memory_bytes', 'Memory the process occupies.', rss),
    createGauge('graticule_heap_used_bytes', 'Heap memory in use.', heapUsed),
    createGauge('graticule_heap_limit_bytes', 'What the heap may grow to.', getHeapStatistics().heap_size_limit),
    createGauge('graticule_external_memory_bytes', 'Memory of buffers and native objects outside the heap.', external),
  ];
}

/**
 * How large the catalog is, how often it was changed, and how many changes wait. Records are counted again only after a
 * change: that reads through an index.
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
      createGauge('graticule_write_queue_depth', 'Changes that wait or run.', storage.countPendingWrites()),
    ];
  };
}

/** The memory budget, and the threads that share it. */
export function createWorkCollector(
  budgetBytes: number,
  pools: Readonly<Record<string, { threads(): number; waiting(): number }>>,
): Collector {
  const countPerPool = (count: (pool: { threads(): number; waiting(): number }) => number) =>
    Object.entries(pools).map(([pool, found]) => ({ labels: { pool }, value: count(found) }));
  return () => [
    createGauge('graticule_memory_budget_bytes', 'What the server may take, and is sized for.', budgetBytes),
    {
      name: 'graticule_worker_threads',
      type: 'gauge',
      help: 'Threads that run, by what they do.',
      samples: countPerPool((pool) => pool.threads()),
    },
    {
      name: 'graticule_worker_tasks_waiting',
      type: 'gauge',
      help: 'Tasks that wait for a thread, by what it does.',
      samples: countPerPool((pool) => pool.waiting()),
    },
  ];
}

/** What is left of the disks, and what is stored that nothing needs. */
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
        'Free bytes of the disks that files are stored on.',
        (root) => root.freeBytes,
      ),
      createRootGauge(
        'graticule_disk_total_bytes',
        'Size of the disks that files are stored on.',
        (root) => root.totalBytes,
      ),
      ...(orphans === undefined
        ? []
        : [
            createGauge(
              'graticule_orphaned_bytes',
              'Stored bytes that nothing references, as last counted.',
              orphans.bytes,
            ),
            createGauge(
              'graticule_orphaned_files',
              'Stored files that nothing references, as last counted.',
              orphans.files,
            ),
          ]),
    ];
  };
}

/** What copies of shared files take of the disk of this node. */
export function createCopyCollector(usage: () => { readonly bytes: number; readonly limitBytes: number }): Collector {
  return () => {
    const { bytes, limitBytes } = usage();
    return [
      createGauge('graticule_file_cache_bytes', 'Copies of shared files on the disk of this node.', bytes),
      createGauge('graticule_file_cache_limit_bytes', 'What they may take.', limitBytes),
    ];
  };
}

interface SourceCounts {
  readonly sources: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** How busy the connections to the data of stores are, and how many stores have none. */
export function createSourceCollector(
  counts: () => SourceCounts,
  unreachable: () => Promise<readonly { readonly store: string }[]>,
): Collector {
  return async () => {
    const { sources, open, idle, waiting } = counts();
    return [
      createGauge('graticule_store_sources_open', 'Stores whose data is open.', sources),
      createGauge('graticule_store_connections_open', 'Connections to the databases of stores.', open),
      createGauge('graticule_store_connections_idle', 'Connections to the databases of stores that nobody uses.', idle),
      createGauge('graticule_store_connections_waiting', 'Requests that wait for a connection to a database.', waiting),
      createGauge(
        'graticule_stores_unreachable',
        'Stores whose data could not be reached when it was last asked for.',
        (await unreachable()).length,
      ),
    ];
  };
}
