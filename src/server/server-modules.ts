/** The modules of the server that administrators can inspect, and their health checks. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { coverageStoreKind } from '../catalog/kinds/coverage-store.ts';
import { dataStoreKind } from '../catalog/kinds/data-store.ts';
import type { RunningHarvest } from '../catalog/mosaics/harvest-progress.ts';
import type { UnreachableStore } from '../catalog/stores/unreachable-stores.ts';
import { enumerate } from '../lib/text/wording.ts';
import type { ServerModule } from '../operations/identity/module-status.ts';
import type { SystemMonitor } from '../operations/system/system-monitor.ts';
import { workspaceKind } from '../records/workspace.ts';
import { administratorKind } from '../security/core/administrator.ts';
import { urlCheckKind } from '../security/url-checks/url-check.ts';
import type { Nodes } from '../storage/nodes/nodes.ts';
import type { Storage } from '../storage/port/port.ts';

export interface ServerModuleInput {
  readonly version: string;
  readonly dataDir: string;
  readonly storage: Pick<Storage, 'isWritable' | 'countPendingWrites'>;
  /** The name of the database. */
  readonly database: string;
  readonly monitor: SystemMonitor;
  readonly nodes: Nodes;
  /** The stores whose data was unreachable at the last attempt. */
  readonly unreachableStores: () => Promise<readonly UnreachableStore[]>;
  readonly harvests: () => readonly RunningHarvest[];
}

/** Messages of checks contain no paths, because they are shown to clients; the reason of a failure is only logged. */
export function createServerModules({
  version,
  dataDir,
  storage,
  database,
  monitor,
  nodes,
  unreachableStores,
  harvests,
}: ServerModuleInput): readonly ServerModule[] {
  const createModule = (
    { module, name, component }: { readonly module: string; readonly name: string; readonly component: string },
    check: ServerModule['check'],
    kind: ServerModule['kind'] = 'core',
  ): ServerModule => ({ module: `graticule-${module}`, name, component, kind, version, enabled: true, check });

  return [
    createModule(
      { module: 'rest', name: 'REST Interface', component: 'HTTP' },
      async () => `Running on Node.js ${process.versions.node}.`,
    ),

    createModule({ module: 'catalog', name: 'Catalog', component: 'Records' }, async ({ catalog }) =>
      formatCount(await catalog.count(workspaceKind), 'workspace'),
    ),

    createModule(
      { module: 'storage', name: 'Storage', component: database.split(' ')[0] ?? database },
      async ({ catalog }) => {
        if (!storage.isWritable()) {
          throw new Error('A write to the disk failed. The server rejects changes until it is restarted');
        }
        return `${database}, at change ${catalog.position()}, pending writes: ${storage.countPendingWrites()}.`;
      },
    ),

    createModule({ module: 'nodes', name: 'Nodes', component: 'Storage' }, async () => {
      const entries = (await nodes.list()).filter(({ isAlive }) => isAlive);
      const here = entries.find(({ isHere }) => isHere)?.name ?? 'unregistered';
      const others = entries.filter(({ isHere }) => !isHere).map(({ name }) => name);
      return `Current node: ${here}${others.length === 0 ? '' : `. Other nodes: ${enumerate(others, others.length)}`}.`;
    }),

    createModule({ module: 'files', name: 'Data Directory', component: 'Files' }, async () => {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      return 'Readable and writable.';
    }),

    createModule(
      { module: 'data', name: 'Data Stores', component: 'Vector and raster data' },
      async ({ catalog, administers }) => {
        const stores = await unreachableStores();
        if (stores.length === 0) {
          return `${formatCount(await catalog.count(dataStoreKind), 'data store')} ${formatCount(await catalog.count(coverageStoreKind), 'coverage store')}`;
        }
        const theirs = stores.filter(({ workspace }) => administers(workspace));
        return {
          troubles:
            theirs.length === 0
              ? 'Some stores are unreachable.'
              : `Unreachable: ${enumerate(theirs.map(formatUnreachableStore), theirs.length)}.`,
        };
      },
    ),

    createModule({ module: 'mosaics', name: 'Image Mosaics', component: 'Harvests' }, async ({ administers }) => {
      const running = harvests();
      if (running.length === 0) {
        return 'No harvest is running.';
      }
      const theirs = running.filter(({ workspace }) => administers(workspace));
      return theirs.length === 0
        ? formatCount(running.length, 'harvest')
        : `Harvesting ${theirs.map(({ store, counts }) => `${store}: ${counts.files} files, ${counts.granules} granules, ${counts.skipped} skipped`).join('; ')}.`;
    }),

    createModule({ module: 'security', name: 'Security', component: 'Logins' }, async ({ catalog }) => {
      if ((await catalog.count(administratorKind)) === 0) {
        throw new Error('The built-in administrator is missing');
      }
      return 'The built-in administrator exists.';
    }),

    createModule({ module: 'gates', name: 'Gates', component: 'URLs, archives and paths' }, async ({ catalog }) =>
      formatCount(await catalog.count(urlCheckKind), 'URL check'),
    ),

    createModule(
      { module: 'monitor', name: 'System Monitor', component: 'Metrics' },
      async () => {
        if (!monitor.isWatching()) {
          throw new Error('The last measurement of the machine failed');
        }
        return 'The machine is monitored.';
      },
      'extension',
    ),
  ];
}

function formatUnreachableStore({ store, reason }: UnreachableStore): string {
  return `${store} (${reason})`;
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}.`;
}
