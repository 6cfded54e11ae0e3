/** Detects missing files on multi-node servers: every node needs the external files of stores on its own disk. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PathGate } from '../../gates/path-gate.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { listUploadDrivers, type VectorDriver } from '../../vector/port/driver.ts';
import { type CoverageStore, coverageStoreKind, getStoreUrl } from '../kinds/coverage-store.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { isMosaicType } from '../kinds/mosaic.ts';
import type { Store } from '../kinds/store.ts';

export interface NodeFiles {
  /** Returns the names of the files that a store refers to and this node lacks. */
  listMissing(store: Store): Promise<readonly string[]>;
  /** Logs once that this node lacks a file of the store, until the file exists or the store changes. */
  warnIfMissing(store: Store): Promise<void>;
}

export interface NodeFilesOptions {
  readonly drivers: readonly VectorDriver[];
  readonly storePaths: PathGate;
  readonly catalog: CatalogReader;
  readonly warn: (facts: { readonly store: string; readonly file: string }, message: string) => void;
}

const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

const MESSAGE =
  'this node lacks the file of a store, and the file is not in shared storage: mount its folder on every node, or upload the file to the store';

/** For a single node: missing files are reported when they are read. */
export const singleNodeFiles: NodeFiles = { listMissing: async () => [], warnIfMissing: async () => undefined };

function isRemote(store: CoverageStore): boolean {
  return parseRemoteUrl(getStoreUrl(store)) !== undefined;
}

export function createNodeFiles({ drivers, storePaths, catalog, warn }: NodeFilesOptions): NodeFiles {
  const withFiles = listUploadDrivers(drivers);
  /** The versions of stores that were logged, by id. */
  const noted = new Map<string, number>();

  function listStorePaths(store: Store): readonly string[] {
    if (store.fileSet !== null) return [];
    // The path of a mosaic is only a name: the index contains the paths of its granules.
    if (store.kind === coverageStoreKind.kind)
      return isMosaicType(store.type) || isRemote(store as CoverageStore) ? [] : [getStoreUrl(store as CoverageStore)];
    if (store.kind !== dataStoreKind.kind) return [];
    const driver = withFiles.find((each) => each.accepts(store.parameters));
    const named = driver?.pathParameters?.flatMap((name) => store.parameters[name] ?? []) ?? [];
    return named.filter((value) => driver?.parseRemoteUrl?.(value) === undefined);
  }

  async function missing(store: Store): Promise<readonly string[]> {
    const names: string[] = [];
    for (const named of listStorePaths(store)) {
      if (!(await isPresent(named))) names.push(basename(named));
    }
    return names;
  }

  async function isPresent(named: string): Promise<boolean> {
    try {
      await stat(await storePaths.resolveAllowed(named, server));
      return true;
    } catch (error) {
      // Forbidden paths are reported when they are read.
      return error instanceof Problem;
    }
  }

  return {
    listMissing: missing,
    async warnIfMissing(store) {
      const [file] = await missing(store);
      if (file === undefined) {
        noted.delete(store.id);
      } else if (noted.get(store.id) !== store.version) {
        noted.set(store.id, store.version);
        const workspace = await catalog.get(workspaceKind, store.parent ?? '');
        warn({ store: `${workspace?.name ?? ''}:${store.name}`, file }, MESSAGE);
      }
    },
  };
}
