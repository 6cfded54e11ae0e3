/** Reads, writes, moves and deletes files of the data directory by path, wherever they are kept. */
import { join } from 'node:path';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import { bytesOf, type ReadableFile, saveFile } from '../../lib/readable-file.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import type { StyleServices } from '../styles/style-services.ts';
import type { StyledLayers } from '../styles/styled-layers.ts';
import { checkMayWriteData, type DataFileServices, findDataResource } from './data-files.ts';
import {
  placeOf,
  type Reach,
  type Resource,
  type ResourceFile,
  type ResourcePath,
  type ResourcePlace,
  reachOf,
  shownPath,
  unknownResource,
} from './resource.ts';
import { deleteStyleFile, findStyleResource, putStyleFile, type SentFile } from './style-files.ts';
import { deleteTemplateFile, findTemplateResource, isTemplateName, putTemplateFile } from './template-files.ts';

export interface ResourceServices extends DataFileServices {
  readonly styles: StyleServices;
}

/** Who asks. */
export interface ResourceUser {
  readonly principal: Principal;
  readonly permissions: Permissions;
}

/** What a client sends: kept in memory where it is small, and else in a file. */
export interface SentResource extends SentFile {
  saveTo(file: string): Promise<number>;
}

export interface ResourceWrite {
  readonly precondition: Precondition;
  readonly strict: boolean;
  readonly layers: StyledLayers;
}

