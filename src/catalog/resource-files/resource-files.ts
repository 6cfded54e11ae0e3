/** Reads, writes, moves and deletes files of the data directory by path, regardless of how they are stored. */
import { join } from 'node:path';
import { type ReadableFile, readFileBytes, saveFile } from '../../lib/files/readable-file.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { PALETTE_FOLDER } from '../kinds/style.ts';
import type { StyleServices } from '../styles/style-services.ts';
import type { StyledLayerOptions } from '../styles/styled-layers.ts';
import { checkMayWriteData, type DataFileServices, findDataResource } from './data-files.ts';
import {
  createResourceAccess,
  createUnknownResourceProblem,
  formatResourcePath,
  parseResourcePath,
  type ResourceAccess,
  type ResourceEntry,
  type ResourceFile,
  type ResourcePath,
  type ResourceTarget,
} from './resource.ts';
import { deleteStyleFile, findStyleResource, putStyleFile, type SentFile } from './style-files.ts';
import {
  deleteTemplateFile,
  findTemplateResource,
  isLayoutFileName,
  isTemplateName,
  putTemplateFile,
} from './template-files.ts';

export interface ResourceServices extends DataFileServices {
  readonly styles: StyleServices;
}

/** The caller. */
export interface ResourceUser {
  readonly principal: Principal;
  readonly permissions: Permissions;
}

/** A sent file: in memory if it is small, otherwise on the disk. */
export interface SentResource extends SentFile {
  saveTo(file: string): Promise<number>;
}

export interface ResourceWrite {
  readonly precondition: Precondition;
  readonly strict: boolean;
  readonly layers: StyledLayerOptions;
}

