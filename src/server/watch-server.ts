/** Wires the monitoring of the server: versions, modules, machine and metrics. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Dialect } from '../interface/common/dialects.ts';
import type { Backups } from '../operations/backup/backups.ts';
import { readBuildIdentity } from '../operations/identity/build-identity.ts';
import { createBackupCollector } from '../operations/metrics/backup-metrics.ts';
import { createSourceCollector } from '../operations/metrics/catalog-metrics.ts';
import type { Collector } from '../operations/metrics/exposition.ts';
import { createNodeCollector } from '../operations/metrics/node-metrics.ts';
import { type Operations, openOperations } from '../operations/operations.ts';
import { openDiskUsage } from '../operations/system/disk-usage.ts';
import { createLinuxProbe } from '../operations/system/linux-probe.ts';
import { createPortableProbe } from '../operations/system/portable-probe.ts';
import { SystemMonitor } from '../operations/system/system-monitor.ts';
import type { Files } from '../records/files/files.ts';
import { countOrphans } from '../records/files/orphans.ts';
import { type Disk, realDisk } from '../storage/blobs/disk.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';
import { createServerModules } from './server-modules.ts';
import type { DataServices } from './services/data-services.ts';
import { findBlobsDirectory } from './settings/file-storage.ts';
import { limits } from './settings/limits.ts';
import type { Settings } from './settings/settings.ts';
import { readVersion } from './settings/version.ts';
import { resolveNodeName } from './storage/open-storage.ts';
import { recordKinds } from './storage/record-kinds.ts';
import { createUndoRetention } from './storage/undo-retention.ts';

/** Creates the monitoring; sampling begins with `start`. */
export async function watchServer(
  {
    storage,
    nodes,
    files,
    collectors,
    dialect,
    data,
    backups,
  }: {
    readonly storage: Storage;
    readonly nodes: Nodes;
    readonly files: Pick<Files, 'getCopyUsage' | 'stored'>;
    /** Metrics of threads, tiles and sign-ins. */
    readonly collectors: readonly Collector[];
    readonly dialect: Dialect;
    readonly data: DataServices;
    readonly backups: Pick<Backups, 'readScheduleStatus'>;
  },
  settings: Settings,
  world: { readonly clock: () => number; readonly logger: FastifyBaseLogger; readonly disk?: Disk },
): Promise<Operations> {
  const { isNamed } = createUndoRetention(storage, settings, world.clock);
  const blobs = findBlobsDirectory(settings);
  const codeRoot = fileURLToPath(new URL('..', import.meta.url));
  const packageRoot = join(codeRoot, '..');
  const identity = await readBuildIdentity({ codeRoot, packageRoot }, readVersion());
  const monitor = new SystemMonitor({
    probe: process.platform === 'linux' ? createLinuxProbe() : createPortableProbe(),
    clock: world.clock,
    intervalMs: limits.systemSampleMs,
    report: (reason) => world.logger.warn({ err: reason }, 'the machine could not be measured'),
  });
  return openOperations({
    identity,
    packageRoot,
    components: dialect.components,
    modules: createServerModules({
      version: identity.version,
      dataDir: settings.dataDir,
      storage,
      database: settings.storage === undefined ? `SQLite ${process.versions['sqlite'] ?? ''}` : 'PostgreSQL',
      monitor,
      nodes,
      unreachableStores: data.unreachable.list,
      harvests: data.served.mosaics.progress.list,
    }),
    monitor,
    storage,
    node: resolveNodeName(settings),
    nodes,
    disk: openDiskUsage({
      folders: {
        data: settings.dataDir,
        'tile-cache': join(settings.dataDir, 'tile-cache'),
        ...(blobs === undefined ? {} : { blobs }),
      },
      disk: world.disk ?? realDisk,
      countOrphans: (signal) => countOrphans(files.stored, { isFileReferenced: isNamed }, signal),
      onError: (reason) => world.logger.warn({ err: reason }, 'unreferenced files could not be counted'),
    }),
    recordKinds,
    collectors: [
      ...collectors,
      createSourceCollector(data.served.vectorData.getCounts, data.unreachable.list),
      createBackupCollector(backups.readScheduleStatus),
      ...(nodes.isShared ? [createNodeCollector({ nodes, storage, getCopyUsage: files.getCopyUsage })] : []),
    ],
    report: (module, reason) => world.logger.warn({ err: reason, module }, 'a module is unhealthy'),
  });
}
