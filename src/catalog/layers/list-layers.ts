/** Lists the layers of one workspace or of all workspaces. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { isWhole, type Page, readFilteredPage } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatNamePrefix, type Workspace, workspaceKind } from '../../records/workspace.ts';
import { allPermissions, type Permissions } from '../../security/access-rules/access.ts';
import { findResourceById, getResourceKind } from '../kinds/any-resource.ts';
import { layerKind } from '../kinds/layer.ts';
import { createQualifiedKeyRange, splitQualifiedKey, splitTitleKey } from '../kinds/resource.ts';
import { resourceKinds } from '../kinds/resource-kinds.ts';
import { findStoreById } from '../kinds/stores.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { locateLayer, type Viewer } from './layers.ts';
import { listLayerStyles, type NamedStyle } from './named-style.ts';

/** A layer in a listing, with the name of its workspace. */
export interface ListedLayer {
  readonly name: string;
  readonly workspace: string;
  /** Only for searches and with details. */
  readonly title?: string;
  readonly details?: LayerDetails;
}

/** What a table of layers shows. */
export interface LayerDetails {
  readonly title: string | null;
  /** Such as `VECTOR`. */
  readonly type: string;
  readonly store: string;
  /** As clients name it; null for data that cannot be drawn. */
  readonly defaultStyle: NamedStyle | null;
  /** Whether the layer, its resource and its store are enabled. */
  readonly enabled: boolean;
  readonly access: VisitorAccess;
}

/**
 * What users without credentials get: the whole layer, the part of it that data rules permit, a refusal, or the same
 * answer as for a layer that does not exist.
 */
export const visitorAccess = ['public', 'limited', 'restricted', 'hidden'] as const;
export type VisitorAccess = (typeof visitorAccess)[number];

/** The permissions of the caller and of users without credentials. */
export interface DetailsViewer {
  readonly permissions: Permissions;
  readonly visitors: Permissions;
}

/** Returns the qualified name of a layer. */
export function formatQualifiedName({ name, workspace }: ListedLayer): string {
  return `${formatNamePrefix(workspace)}${name}`;
}

/** Lists the layers that the caller can see: all of them by workspace and name, pages by qualified name. */
export async function listLayers(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  { permissions }: Viewer,
  page: Page = {},
): Promise<readonly ListedLayer[]> {
  if (workspaceName !== undefined) {
    return listWorkspaceLayers(catalog, await findWorkspace(catalog, workspaceName), permissions, page);
  }
  return isWhole(page) ? listAllLayers(catalog, permissions) : listLayerPage(catalog, permissions, page);
}