export interface WrittenResource {
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/** Returns undefined if nothing exists at the path. */
export async function findResourceEntry(
  catalog: CatalogReader,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  path: ResourcePath,
): Promise<ResourceEntry | undefined> {
  return findEntryAt(catalog, services, createResourceAccess(principal, permissions), path);
}

async function findEntryAt(
  catalog: CatalogReader,
  services: ResourceServices,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<ResourceEntry | undefined> {
  const place = parseResourcePath(path);
  switch (place?.kind) {
    case undefined:
      return undefined;
    case 'top':
      // Workspace administrators can only access files below `workspaces` and `data`.
      reach.checkAdministrator();
      return toFolder(['data', 'layouts', PALETTE_FOLDER, 'styles', 'templates', 'workspaces']);
    case 'workspaces':
      return toFolder((await catalog.listNames(workspaceKind, null)).filter((name) => reach.canAccess(name)));
    case 'styles':
      checkWorkspaceAccess(reach, place, path);
      return findStyleResource(catalog, services.styles, place);
    case 'templates':
      checkWorkspaceAccess(reach, place, path);
      return findTemplateResource(catalog, services.files, place);
    case 'data':
      return findDataResource(catalog, services, reach, place.path);
  }
}

/** Stores a sent file at a path. */
export async function putResourceFile(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  write: ResourceWrite & { readonly path: ResourcePath; readonly body: SentResource },
): Promise<WrittenResource> {
  const access = createResourceAccess(principal, permissions);
  const place = await resolveWritableTarget(catalog, services, access, write.path);
  return writeEntry(catalog, services, principal, { ...write, place });
}

function writeEntry(
  catalog: Catalog,
  services: ResourceServices,
  principal: Principal,
  write: ResourceWrite & { readonly place: WritableTarget; readonly body: SentResource },
): Promise<WrittenResource> {
  const { place, body } = write;
  switch (place.kind) {
    case 'styles':
      return putStyleFile(catalog, services.styles, principal, { ...write, place });
    case 'templates':
      return putTemplateFile(catalog, services, principal, { ...write, place });
    case 'data':
      return putDataFile(services, place.path, body, write.precondition);
  }
}

export interface ResourceTransfer extends ResourceWrite {
  readonly how: 'move' | 'copy';
  readonly from: ResourcePath;
  readonly to: ResourcePath;
}

/** Copies or moves a file. */
export async function transferResource(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  { how, from, to, ...write }: ResourceTransfer,
): Promise<WrittenResource> {
  const reach = createResourceAccess(principal, permissions);
  const target = await resolveWritableTarget(catalog, services, reach, to);
  const source = await findEntryAt(catalog, services, reach, from);
  if (source === undefined) {
    throw createUnknownResourceProblem(from);
  }
  if (source.kind === 'folder') {
    throw problem('resource-folder', { path: formatResourcePath(from) });
  }
  if (from.join('/') === to.join('/')) {
    throw problem('resource-source', { source: formatResourcePath(from), reason: 'source and target are the same' });
  }
  const body = toSentResource(source);
  if (how === 'copy') {
    return writeEntry(catalog, services, principal, { ...write, place: target, body });
  }
  const origin = await resolveWritableTarget(catalog, services, reach, from);
  if (origin.kind === 'styles' && target.kind === 'styles') {
    const moved = { ...write, place: target, body, instead: origin };
    return putStyleFile(catalog, services.styles, principal, moved);
  }
  if (origin.kind === 'templates' && target.kind === 'templates') {
    const moved = { ...write, place: target, body, instead: origin };
    return putTemplateFile(catalog, services, principal, moved);
  }
  if (origin.kind !== 'data' || target.kind !== 'data') {
    const reason = 'files cannot be moved between styles, templates and data. Copy the file, then delete the original';
    throw problem('resource-source', { source: formatResourcePath(from), reason });
  }
  let isNew = true;
  await services.dataFolder.move(origin.path, target.path, (current) => {
    isNew = current === undefined;
    checkPrecondition(write.precondition, current?.version);
  });
  return { isNew, warnings: [] };
}

export async function deleteResourceFile(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  { path, precondition }: { readonly path: ResourcePath; readonly precondition: Precondition },
): Promise<void> {
  const reach = createResourceAccess(principal, permissions);
  const place = await resolveAccessibleTarget(catalog, reach, path);
  const found = await findEntryAt(catalog, services, reach, path);
  if (found === undefined) {
    throw createUnknownResourceProblem(path);
  }
  if (place.kind !== 'data') {
    if (found.kind === 'folder') {
      throw problem('resource-not-empty', { path: formatResourcePath(path) });
    }
    await (place.kind === 'styles'
      ? deleteStyleFile(catalog, principal, place, precondition)
      : deleteTemplateFile(catalog, principal, place, precondition));
    return;
  }
  if (found.kind === 'file') {
    const checkCurrent = (current: { readonly version: number } | undefined) =>
      checkPrecondition(precondition, current?.version);
    await services.dataFolder.removeFile(place.path, checkCurrent);
    return;
  }
  if (place.path.length === 0) {
    throw problem('resource-place', { path: formatResourcePath(path) });
  }
  // Uploaded files of stores are not on the disk below the folder, so they are checked separately.
  if (found.children.length > 0 || !(await services.dataFolder.removeFolder(place.path))) {
    throw problem('resource-not-empty', { path: formatResourcePath(path) });
  }
}

type WritableTarget = Extract<ResourceTarget, { kind: 'styles' | 'templates' | 'data' }>;

/** Throws unless the caller may write there. */
async function resolveAccessibleTarget(
  catalog: CatalogReader,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<WritableTarget> {
  const place = parseResourcePath(path);
  const isTemplate = place?.kind === 'templates' && mayWriteNextToResources(reach, place);
  if (place?.kind === 'styles' || isTemplate) {
    checkWorkspaceAccess(reach, place, path);
    return place;
  }
  if (place?.kind === 'data') {
    await checkMayWriteData(catalog, reach, place.path);
    return place;
  }
  throw problem('resource-place', { path: formatResourcePath(path) });
}

/**
 * Administrators may store other files than templates with workspaces, stores and types, but not XML: files such as
 * `workspace.xml` would look like configuration without being it.
 */
function mayWriteNextToResources(
  reach: ResourceAccess,
  { workspace, path }: Extract<ResourceTarget, { kind: 'templates' }>,
): boolean {
  const name = path.at(-1) ?? '';
  if (workspace === null) return path[0] === 'layouts' ? isLayoutFileName(name) : isTemplateName(name);
  return isTemplateName(name) || (reach.isAdministrator && name !== '' && !/\.xml$/i.test(name));
}

/** Like `resolveAccessibleTarget`, but rejects folders. */
async function resolveWritableTarget(
  catalog: CatalogReader,
  services: ResourceServices,
  reach: ResourceAccess,
  path: ResourcePath,
): Promise<WritableTarget> {
  const place = await resolveAccessibleTarget(catalog, reach, path);
  if (place.kind === 'data' && services.dataFolder.isOnOneNode) {
    throw problem('resource-on-one-node', { path: formatResourcePath(path) });
  }
  const present = await findEntryAt(catalog, services, reach, path);
  if (present?.kind === 'folder') {
    throw problem('resource-folder', { path: formatResourcePath(path) });
  }
  return place;
}

function checkWorkspaceAccess(
  reach: ResourceAccess,
  { workspace }: Extract<ResourceTarget, { kind: 'styles' | 'templates' }>,
  path: ResourcePath,
): void {
  if (workspace === null) {
    reach.checkAdministrator();
  } else {
    reach.checkWorkspace(workspace, path);
  }
}

async function putDataFile(
  { files, dataFolder }: ResourceServices,
  path: ResourcePath,
  body: SentResource,
  precondition: Precondition,
): Promise<WrittenResource> {
  const checkCurrent = (current: { readonly version: number } | undefined) =>
    checkPrecondition(precondition, current?.version);
  checkCurrent(await dataFolder.find(path));
  const staging = await files.createStaging('resource');
  try {
    const staged = join(staging.path, 'file');
    await body.saveTo(staged);
    let isNew = true;
    await dataFolder.put(path, staged, (current) => {
      isNew = current === undefined;
      checkCurrent(current);
    });
    return { isNew, warnings: [] };
  } finally {
    await staging.discard();
  }
}

/** Returns an existing file in the form of a sent one. */
function toSentResource(source: ResourceFile): SentResource {
  async function withOpenFile<T>(use: (file: ReadableFile, sizeBytes: number) => Promise<T>): Promise<T> {
    const { file, sizeBytes } = await source.open();
    try {
      return await use(file, sizeBytes);
    } finally {
      await file.close();
    }
  }
  return {
    contentType: '',
    bytes: (maxBytes) =>
      withOpenFile(async (file, sizeBytes) => {
        if (sizeBytes > maxBytes) {
          throw problem('body-too-large', { limitBytes: maxBytes });
        }
        return readFileBytes(file, sizeBytes);
      }),
    saveTo: (path) =>
      withOpenFile(async (file, sizeBytes) => {
        await saveFile(file, sizeBytes, path);
        return sizeBytes;
      }),
  };
}

function toFolder(names: readonly string[]): Extract<ResourceEntry, { kind: 'folder' }> {
  return { kind: 'folder', children: names.map((name) => ({ name, kind: 'folder' })) };
}
