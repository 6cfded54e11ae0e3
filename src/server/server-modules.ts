/** Every part of the server that an administrator can look up, and how to tell whether it works. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { ServerModule } from '../operations/modules/server-module.ts';
import type { SystemMonitor } from '../operations/system/system-monitor.ts';
import { workspaceKind } from '../records/workspace.ts';
import { administratorKind } from '../security/administrator.ts';
import { urlCheckKind } from '../security/url-checks/url-check.ts';
import type { Storage } from '../storage/port.ts';

export interface ModuleWorld {
  readonly version: string;
  readonly dataDir: string;
  readonly storage: Storage;
  readonly monitor: SystemMonitor;
}

/** A check says what it found without naming places: its message is shown, the reason of a failure is logged. */
export function serverModules({ version, dataDir, storage, monitor }: ModuleWorld): readonly ServerModule[] {
  const part = (
    module: string,
    name: string,
    component: string,
    check: () => Promise<string>,
    kind: ServerModule['kind'] = 'core',
  ): ServerModule => ({ module: `graticule-${module}`, name, component, kind, version, enabled: true, check });

  return [
    part('rest', 'REST Interface', 'HTTP', async () => `Running on Node.js ${process.versions.node}.`),

    part('catalog', 'Catalog', 'Records', async () => counted(await storage.count(workspaceKind.kind), 'workspace')),

    part('storage', 'Storage', 'SQLite', async () => {
      const position = storage.position();
      return `SQLite ${process.versions['sqlite'] ?? ''}; change ${position}, ${storage.pendingWrites()} waiting.`;
    }),

    part('files', 'Data Directory', 'Files', async () => {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      return 'Can be read and written.';
    }),

    part('security', 'Security', 'Logins', async () => {
      if ((await storage.count(administratorKind.kind)) === 0) {
        throw new Error('The built-in administrator is missing');
      }
      return 'The built-in administrator is there.';
    }),

    part('gates', 'Gates', 'URLs, archives and paths', async () =>
      counted(await storage.count(urlCheckKind.kind), 'URL check'),
    ),

    part(
      'monitor',
      'System Monitor',
      'Metrics',
      async () => {
        if (!monitor.isWatching()) {
          throw new Error('The machine could not be looked at lately');
        }
        return 'The machine is watched.';
      },
      'extension',
    ),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}.`;
}
