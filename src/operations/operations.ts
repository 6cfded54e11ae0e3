/** The server looking at itself: what it is, whether its parts work, how the machine is, and what it has been doing. */
import type { CatalogSize } from '../records/catalog.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';
import type { StorageHealth } from './doctor/run-doctor.ts';
import type { BuildIdentity } from './identity/build-identity.ts';
import { createManifestReader } from './identity/manifest.ts';
import { createModuleStatuses, type ModuleStatuses, type ServerModule } from './identity/module-status.ts';
import { type AboutResource, filterResources, type ResourceFilter } from './identity/resource-filter.ts';
import { createVersionReport, type ReportedComponents } from './identity/version-report.ts';
import { EventLoopDelay } from './metrics/event-loop-delay.ts';
import { type Collector, formatExposition, type MetricFamily } from './metrics/exposition.ts';
import { collectProcessMetrics, createCatalogCollector, createDiskCollector } from './metrics/metric-families.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import type { DiskUsage } from './system/disk-usage.ts';
import type { SystemMonitor, SystemStatus } from './system/system-monitor.ts';

export interface OperationsOptions {
  readonly identity: BuildIdentity;
  readonly packageRoot: string;
  /** What clients know the three components by. */
  readonly components: ReportedComponents;
  readonly modules: readonly ServerModule[];
  readonly monitor: SystemMonitor;
  readonly storage: Pick<Storage, 'countPendingWrites'> & StorageHealth;
  /** What this server is called. */
  readonly node: string;
  readonly nodes: Nodes;
  readonly disk: DiskUsage;
  /** The kinds of records to count. */
  readonly recordKinds: readonly { readonly kind: string }[];
  /** Further numbers, such as the depths of connection pools. */
  readonly collectors?: readonly Collector[];
  /** Hears why a part of the server does not work. */
  readonly report: (module: string, reason: unknown) => void;
}

export interface Operations {
  /** The versions of the server, its geospatial layer and its tiles. */
  listVersions(filter: ResourceFilter): Promise<readonly AboutResource[]>;
  /** Everything the server is made of. */
  listManifest(filter: ResourceFilter): Promise<readonly AboutResource[]>;
  readonly modules: ModuleStatuses;
  /** What was last seen of the machine; never waits. */
  getSystemStatus(): SystemStatus;
  readonly requests: RequestMetrics;
  /** Those that work on the same storage. */
  readonly nodes: Nodes;
  /** What is left of its disks. */
  readonly disk: DiskUsage;
  /** Whether the database is whole. */
  readonly storage: StorageHealth;
  /** All numbers, those of the catalog from the state at hand, in the text format of Prometheus. */
  formatMetrics(catalog: CatalogSize): Promise<string>;
  /** Begins to watch; a server that is only built watches nothing. */
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
  return {
    name: 'graticule_build_info',
    type: 'gauge',
    help: 'Always 1; the labels tell which build this is.',
    samples: [{ labels: { version, revision, node }, value: 1 }],
  };
}
