/** What drivers may open: the paths, folders, hosts and secrets of one store, one upload or one copy. */
import { join } from 'node:path';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import { isAdministrator, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Files } from '../../records/files/files.ts';
import type { DriverContext } from '../../vector/port/driver.ts';
import type { IndexFolder } from '../../vector/port/index-folder.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';
import type { ParameterCheckContext } from './accept-parameters.ts';
import { convertMissingFileError, resolveInsideFiles } from './uploaded-files.ts';

export interface DriverContextOptions extends Pick<ParameterCheckContext, 'clientPaths' | 'databaseHosts'> {
  /** For paths of existing stores. */
  readonly storePaths: PathGate;
  readonly files: Pick<Files, 'openSet' | 'noteUse'>;
  readonly dataDir: string;
  /** For the files of stores. */
  readonly indexFolder: IndexFolder;
  /** Evaluates filters that a store does not support. */
  readonly filterRunner: FilterRunner;
}

/** The location of data that belongs to no store yet. */
export interface StagedLocation {
  /** The path in its parameters. */
  readonly path: string;
  /** The folder of all files of the upload; absent for files of the server. */
  readonly root?: string | undefined;
  /** The uploader, whose permissions apply to other paths and hosts in the data. */
  readonly principal: Principal;
}

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

/** The context of stores without uploaded files. */
export function createServerContext({ storePaths, indexFolder, filterRunner }: DriverContextOptions): DriverContext {
  return {
    resolvePath: (named) => storePaths.resolveAllowed(named, server),
    mayUseSecrets: true,
    indexFolder,
    filterRunner,
  };
}

/** Resolves uploaded files in their set, and all other paths through the path gate. */
export function createStoreContext(options: DriverContextOptions, store: StoreFiles): DriverContext {
  const { dataDir, files } = options;
  const { fileSet } = store;
  const context = createServerContext(options);
  return {
    ...context,
    async resolvePath(named) {
      const inside = resolveInsideFiles(store, dataDir, named);
      return fileSet === null || inside === undefined
        ? context.resolvePath(named)
        : join(await convertMissingFileError(files.openSet(fileSet), named), ...inside);
    },
    async findFolder(named) {
      const inside = resolveInsideFiles(store, dataDir, named);
      return fileSet === null || inside === undefined
        ? undefined
        : convertMissingFileError(files.openSet(fileSet), named);
    },
  };
}

/** Paths within the data are checked with the permissions of the uploader. */
export function createStagedContext(
  { clientPaths, databaseHosts, filterRunner }: DriverContextOptions,
  { path, root, principal }: StagedLocation,
): DriverContext {
  return {
    resolvePath: async (named) => (named === path ? path : clientPaths.resolveAllowed(named, principal)),
    findFolder: async () => root,
    mayUseSecrets: isAdministrator(principal),
    checkHost: (host) => {
      if (!isAdministrator(principal) && !databaseHosts.has(host)) {
        throw problem('database-host-refused', { host });
      }
    },
    filterRunner,
  };
}

/** Permits access only to the copy. */
export function createCopyContext(
  { dataDir, filterRunner }: DriverContextOptions,
  store: DataStore,
  folder: string,
): DriverContext {
  return {
    async resolvePath(named) {
      const inside = resolveInsideFiles(store, dataDir, named);
      if (inside === undefined) {
        throw new Error('The path is outside the copy of the uploaded files');
      }
      return join(folder, ...inside);
    },
    filterRunner,
  };
}
