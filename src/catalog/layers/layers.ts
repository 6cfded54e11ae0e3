/** Reads and deletes layers; each shows a published resource. */

import { isAnonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { RecordBase } from '../../records/record.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { findResourceById } from '../kinds/any-resource.ts';
import { type Layer, layerKind } from '../kinds/layer.ts';
import { references } from '../kinds/references.ts';
import { formatQualifiedKey, type Resource, type ResourceIdentity } from '../kinds/resource.ts';
import type { Store } from '../kinds/store.ts';
import { findStoreById } from '../kinds/stores.ts';
import { findWorkspace, getDefaultWorkspace } from '../workspaces/workspaces.ts';
import { listLayerStyles, type NamedStyle } from './named-style.ts';

/** A layer with its resource and styles. */
export interface LayerView extends LayerDescription {
  readonly resource: Resource;
}

/** What the document of a layer shows. */
export interface LayerDescription extends LocatedLayer {
  readonly resource: ResourceIdentity;
  readonly store: Store;
  readonly defaultStyle: NamedStyle | null;
  readonly styles: readonly NamedStyle[];
  /** The common version of all parts. */
  readonly version: number;
}

export interface LocatedLayer {
  readonly layer: Layer;
  readonly workspace: Workspace;
}

/** The location of a layer: in one workspace, or by `workspace:layer` anywhere. */
export interface LayerLocator {
  readonly workspace?: string;
  readonly name: string;
}

/** The caller and its permissions. */
export interface Viewer {
  readonly principal: Principal;
  readonly permissions: Permissions;
}

export async function findLayer(catalog: CatalogReader, place: LayerLocator, viewer: Viewer): Promise<LayerView> {
  const found = await locateLayer(catalog, place);
  if (found === undefined) {
    throw createUnknownLayerProblem(place);
  }
  const { layer, workspace } = found;
  const { permissions, principal } = viewer;
  if (!permissions.administers(workspace.name)) {
    const decision = permissions.decide({ workspace: workspace.name, layer: layer.name }, 'read');
    if (decision !== 'allow') {
      throw decision === 'hide' && !isAnonymous(principal)
        ? createUnknownLayerProblem(place)
        : createAccessDeniedProblem(principal);
    }
  }
  const resource = await findResourceById(catalog, layer.parent ?? '');
  const store = resource && (await findStoreById(catalog, resource.parent ?? ''));
  if (resource === undefined || store === undefined) {
    throw createUnknownLayerProblem(place);
  }
  const styles = await listLayerStyles(catalog, layer, workspace);
  const version = Math.max(...[layer, resource, store, workspace, styles].map((each) => each.version));
  return { layer, resource, store, workspace, ...styles, version };
}

export async function layerExists(catalog: CatalogReader, place: LayerLocator): Promise<boolean> {
  return (await locateLayer(catalog, place).catch(() => undefined)) !== undefined;
}

/**
 * Deletes the layer, unless groups contain it. With `recurse`, also removes it from the groups and deletes its
 * resource.
 */
export function deleteLayer(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  const { principal, permissions } = viewer;
  return catalog.change(principal, `delete layer ${place.name}`, async (transaction) => {
    const { layer, resource, workspace, version } = await findLayer(transaction, place, viewer);
    if (!permissions.administers(workspace.name)) {
      throw createAccessDeniedProblem(principal);
    }
    checkPrecondition(options.precondition, version);
    if (!options.recurse) {
      await checkNotInGroups(transaction, layer, workspace);
    }
    await references.remove(transaction, options.recurse ? resource : layer);
  });
}

/** Throws if groups contain the layer; the filter restricts which groups count. */
export async function checkNotInGroups(
  catalog: CatalogReader,
  layer: Layer,
  workspace: Workspace,
  counts?: (holder: RecordBase) => boolean,
): Promise<void> {
  const { first: blockers, total } = await references.findBlockers(catalog, layer, counts);
  if (total > 0) {
    throw problem('layer-in-use', { name: `${workspace.name}:${layer.name}`, blockers, total });
  }
}

/**
 * Resolves `workspace:layer`. An unqualified name is searched in the default workspace, then everywhere if it is
 * unique.
 */
export async function locateLayer(catalog: CatalogReader, place: LayerLocator): Promise<LocatedLayer | undefined> {
  if (place.workspace !== undefined) {
    return findLayerIn(catalog, await findWorkspace(catalog, place.workspace), place.name);
  }
  const colon = place.name.indexOf(':');
  if (colon >= 0) {
    const workspace = await catalog.find(workspaceKind, null, place.name.slice(0, colon));
    return workspace && findLayerIn(catalog, workspace, place.name.slice(colon + 1));
  }
  const preferred = await getDefaultWorkspace(catalog).catch(() => undefined);
  const found = preferred && (await findLayerIn(catalog, preferred.workspace, place.name));
  if (found !== undefined) {
    return found;
  }
  const [layer, ...others] = await catalog.findByKey(layerKind, 'name', place.name, 2);
  const workspace = layer && (await catalog.get(workspaceKind, layer.workspace));
  return layer && workspace && others.length === 0 ? { layer, workspace } : undefined;
}

export async function findLayerIn(
  catalog: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<LocatedLayer | undefined> {
  const [layer] = await catalog.findByKey(layerKind, 'qualifiedName', formatQualifiedKey(workspace.id, name), 1);
  return layer && { layer, workspace };
}

export function createAccessDeniedProblem(principal: Principal): Problem {
  return isAnonymous(principal)
    ? problem('credentials-required', {})
    : problem('role-missing', { role: ROLE_ADMINISTRATOR });
}

function createUnknownLayerProblem({ name, workspace }: LayerLocator): Problem {
  return problem('layer-unknown', { name: formatPrintableName(name), workspace });
}