export interface WrittenResource {
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/** Undefined where nothing is. */
export async function findResource(
  catalog: CatalogReader,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  path: ResourcePath,
): Promise<Resource | undefined> {
  return resourceAt(catalog, services, reachOf(principal, permissions), path);
}

async function resourceAt(
  catalog: CatalogReader,
  services: ResourceServices,
  reach: Reach,
  path: ResourcePath,
): Promise<Resource | undefined> {
  const place = placeOf(path);
  switch (place?.kind) {
    case undefined:
      return undefined;
    case 'top':
      // Administrators of a workspace find their files below `workspaces` and `data`.
      reach.checkEverywhere();
      return folderOf(['data', 'styles', 'templates', 'workspaces']);
    case 'workspaces':
      return folderOf((await catalog.listNames(workspaceKind, null)).filter((name) => reach.reaches(name)));
    case 'styles':
      checkReach(reach, place, path);
      return findStyleResource(catalog, services.styles, place);
    case 'templates':
      checkReach(reach, place, path);
      return findTemplateResource(catalog, services.files, place);
    case 'data':
      return findDataResource(catalog, services, reach, place.path);
  }
}

/** Keeps what was sent at a path. */
export async function putResource(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  path: ResourcePath,
  body: SentResource,
  write: ResourceWrite,
): Promise<WrittenResource> {
  const place = await writablePlace(catalog, services, reachOf(principal, permissions), path);
  return put(catalog, services, principal, place, body, write);
}

function put(
  catalog: Catalog,
  services: ResourceServices,
  principal: Principal,
  place: WritablePlace,
  body: SentResource,
  write: ResourceWrite,
): Promise<WrittenResource> {
  switch (place.kind) {
    case 'styles':
      return putStyleFile(catalog, services.styles, principal, place, body, write);
    case 'templates':
      return putTemplateFile(catalog, services.files, principal, place, body, write);
    case 'data':
      return putDataFile(services, place.path, body, write.precondition);
  }
}

/** Copies a file, or gives it another path. */
export async function transferResource(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  { how, from, to }: { readonly how: 'move' | 'copy'; readonly from: ResourcePath; readonly to: ResourcePath },
  write: ResourceWrite,
): Promise<WrittenResource> {
  const reach = reachOf(principal, permissions);
  const target = await writablePlace(catalog, services, reach, to);
  const source = await resourceAt(catalog, services, reach, from);
  if (source === undefined) {
    throw unknownResource(from);
  }
  if (source.kind === 'folder') {
    throw problem('resource-folder', { path: shownPath(from) });
  }
  if (from.join('/') === to.join('/')) {
    throw problem('resource-source', { source: shownPath(from), reason: 'it is the target as well' });
  }
  if (how === 'copy') {
    return put(catalog, services, principal, target, sentFrom(source), write);
  }
  const origin = await writablePlace(catalog, services, reach, from);
  if (origin.kind === 'styles' && target.kind === 'styles') {
    const instead = { ...write, instead: origin };
    return putStyleFile(catalog, services.styles, principal, target, sentFrom(source), instead);
  }
  if (origin.kind === 'templates' && target.kind === 'templates') {
    const instead = { ...write, instead: origin };
    return putTemplateFile(catalog, services.files, principal, target, sentFrom(source), instead);
  }
  if (origin.kind !== 'data' || target.kind !== 'data') {
    const reason = 'files are not moved between styles, templates and data; copy it, and delete it then';
    throw problem('resource-source', { source: shownPath(from), reason });
  }
  let isNew = true;
  await services.dataFolder.move(origin.path, target.path, (current) => {
    isNew = current === undefined;
    checkPrecondition(write.precondition, current?.version);
  });
  return { isNew, warnings: [] };
}

export async function deleteResource(
  catalog: Catalog,
  services: ResourceServices,
  { principal, permissions }: ResourceUser,
  path: ResourcePath,
  precondition: Precondition,
): Promise<void> {
  const reach = reachOf(principal, permissions);
  const place = await reachedPlace(catalog, reach, path);
  const found = await resourceAt(catalog, services, reach, path);
  if (found === undefined) {
    throw unknownResource(path);
  }
  if (place.kind !== 'data') {
    if (found.kind === 'folder') {
      throw problem('resource-not-empty', { path: shownPath(path) });
    }
    await (place.kind === 'styles'
      ? deleteStyleFile(catalog, principal, place, precondition)
      : deleteTemplateFile(catalog, principal, place, precondition));
    return;
  }
  if (found.kind === 'file') {
    const check = (current: { readonly version: number } | undefined) =>
      checkPrecondition(precondition, current?.version);
    await services.dataFolder.removeFile(place.path, check);
    return;
  }
  if (place.path.length === 0) {
    throw problem('resource-place', { path: shownPath(path) });
  }
  // What was uploaded to stores is on no disk below it.
  if (found.children.length > 0 || !(await services.dataFolder.removeFolder(place.path))) {
    throw problem('resource-not-empty', { path: shownPath(path) });
  }
}

type WritablePlace = Extract<ResourcePlace, { kind: 'styles' | 'templates' | 'data' }>;

/** Throws unless somebody may write there. */
async function reachedPlace(catalog: CatalogReader, reach: Reach, path: ResourcePath): Promise<WritablePlace> {
  const place = placeOf(path);
  const isTemplate = place?.kind === 'templates' && isTemplateName(path.at(-1) ?? '');
  if (place?.kind === 'styles' || isTemplate) {
    checkReach(reach, place, path);
    return place;
  }
  if (place?.kind === 'data') {
    await checkMayWriteData(catalog, reach, place.path);
    return place;
  }
  throw problem('resource-place', { path: shownPath(path) });
}

/** The same where it is no folder. */
async function writablePlace(
  catalog: CatalogReader,
  services: ResourceServices,
  reach: Reach,
  path: ResourcePath,
): Promise<WritablePlace> {
  const place = await reachedPlace(catalog, reach, path);
  if (place.kind === 'data' && services.dataFolder.isOnOneNode) {
    throw problem('resource-on-one-node', { path: shownPath(path) });
  }
  const present = await resourceAt(catalog, services, reach, path);
  if (present?.kind === 'folder') {
    throw problem('resource-folder', { path: shownPath(path) });
  }
  return place;
}

function checkReach(
  reach: Reach,
  { workspace }: Extract<ResourcePlace, { kind: 'styles' | 'templates' }>,
  path: ResourcePath,
): void {
  if (workspace === null) {
    reach.checkEverywhere();
  } else {
    reach.check(workspace, path);
  }
}

async function putDataFile(
  { files, dataFolder }: ResourceServices,
  path: ResourcePath,
  body: SentResource,
  precondition: Precondition,
): Promise<WrittenResource> {
  const check = (current: { readonly version: number } | undefined) =>
    checkPrecondition(precondition, current?.version);
  check(await dataFolder.find(path));
  const staging = await files.createStaging('resource');
  try {
    const staged = join(staging.path, 'file');
    await body.saveTo(staged);
    let isNew = true;
    await dataFolder.put(path, staged, (current) => {
      isNew = current === undefined;
      check(current);
    });
    return { isNew, warnings: [] };
  } finally {
    await staging.discard();
  }
}

/** Another file, as if a client had sent it. */
function sentFrom(source: ResourceFile): SentResource {
  async function opened<T>(use: (file: ReadableFile, sizeBytes: number) => Promise<T>): Promise<T> {
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
      opened(async (file, sizeBytes) => {
        if (sizeBytes > maxBytes) {
          throw problem('body-too-large', { limitBytes: maxBytes });
        }
        return bytesOf(file, sizeBytes);
      }),
    saveTo: (path) =>
      opened(async (file, sizeBytes) => {
        await saveFile(file, sizeBytes, path);
        return sizeBytes;
      }),
  };
}

function folderOf(names: readonly string[]): Extract<Resource, { kind: 'folder' }> {
  return { kind: 'folder', children: names.map((name) => ({ name, kind: 'folder' })) };
}
