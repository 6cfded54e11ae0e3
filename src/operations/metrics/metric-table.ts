/** Every metric of `/metrics`, declared once. The collectors refer to it, and `docs/metrics.md` is generated from it. */

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: 'bytes' | 'seconds' | 'none';
  /** The labels of each sample with their meaning, in output order. Values are names of the code or of the operator. */
  readonly labels: Readonly<Record<string, string>>;
  readonly help: string;
  /** When it is present, if not always. */
  readonly presence?:
    | 'several nodes'
    | 'scheduled backups'
    | 'after the first scheduled backup'
    | 'after the first count'
    | 'limits for each client address'
    | 'shared tiles';
  /** The file that records it, below `src/`. */
  readonly recordedIn: string;
}

const route = 'The pattern of the path; `unmatched` for unknown paths.';
const method = 'The HTTP method; `other` for unknown methods.';
const status = 'The HTTP status; 499 if the client disconnected before the response.';
const service = '`WMS`, `WFS`, `WCS`, `Tiles`, `OGC API Features` and others; `REST` for the REST interface.';
const operation =
  'The operation, such as `GetMap`, or the last fixed part of the path; `other` for unknown operations; the family of resources for `REST`.';
const pool = 'The kind of work: `maps`, `encode`, `filters`, `data`, `granules`, `harvest`, `unpack` or `styles`.';
const requestMetrics = 'operations/metrics/request-metrics.ts';
const processMetrics = 'operations/metrics/process-metrics.ts';
const workMetrics = 'operations/metrics/work-metrics.ts';
const catalogMetrics = 'operations/metrics/catalog-metrics.ts';
const measureWork = 'lib/measure/measure-work.ts';
const noLabels = {};

