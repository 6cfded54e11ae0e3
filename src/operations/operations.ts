/** Introspection of the server: identity, module status, machine metrics and request metrics. */
import type { CatalogSize } from '../records/catalog.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';
import type { StorageHealth } from './doctor/run-doctor.ts';
import type { BuildIdentity } from './identity/build-identity.ts';
import { createManifestReader } from './identity/manifest.ts';
import { createModuleStatuses, type ModuleStatuses, type ServerModule } from './identity/module-status.ts';
import { type AboutResource, filterResources, type ResourceFilter } from './identity/resource-filter.ts';
import { createVersionReport, type ReportedComponents } from './identity/version-report.ts';
import { createCatalogCollector } from './metrics/catalog-metrics.ts';
import { createDiskCollector } from './metrics/disk-metrics.ts';
import { EventLoopDelay } from './metrics/event-loop-delay.ts';
import { type Collector, formatExposition, type MetricFamily } from './metrics/exposition.ts';
import { metrics } from './metrics/metric-table.ts';
import { collectProcessMetrics } from './metrics/process-metrics.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { collectDurations } from './metrics/work-metrics.ts';
import type { DiskUsage } from './system/disk-usage.ts';
import type { SystemMonitor, SystemStatus } from './system/system-monitor.ts';

export interface OperationsOptions {
  readonly identity: BuildIdentity;
  readonly packageRoot: string;
  /** The names of the three components in the version report. */
  readonly components: ReportedComponents;
  readonly modules: readonly ServerModule[];
  readonly monitor: SystemMonitor;
  readonly storage: Pick<Storage, 'countPendingWrites' | 'isWritable'> & StorageHealth;
  /** The name of this server. */
  readonly node: string;
  readonly nodes: Nodes;
  readonly disk: DiskUsage;
  /** The record kinds to count. */
  readonly recordKinds: readonly { readonly kind: string }[];
  /** Additional metrics, such as connection pools. */
  readonly collectors?: readonly Collector[];
  /** Receives the reason of a failed module check. */
  readonly report: (module: string, reason: unknown) => void;
}

export interface Operations {
  /** The versions of the server, its geospatial layer and its tile library. */
  listVersions(filter: ResourceFilter): Promise<readonly AboutResource[]>;
  /** The components of the server. */
  listManifest(filter: ResourceFilter): Promise<readonly AboutResource[]>;
  readonly modules: ModuleStatuses;
  /** The last sample of the machine; never waits. */
  getSystemStatus(): SystemStatus;
  readonly requests: RequestMetrics;
  /** The nodes that share the storage. */
  readonly nodes: Nodes;
  /** The usage of its disks. */
  readonly disk: DiskUsage;
  /** The integrity of the database. */
  readonly storage: StorageHealth;
  /** All metrics in the Prometheus text format; catalog metrics use the given state. */
  formatMetrics(catalog: CatalogSize): Promise<string>;
  /** Starts sampling; a server that is only constructed samples nothing. */
  start(): void;
  stop(): void;
}

export function openOperations(options: OperationsOptions): Operations {
  const { identity, monitor } = options;
  const versions = createVersionReport(options.components, identity);
  const manifest = createManifestReader({ ...options, runtime: process.versions });
  const requests = new RequestMetrics();
  const eventLoop = new EventLoopDelay();
  const collectors: readonly Collector[] = [
    () => [createBuildInfoMetric(identity, options.node)],
    () => requests.collect(),
    createCatalogCollector(options.storage, options.recordKinds),
    () => eventLoop.collect(),
    collectProcessMetrics,
    collectDurations,
    createDiskCollector(options.disk),
    ...(options.collectors ?? []),
  ];

  return {
    listVersions: (filter) => filterResources(versions, filter),
    listManifest: async (filter) => filterResources(await manifest(), filter),
    modules: createModuleStatuses(options.modules, options.report),
    getSystemStatus: () => monitor.getLatest(),
    requests,
    nodes: options.nodes,
    disk: options.disk,
    storage: options.storage,
    async formatMetrics(catalog) {
      const families = await Promise.all(collectors.map((collect) => collect(catalog)));
      return formatExposition(families.flat());
    },
    start() {
      monitor.start();
      eventLoop.start();
    },
    stop() {
      eventLoop.stop();
      monitor.stop();
      options.disk.stop();
    },
  };
}

function createBuildInfoMetric({ version, revision }: BuildIdentity, node: string): MetricFamily {
  return { metric: metrics.buildInfo, samples: [{ labels: { version, revision, node }, value: 1 }] };
}
