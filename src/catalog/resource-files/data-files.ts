/** The contents of `data`: files on the disk, and uploaded files of stores at the paths that clients see. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileFromHandle } from '../../lib/files/readable-file.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { type Store, toAnyStoreKind } from '../kinds/store.ts';
import { convertMissingFileError } from '../stores/uploaded-files.ts';
import type { DataFolder } from './data-folder.ts';
import {
  createUnknownResourceProblem,
  formatResourcePath,
  type ResourceAccess,
  type ResourceChild,
  type ResourceEntry,
  type ResourcePath,
} from './resource.ts';
import { listChildren } from './style-files.ts';

export interface DataFileServices {
  readonly dataFolder: DataFolder;
  readonly files: Files;
}

/** The store kinds that accept uploads. */
const kinds = [toAnyStoreKind(dataStoreKind), toAnyStoreKind(coverageStoreKind)];

/** The number of path segments of `<workspace>/<store>/1`. */
const PLACE_LENGTH = 3;

/** Stores with the same path: one of each kind, and renamed ones. */
const MAX_STORES_AT_PLACE = 100;

interface StoreWithFiles {
  readonly store: Store;
  readonly workspace: Workspace;
}

/** `path` starts below `data`. Returns undefined if nothing exists there. */
export async function findDataResource(
  catalog: CatalogReader,
  { dataFolder, files }: DataFileServices,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<ResourceEntry | undefined> {
  const stores = await listStoresAtPath(catalog, path);
  if (stores.length > 0) {
    return findUploadedResource(files, reach, stores, path);
  }
  checkPathAccess(reach, path);
  const entry = await dataFolder.find(path);
  if (entry?.kind === 'file') {
    const openDataFile = async () => {
      const found = await dataFolder.open(path);
      if (found === undefined) {
        throw createUnknownResourceProblem(['data', ...path]);
      }
      return { ...found.entry, file: createFileFromHandle(found.handle) };
    };
    return { ...entry, kind: 'file', open: openDataFile };
  }
  const named = await listFilePlaceNames(catalog, reach, path);
  if (entry === undefined && named.length === 0) {
    return undefined;
  }
  const there = entry === undefined ? [] : await dataFolder.list(path);
  const children = new Map<string, ResourceChild>([
    ...there.map(({ name, kind }) => [name, { name, kind }] as const),
    ...named.map((name) => [name, { name, kind: 'folder' }] as const),
  ]);
  const seen = [...children.values()].filter(({ name }) => path.length > 0 || reach.canAccess(name));
  return {
    kind: 'folder',
    children: seen.sort((one, other) => (one.name < other.name ? -1 : 1)),
    ...(entry === undefined ? {} : { modifiedAtMs: entry.modifiedAtMs }),
  };
}

/** Throws unless the caller may write there: uploaded files of stores change only by uploads. */
export async function checkMayWriteData(
  catalog: CatalogReader,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<void> {
  const full = ['data', ...path];
  const [first] = await listStoresAtPath(catalog, path);
  if (first !== undefined) {
    reach.checkWorkspace(first.workspace.name, full);
    throw problem('resource-uploaded', { path: formatResourcePath(full), store: first.store.name });
  }
  checkPathAccess(reach, path);
  // Workspace administrators must not delete or replace the folder of a workspace itself.
  if (path.length < 2) {
    reach.checkAdministrator();
  }
}

function checkPathAccess(reach: ResourceAccess, path: ResourcePath): void {
  const [workspace] = path;
  if (workspace !== undefined) {
    reach.checkWorkspace(workspace, ['data', ...path]);
  }
}

/** Lists the stores whose files a path refers to. */
async function listStoresAtPath(catalog: CatalogReader, path: ResourcePath): Promise<readonly StoreWithFiles[]> {
  if (path.length < PLACE_LENGTH) {
    return [];
  }
  return listStoresAtFilePlace(catalog, ['data', ...path.slice(0, PLACE_LENGTH)].join('/'));
}

async function listStoresAtFilePlace(catalog: CatalogReader, place: string): Promise<readonly StoreWithFiles[]> {
  const found = await Promise.all(kinds.map((kind) => catalog.findByKey(kind, 'place', place, MAX_STORES_AT_PLACE)));
  const filled: StoreWithFiles[] = [];
  for (const store of found.flat()) {
    const workspace = store.parent === null ? undefined : await catalog.get(workspaceKind, store.parent);
    if (workspace !== undefined) {
      filled.push({ store, workspace });
    }
  }
  return filled;
}

/** The store determines the permissions; it may have moved to another workspace since the upload. */
async function findUploadedResource(
  files: Files,
  reach: ResourceAccess,
  stores: readonly StoreWithFiles[],
  path: ResourcePath,
): Promise<ResourceEntry | undefined> {
  const full = ['data', ...path];
  const own = stores.filter(({ workspace }) => reach.canAccess(workspace.name)).map(({ store }) => store);
  if (own.length === 0) {
    reach.checkWorkspace(stores[0]?.workspace.name ?? '', full);
  }
  const inside = path.slice(PLACE_LENGTH).join('/');
  const prefix = inside === '' ? '' : `${inside}/`;
  const below: string[] = [];
  let modifiedAtMs = 0;
  for (const store of own) {
    const set = store.fileSet ?? '';
    const list = await convertMissingFileError(files.stored.readSetFiles(set), formatResourcePath(full));
    const file = list.find((each) => each.path === inside);
    if (file !== undefined) {
      checkNotMapping(store, full);
      const facts = { version: store.version, modifiedAtMs: store.modifiedAtMs, sizeBytes: file.bytes };
      const openDataFile = async () => {
        const folder = await convertMissingFileError(files.openSet(set), inside);
        return { ...facts, file: createFileFromHandle(await open(join(folder, inside))) };
      };
      return { kind: 'file', ...facts, open: openDataFile };
    }
    below.push(...list.filter((each) => each.path.startsWith(prefix)).map((each) => each.path.slice(prefix.length)));
    modifiedAtMs = Math.max(modifiedAtMs, store.modifiedAtMs);
  }
  return below.length === 0 ? undefined : { kind: 'folder', modifiedAtMs, children: listChildren(below) };
}

/** Mappings contain the passwords of their databases, which are never shown. */
function checkNotMapping({ parameters, type }: Store, path: ResourcePath): void {
  const isMapping =
    (parameters['dbtype'] ?? '').trim().toLowerCase() === 'app-schema' || /^application schema/i.test(type);
  if (isMapping) {
    throw problem('path-refused', {
      path: formatResourcePath(path),
      reason: 'mappings may contain passwords, which are never shown',
    });
  }
}

/** Lists the names directly below a path that lead to files of stores. */
async function listFilePlaceNames(
  catalog: CatalogReader,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<readonly string[]> {
  if (path.length >= PLACE_LENGTH) {
    return [];
  }
  const prefix = `${['data', ...path].join('/')}/`;
  const names = new Set<string>();
  for (const kind of kinds) {
    let from = prefix;
    for (;;) {
      const [place] = await catalog.listKeyValues(kind, 'place', { from, before: toUpperBound(prefix), limit: 1 });
      if (place === undefined) {
        break;
      }
      const [name = ''] = place.slice(prefix.length).split('/');
      const isSeen = reach.isAdministrator || path.length === 0 || (await isAccessiblePlace(catalog, reach, place));
      if (isSeen) {
        names.add(name);
      }
      // Skip all further paths with this name.
      from = toUpperBound(`${prefix}${name}/`);
    }
  }
  return [...names];
}

async function isAccessiblePlace(catalog: CatalogReader, reach: ResourceAccess, place: string): Promise<boolean> {
  return (await listStoresAtFilePlace(catalog, place)).some(({ workspace }) => reach.canAccess(workspace.name));
}

/** Returns the first text after all texts with a prefix, which ends with a slash. */
function toUpperBound(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}