async function listAllLayers(catalog: CatalogReader, permissions: Permissions): Promise<readonly ListedLayer[]> {
  const [workspaces, keys] = await Promise.all([
    catalog.list(workspaceKind, null),
    catalog.listKeyValues(layerKind, 'qualifiedName'),
  ]);
  const named = new Map(workspaces.map(({ id, name: workspace }) => [id, { workspace, layers: [] as ListedLayer[] }]));
  const sights = new Map<string, (layer: string) => boolean>();
  for (const key of keys) {
    const [id, name] = splitQualifiedKey(key);
    const home = named.get(id);
    if (home !== undefined) {
      const maySee = sights.get(id) ?? createVisibilityFilter(permissions, home.workspace);
      sights.set(id, maySee);
      if (maySee(name)) home.layers.push({ name, workspace: home.workspace });
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return [...named.values()].flatMap(({ layers }) => layers);
}

/** All layers in the order of pages. */
export function listPagedLayers(catalog: CatalogReader): Promise<readonly ListedLayer[]> {
  return listLayerPage(catalog, allPermissions, {});
}

/** The number of workspaces that are read together. */
const WORKSPACES_PER_PAGE = 100;

/** Reads workspace after workspace until the page is full. */
async function listLayerPage(
  catalog: CatalogReader,
  permissions: Permissions,
  { after, limit = Number.MAX_SAFE_INTEGER }: Page,
): Promise<readonly ListedLayer[]> {
  const found: ListedLayer[] = [];
  const collectLayers = async (name: string, from: Page) => {
    // The workspace may have been deleted since its name was read.
    const workspace = await catalog.find(workspaceKind, null, name);
    if (workspace !== undefined) {
      found.push(
        ...(await listWorkspaceLayers(catalog, workspace, permissions, { ...from, limit: limit - found.length })),
      );
    }
  };
  let last: string | undefined;
  if (after !== undefined) {
    const colon = after.indexOf(':');
    last = after.slice(0, colon + 1);
    await collectLayers(after.slice(0, colon), { after: after.slice(colon + 1) });
  }
  while (found.length < limit) {
    const range = { limit: WORKSPACES_PER_PAGE, ...(last === undefined ? {} : { after: last }) };
    const prefixes = await catalog.listKeyValues(workspaceKind, 'prefix', range);
    for (const prefix of prefixes) {
      if (found.length >= limit) break;
      await collectLayers(prefix.slice(0, -1), {});
    }
    last = prefixes.at(-1);
    if (prefixes.length < WORKSPACES_PER_PAGE) break;
  }
  return found;
}

async function listWorkspaceLayers(
  catalog: CatalogReader,
  { id, name: workspace }: Workspace,
  permissions: Permissions,
  page: Page,
): Promise<readonly ListedLayer[]> {
  const readLayerNames = async (part: Page) => {
    const keys = await catalog.listKeyValues(layerKind, 'qualifiedName', createQualifiedKeyRange(id, part));
    return keys.map((key) => splitQualifiedKey(key)[1]);
  };
  const names = await readFilteredPage(page, readLayerNames, String, createVisibilityFilter(permissions, workspace));
  return names.map((name) => ({ name, workspace }));
}

/** Adds the titles that differ from the names. */
export async function addTitles(
  titles: ReadonlyMap<string, string>,
  layers: readonly ListedLayer[],
): Promise<readonly ListedLayer[]> {
  const found: ListedLayer[] = [];
  for (const layer of layers) {
    const title = titles.get(formatQualifiedName(layer));
    found.push(title === undefined ? layer : { ...layer, title });
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return found;
}

/** The titles of all layers that differ from their names, by qualified name. */
export async function readTitles(catalog: CatalogReader): Promise<ReadonlyMap<string, string>> {
  const workspaces = await catalog.list(workspaceKind, null);
  const prefixes = new Map(workspaces.map(({ id, name }) => [id, formatNamePrefix(name)]));
  const titles = new Map<string, string>();
  for (const kind of resourceKinds) {
    for (const key of await catalog.listKeyValues(kind, 'title')) {
      const [qualifiedKey, title] = splitTitleKey(key);
      const [id, name] = splitQualifiedKey(qualifiedKey);
      titles.set(`${prefixes.get(id)}${name}`, title);
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
  }
  return titles;
}

/** Adds what a table of layers shows; layers that have been deleted meanwhile stay as they are. */
export async function addLayerDetails(
  catalog: CatalogReader,
  layers: readonly ListedLayer[],
  viewer: DetailsViewer,
): Promise<readonly ListedLayer[]> {
  const detailed: ListedLayer[] = [];
  for (const layer of layers) {
    const details = await readLayerDetails(catalog, layer, viewer);
    detailed.push(details === undefined ? layer : { ...layer, details });
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return detailed;
}

async function readLayerDetails(
  catalog: CatalogReader,
  listed: ListedLayer,
  viewer: DetailsViewer,
): Promise<LayerDetails | undefined> {
  const found = await locateLayer(catalog, listed);
  const resource = found && (await findResourceById(catalog, found.layer.parent ?? ''));
  const store = resource && (await findStoreById(catalog, resource.parent ?? ''));
  if (found === undefined || resource === undefined || store === undefined) return undefined;
  const { layer, workspace } = found;
  const { defaultStyle } = await listLayerStyles(catalog, { ...layer, styles: [] }, workspace);
  return {
    title: resource.title,
    type: getResourceKind(resource).layerType,
    store: store.name,
    defaultStyle,
    enabled: layer.enabled && resource.enabled && store.enabled,
    access: findVisitorAccess(listed, viewer),
  };
}

/** Only administrators of the workspace learn that data rules limit a public layer. */
function findVisitorAccess(
  { workspace, name: layer }: ListedLayer,
  { permissions, visitors }: DetailsViewer,
): VisitorAccess {
  switch (visitors.decide({ workspace, layer }, 'read')) {
    case 'allow':
      return permissions.administers(workspace) && visitors.findRestriction(workspace, layer) !== undefined
        ? 'limited'
        : 'public';
    case 'challenge':
      return 'restricted';
    case 'hide':
      return 'hidden';
  }
}

/** Returns a filter for the visible layers of a workspace. */
function createVisibilityFilter(permissions: Permissions, workspace: string): (layer: string) => boolean {
  const administers = permissions.administers(workspace);
  return (layer) => administers || permissions.isListed({ workspace, layer });
}
