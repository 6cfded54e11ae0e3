/** Lists the layers of one workspace or of all workspaces. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { isWhole, type Page, readFilteredPage } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatNamePrefix, type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { layerKind } from '../kinds/layer.ts';
import { createQualifiedKeyRange, splitQualifiedKey } from '../kinds/resource.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import type { Viewer } from './layers.ts';

/** A layer in a listing, with the name of its workspace. */
export interface ListedLayer {
  readonly name: string;
  readonly workspace: string;
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

/** Returns a filter for the visible layers of a workspace. */
function createVisibilityFilter(permissions: Permissions, workspace: string): (layer: string) => boolean {
  const administers = permissions.administers(workspace);
  return (layer) => administers || permissions.isListed({ workspace, layer });
}