/** In the order of the sections and lines of the documentation. */
export const metricSections = {
  Server: {
    buildInfo: {
      name: 'graticule_build_info',
      type: 'gauge',
      unit: 'none',
      labels: { version: 'The version.', revision: 'The commit.', node: 'The name of the node.' },
      help: 'Always 1; the labels identify the build.',
      recordedIn: 'operations/operations.ts',
    },
    cpuSeconds: {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      unit: 'seconds',
      labels: noLabels,
      help: 'CPU time used.',
      recordedIn: processMetrics,
    },
    startTime: {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      labels: noLabels,
      help: 'Start time of the process in seconds since 1970.',
      recordedIn: processMetrics,
    },
    residentMemory: {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Resident memory of the process.',
      recordedIn: processMetrics,
    },
    memoryBudget: {
      name: 'graticule_memory_budget_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Memory budget of the server.',
      recordedIn: workMetrics,
    },
    heapUsed: {
      name: 'graticule_heap_used_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Heap memory in use.',
      recordedIn: processMetrics,
    },
    heapLimit: {
      name: 'graticule_heap_limit_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Limit of the heap.',
      recordedIn: processMetrics,
    },
    externalMemory: {
      name: 'graticule_external_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Memory of buffers and native objects outside the heap.',
      recordedIn: processMetrics,
    },
    eventLoopDelay: {
      name: 'graticule_event_loop_delay_seconds',
      type: 'gauge',
      unit: 'seconds',
      labels: { statistic: '`p50`, `p99` or `max`.' },
      help: 'Maximum delay of the event loop in the last one to two minutes.',
      recordedIn: 'operations/metrics/event-loop-delay.ts',
    },
  },
  Requests: {
    requests: {
      name: 'graticule_requests_total',
      type: 'counter',
      unit: 'none',
      labels: { service, operation, status },
      help: 'Requests answered, by service, operation and status.',
      recordedIn: requestMetrics,
    },
    requestDuration: {
      name: 'graticule_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: { service, operation },
      help: 'Time from the arrival of a request to the end of its response, by service and operation.',
      recordedIn: requestMetrics,
    },
    httpRequests: {
      name: 'graticule_http_requests_total',
      type: 'counter',
      unit: 'none',
      labels: { route, method, status },
      help: 'Requests answered, by route, method and status.',
      recordedIn: requestMetrics,
    },
    httpRequestDuration: {
      name: 'graticule_http_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: { route, method },
      help: 'Time from the arrival of a request to the end of its response.',
      recordedIn: requestMetrics,
    },
    requestsInProgress: {
      name: 'graticule_http_requests_in_progress',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Requests that have arrived and are not answered yet, including event streams.',
      recordedIn: requestMetrics,
    },
  },
  'Maps, tiles and data': {
    renderDuration: {
      name: 'graticule_render_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: { kind: '`picture` or `document` (PDF, SVG).' },
      help: 'Time to draw a map, including the queries of its layers and waiting for a thread.',
      recordedIn: measureWork,
    },
    queryDuration: {
      name: 'graticule_query_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: { driver: 'The type of the store, such as `PostGIS` or `GeoTIFF`.' },
      help: 'Time that a query waits for the data of a store, without the time in which its features are used.',
      recordedIn: measureWork,
    },
    encodeDuration: {
      name: 'graticule_encode_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: { format: 'The name of the format, such as `GeoJSON` or `png`.' },
      help: 'Time to encode features or a picture. For features, it includes the queries.',
      recordedIn: measureWork,
    },
    outgoingDuration: {
      name: 'graticule_outgoing_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: noLabels,
      help: 'Time until another server has sent the head of its response: cascaded services, downloads and webhooks.',
      recordedIn: measureWork,
    },
    tileLookups: {
      name: 'graticule_tile_cache_lookups_total',
      type: 'counter',
      unit: 'none',
      labels: { result: '`memory`, `disk` and `shared` (--tiles) for a hit, `miss` otherwise.' },
      help: 'Tiles looked up in the tile cache, by result. Tiles that are not cached do not count.',
      recordedIn: 'tiles/cache/tile-cache.ts',
    },
    tileCacheSize: {
      name: 'graticule_tile_cache_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: { tier: '`memory`, `disk`, or `shared` with --tiles.' },
      help: 'Size of the tile cache. Files of earlier runs are counted in the background after the first tile.',
      recordedIn: 'operations/metrics/tile-metrics.ts',
    },
    tileCacheLimit: {
      name: 'graticule_tile_cache_limit_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: { tier: '`memory`, `disk`, or `shared` with --tiles.' },
      help: 'Size limit of the tile cache.',
      recordedIn: 'operations/metrics/tile-metrics.ts',
    },
    sharedTileFailures: {
      name: 'graticule_shared_tile_failures_total',
      type: 'counter',
      unit: 'none',
      labels: { operation: '`read` or `write`.' },
      help: 'With --tiles: lookups that failed or took too long, and tiles that were not written. They are drawn instead.',
      presence: 'shared tiles',
      recordedIn: 'tiles/shared/shared-tiles.ts',
    },
  },
  'Worker threads and queues': {
    workerThreads: {
      name: 'graticule_worker_threads',
      type: 'gauge',
      unit: 'none',
      labels: { pool },
      help: 'Running threads by pool.',
      recordedIn: workMetrics,
    },
    workerThreadsLimit: {
      name: 'graticule_worker_threads_limit',
      type: 'gauge',
      unit: 'none',
      labels: { pool },
      help: 'Maximum number of threads by pool.',
      recordedIn: workMetrics,
    },
    tasksRunning: {
      name: 'graticule_worker_tasks_running',
      type: 'gauge',
      unit: 'none',
      labels: { pool },
      help: 'Running tasks by pool. A thread of the pool encode runs one task for many documents.',
      recordedIn: workMetrics,
    },
    tasksWaiting: {
      name: 'graticule_worker_tasks_waiting',
      type: 'gauge',
      unit: 'none',
      labels: { pool },
      help: 'Queued tasks by pool.',
      recordedIn: workMetrics,
    },
    tasksFinished: {
      name: 'graticule_worker_tasks_total',
      type: 'counter',
      unit: 'none',
      labels: { pool, result: '`done`, `failed`, or `rejected` because too many tasks waited.' },
      help: 'Finished and rejected tasks by pool. Maps wait and are rejected before they reach their pool.',
      recordedIn: 'workers/pool.ts',
    },
    busySeconds: {
      name: 'graticule_worker_busy_seconds_total',
      type: 'counter',
      unit: 'seconds',
      labels: { pool },
      help: 'Time that finished tasks spent in a thread, by pool.',
      recordedIn: 'workers/pool.ts',
    },
  },
  'Catalog and storage': {
    catalogRecords: {
      name: 'graticule_catalog_records',
      type: 'gauge',
      unit: 'none',
      labels: { kind: 'The kind of record.' },
      help: 'Records in the catalog, by kind.',
      recordedIn: catalogMetrics,
    },
    changeLogPosition: {
      name: 'graticule_change_log_position',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'The sequence number of the last change.',
      recordedIn: catalogMetrics,
    },
    writeQueueDepth: {
      name: 'graticule_write_queue_depth',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Pending and running changes.',
      recordedIn: catalogMetrics,
    },
    commitDuration: {
      name: 'graticule_commit_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      labels: noLabels,
      help: 'Time of a change: waiting for earlier changes, the change itself and its durable commit.',
      recordedIn: measureWork,
    },
    storageWritable: {
      name: 'graticule_storage_writable',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: '1 if the storage accepts changes, else 0.',
      recordedIn: catalogMetrics,
    },
    storageConnections: {
      name: 'graticule_storage_connections',
      type: 'gauge',
      unit: 'none',
      labels: { state: '`active` or `idle`.' },
      help: 'Connections to the database of the catalog that read snapshots.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
    storesOpen: {
      name: 'graticule_store_sources_open',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Stores with open data.',
      recordedIn: catalogMetrics,
    },
    storeConnections: {
      name: 'graticule_store_connections_open',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Connections to the databases of stores.',
      recordedIn: catalogMetrics,
    },
    storeConnectionsIdle: {
      name: 'graticule_store_connections_idle',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Idle connections to the databases of stores.',
      recordedIn: catalogMetrics,
    },
    storeConnectionsWaiting: {
      name: 'graticule_store_connections_waiting',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Requests waiting for a database connection.',
      recordedIn: catalogMetrics,
    },
    storesUnreachable: {
      name: 'graticule_stores_unreachable',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Stores that were unreachable on the last access.',
      recordedIn: catalogMetrics,
    },
  },
  Security: {
    dataKeys: {
      name: 'graticule_keystore_data_keys',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Data keys in the keystore: each rotation adds one.',
      recordedIn: 'operations/metrics/keystore-metrics.ts',
    },
    keyRotationUnfinished: {
      name: 'graticule_keystore_rotation_unfinished',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: '1 if a rotation of the data key or of the server key is not finished, else 0.',
      recordedIn: 'operations/metrics/keystore-metrics.ts',
    },
    nodesWithoutKeys: {
      name: 'graticule_keystore_nodes_behind',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Active nodes that have not loaded the current data key or the next one.',
      recordedIn: 'operations/metrics/keystore-metrics.ts',
    },
    logLinesDropped: {
      name: 'graticule_log_lines_dropped_total',
      type: 'counter',
      unit: 'none',
      labels: { log: '`access` or `audit`.' },
      help: 'Lines of the access log and the audit log that were dropped, because their file could not be written for long.',
      recordedIn: 'operations/metrics/log-metrics.ts',
    },
    signIns: {
      name: 'graticule_sign_ins_total',
      type: 'counter',
      unit: 'none',
      labels: {
        result:
          '`success`, `failure`, `throttled` (too many failures), or `unavailable` (a directory or an identity provider did not respond).',
      },
      help: 'Verified credentials. Credentials that are remembered from an earlier request do not count again.',
      recordedIn: 'security/sign-in-attempt.ts',
    },
    rejectedRequests: {
      name: 'graticule_requests_rejected_total',
      type: 'counter',
      unit: 'none',
      labels: { limit: '`rate` for requests per minute, `concurrent` for requests at the same time.' },
      help: 'Requests rejected because of the limits for each client address.',
      presence: 'limits for each client address',
      recordedIn: 'operations/metrics/client-limit-metrics.ts',
    },
    limitedAddresses: {
      name: 'graticule_limited_addresses',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Client addresses whose requests are counted.',
      presence: 'limits for each client address',
      recordedIn: 'operations/metrics/client-limit-metrics.ts',
    },
  },
  Disk: {
    diskFree: {
      name: 'graticule_disk_free_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: { root: 'The directory: `data`, `tile-cache` or `blobs`.' },
      help: 'Free bytes of the disks with stored files.',
      recordedIn: 'operations/metrics/disk-metrics.ts',
    },
    diskTotal: {
      name: 'graticule_disk_total_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: { root: 'The directory: `data`, `tile-cache` or `blobs`.' },
      help: 'Size of the disks with stored files.',
      recordedIn: 'operations/metrics/disk-metrics.ts',
    },
    orphanedBytes: {
      name: 'graticule_orphaned_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Stored bytes without references, as last counted.',
      presence: 'after the first count',
      recordedIn: 'operations/metrics/disk-metrics.ts',
    },
    orphanedFiles: {
      name: 'graticule_orphaned_files',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Stored files without references, as last counted.',
      presence: 'after the first count',
      recordedIn: 'operations/metrics/disk-metrics.ts',
    },
  },
  Nodes: {
    nodesAlive: {
      name: 'graticule_nodes_alive',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Nodes of the same storage that have reported within 20 seconds.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
    nodeLag: {
      name: 'graticule_node_lag_changes',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Changes that another node has reported and this node has not applied yet.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
    nodeClockAhead: {
      name: 'graticule_node_clock_ahead_seconds',
      type: 'gauge',
      unit: 'seconds',
      labels: noLabels,
      help: 'Time by which the clock of this node is ahead of the clock of the database; negative if it is behind.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
    fileCache: {
      name: 'graticule_file_cache_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Size of the file cache of this node.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
    fileCacheLimit: {
      name: 'graticule_file_cache_limit_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Size limit of the file cache of this node.',
      presence: 'several nodes',
      recordedIn: 'operations/metrics/node-metrics.ts',
    },
  },
  Backups: {
    backupTime: {
      name: 'graticule_backup_last_success_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      labels: noLabels,
      help: 'Time of the last scheduled backup in seconds since 1970.',
      presence: 'after the first scheduled backup',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
    backupBytes: {
      name: 'graticule_backup_last_bytes',
      type: 'gauge',
      unit: 'bytes',
      labels: noLabels,
      help: 'Size of the last scheduled backup.',
      presence: 'after the first scheduled backup',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
    backupDuration: {
      name: 'graticule_backup_last_duration_seconds',
      type: 'gauge',
      unit: 'seconds',
      labels: noLabels,
      help: 'Duration of the last scheduled backup.',
      presence: 'after the first scheduled backup',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
    backupDamagedFiles: {
      name: 'graticule_backup_last_damaged_files',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: 'Number of stored files in the last scheduled backup that are damaged.',
      presence: 'after the first scheduled backup',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
    backupFailed: {
      name: 'graticule_backup_failed',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: '1 if the last scheduled backup failed, else 0.',
      presence: 'scheduled backups',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
    backupOverdue: {
      name: 'graticule_backup_overdue',
      type: 'gauge',
      unit: 'none',
      labels: noLabels,
      help: '1 if a scheduled backup is overdue, else 0.',
      presence: 'scheduled backups',
      recordedIn: 'operations/metrics/backup-metrics.ts',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Metric>>>>;

type Sections = typeof metricSections;

/** All metrics by the name that the code uses. */
export const metrics = Object.assign({}, ...Object.values(metricSections)) as Sections['Server'] &
  Sections['Requests'] &
  Sections['Maps, tiles and data'] &
  Sections['Worker threads and queues'] &
  Sections['Catalog and storage'] &
  Sections['Security'] &
  Sections['Disk'] &
  Sections['Nodes'] &
  Sections['Backups'];
