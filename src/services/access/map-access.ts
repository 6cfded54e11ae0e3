/**
 * Access to maps: the layers and groups that a principal can discover and view, for all services. Hidden layers are
 * absent from the results and from groups, so that no service can disclose them.
 */

import { findResourceById } from '../../catalog/kinds/any-resource.ts';
import { layerKind } from '../../catalog/kinds/layer.ts';
import {
  type GroupPart,
  type LayerGroup,
  type LayerGroupMode,
  layerGroupKind,
} from '../../catalog/kinds/layer-group.ts';
import type { SettingValues } from '../../catalog/kinds/setting.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import { findGroupIn } from '../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../catalog/workspaces/workspaces.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { AccessTarget, Permissions } from '../../security/access-rules/access.ts';
import type { FeatureServices } from './feature-access.ts';
import { findLayerCandidates, findLayerInWorkspace, type LayerCandidate, listLayerNames } from './layer-candidates.ts';
import {
  createMapGroup,
  createMapLayer,
  type MapGroup,
  type MapGroupStyle,
  type MapLayer,
  type MapPart,
  type PublishedMap,
} from './published-map.ts';
import { authorizeRequest, createAccessProblem, type ServiceRequest } from './service-request.ts';

/** The intended use of a map: read its description or view it. */
export type MapAccessMode = 'description' | 'read';

export interface MapServiceRequest extends ServiceRequest {
  readonly service: 'wms' | 'wmts' | 'wcs';
}

export interface MapAccess {
  /**
   * Iterates over advertised maps, groups before layers. Members of a tree group are listed inside the group only.
   */
  each(): AsyncIterable<PublishedMap>;
  /**
   * Finds a layer or group by `workspace:name`, or by name if that is unambiguous. Returns undefined for missing and
   * hidden maps. Throws a Problem (401 or 403) if the principal can discover the map but not use it.
   */
  find(name: string, wish: MapAccessMode): Promise<PublishedMap | undefined>;
  /** The service settings of the workspace, or else of the server, with defaults applied. */
  readonly settings: SettingValues;
  /** The requested workspace; undefined for the global service. */
  readonly workspace: Workspace | undefined;
  /** The requested layer name; undefined if the request is not limited to one layer. */
  readonly layer: string | undefined;
}

const anyStore = createUnionKind(storeKinds);

/** Group modes whose members are listed below the group instead of beside it. */
const trees: ReadonlySet<LayerGroupMode> = new Set(['NAMED', 'CONTAINER', 'EO', 'OPAQUE_CONTAINER']);

/** Throws a Problem if the workspace does not exist, the service is disabled or access is denied. */
export async function openMapAccess(
  services: Pick<FeatureServices, 'catalog' | 'access'>,
  visit: MapServiceRequest,
): Promise<MapAccess> {
  const { principal, place } = visit;
  const { catalog } = services;
  const { permissions, workspace, settings } = await authorizeRequest(services, visit);
  const only = place.layer;
  const sight = createVisibility(permissions);
  const serviceName = visit.service.toUpperCase();

  async function loadMapLayer({ layer, workspace: of }: LayerCandidate): Promise<MapLayer | undefined> {
    const resource = await findResourceById(catalog, layer.parent ?? '');
    const store = resource && (await catalog.get(anyStore, resource.parent ?? ''));
    return store && createMapLayer({ layer, resource, store, workspace: of }, serviceName);
  }

  /** Returns the group with its visible members; undefined if it has none. */
  async function findVisibleGroup(
    group: LayerGroup,
    of: Workspace | null,
    wish: MapAccessMode,
  ): Promise<MapGroup | undefined> {
    if (!group.enabled) return undefined;
    const { root: shown } = group;
    const [root] =
      shown === null ? [] : await listVisibleParts([{ of: 'layer', id: shown.layer, style: shown.style }], wish);
    const parts = await listVisibleParts(group.parts, wish);
    const styles: MapGroupStyle[] = [];
    for (const style of group.groupStyles) {
      const drawn = await listVisibleParts(style.parts, wish);
      const { name, title, abstract } = style;
      if (drawn.length > 0) styles.push({ name, title: title ?? name, abstract: abstract ?? '', parts: drawn });
    }
    return parts.length === 0 ? undefined : createMapGroup(group, of, { parts, root, styles });
  }

  async function listVisibleParts(parts: readonly GroupPart[], wish: MapAccessMode): Promise<readonly MapPart[]> {
    const seen: MapPart[] = [];
    for (const { of, id, style } of parts) {
      const map = of === 'layer' ? await findVisibleLayer(id, wish) : await findGroupById(id, wish);
      if (map !== undefined) seen.push({ map, style });
    }
    return seen;
  }

  async function findVisibleLayer(id: string, wish: MapAccessMode): Promise<MapLayer | undefined> {
    const layer = await catalog.get(layerKind, id);
    const of = layer && (await catalog.get(workspaceKind, layer.workspace));
    return of && sight.isVisible({ workspace: of.name, layer: layer.name }, wish)
      ? loadMapLayer({ layer, workspace: of })
      : undefined;
  }

  async function findGroupById(id: string, wish: MapAccessMode): Promise<MapGroup | undefined> {
    const group = await catalog.get(layerGroupKind, id);
    if (group === undefined) return undefined;
    const of = group.parent === null ? null : await catalog.get(workspaceKind, group.parent);
    const isSeen = of !== undefined && sight.isVisible({ workspace: of?.name ?? null, layer: group.name }, wish);
    return isSeen ? findVisibleGroup(group, of, wish) : undefined;
  }

  /** Iterates over the groups of the requested workspace, or over all groups including global ones. */
  async function* listVisibleGroups(): AsyncGenerator<MapGroup> {
    const homes = workspace === undefined ? [null, ...(await listNonIsolatedWorkspaces(catalog))] : [workspace];
    for (const of of homes) {
      for (const name of await catalog.listNames(layerGroupKind, of?.id ?? null, {})) {
        if (only !== undefined && only !== name) continue;
        const placed = await findGroupIn(catalog, of, name);
        const isSeen = sight.isVisible({ workspace: of?.name ?? null, layer: name }, 'description');
        const group = isSeen && placed && (await findVisibleGroup(placed.group, of, 'description'));
        if (group) yield group;
      }
    }
  }

  async function* each(): AsyncGenerator<PublishedMap> {
    const all: MapGroup[] = [];
    for await (const group of listVisibleGroups()) all.push(group);
    const advertised = all.filter((group) => group.isAdvertised || only !== undefined);
    const inside = collectIdsInTrees(advertised);
    yield* advertised.filter(({ group }) => !inside.has(group.id));
    for (const of of workspace === undefined ? await listNonIsolatedWorkspaces(catalog) : [workspace]) {
      for await (const name of listLayerNames(catalog, of)) {
        const isMeant = only === undefined || only === name;
        if (!isMeant || !sight.isVisible({ workspace: of.name, layer: name }, 'description')) continue;
        const [found] = await findLayerInWorkspace(catalog, of, name);
        const isInside = found !== undefined && only === undefined && inside.has(found.layer.id);
        const layer = isInside ? undefined : found && (await loadMapLayer(found));
        // A request for one layer lists it even if it is not advertised.
        if (layer !== undefined && (layer.isAdvertised || only !== undefined)) yield layer;
      }
    }
  }

  async function find(name: string, wish: MapAccessMode): Promise<PublishedMap | undefined> {
    for (const group of await findLayerCandidates(catalog, workspace, name)) {
      const possible = group
        .filter(({ layer }) => only === undefined || layer.name === only)
        .filter(({ layer, workspace: of }) => sight.canDiscover({ workspace: of.name, layer: layer.name }));
      const served = (await Promise.all(possible.map(loadMapLayer))).filter((layer) => layer !== undefined);
      const [layer, ...others] = served;
      if (layer !== undefined && others.length === 0) {
        return checkMapAccess(layer, { workspace: layer.workspace.name, layer: layer.name }, wish);
      }
    }
    return findGroup(name, wish);
  }

  async function findGroup(name: string, wish: MapAccessMode): Promise<PublishedMap | undefined> {
    for (const { group, workspace: of } of await findGroupCandidates(catalog, workspace, name)) {
      const place = { workspace: of?.name ?? null, layer: group.name };
      const isMeant = group.mode !== 'CONTAINER' && (only === undefined || only === group.name);
      const found = isMeant && sight.canDiscover(place) ? await findVisibleGroup(group, of, wish) : undefined;
      if (found !== undefined) return checkMapAccess(found, place, wish);
    }
    return undefined;
  }

  function checkMapAccess<M extends PublishedMap>(map: M, place: AccessTarget, wish: MapAccessMode): M | undefined {
    if (sight.isVisible(place, wish)) return map;
    if (!sight.canDiscover(place)) return undefined;
    throw createAccessProblem(principal);
  }

  return { each, find, settings, workspace, layer: only };
}

interface Visibility {
  /** Returns whether the target is visible for the given access mode. */
  isVisible(place: AccessTarget, wish: MapAccessMode): boolean;
  /** Returns whether the principal can discover the target. */
  canDiscover(place: AccessTarget): boolean;
}

/** Global groups have no rules of their own; their visibility follows from their members. */
function createVisibility(permissions: Permissions): Visibility {
  const isUnrestricted = ({ workspace }: AccessTarget) => workspace === null || permissions.administers(workspace);
  return {
    isVisible: (place, wish) =>
      isUnrestricted(place) ||
      (wish === 'description' && permissions.isListed(place)) ||
      permissions.decide(place, 'read') === 'allow',
    canDiscover: (place) => isUnrestricted(place) || permissions.decide(place, 'read') !== 'hide',
  };
}

async function listNonIsolatedWorkspaces(catalog: CatalogReader): Promise<readonly Workspace[]> {
  return (await catalog.list(workspaceKind, null)).filter(({ isolated }) => !isolated);
}

function collectIdsInTrees(groups: readonly MapGroup[]): ReadonlySet<string> {
  const shownAsTrees = groups.filter(({ group }) => trees.has(group.mode));
  return new Set(
    shownAsTrees.flatMap(({ parts }) => parts.map(({ map }) => (map.kind === 'layer' ? map.layer.id : map.group.id))),
  );
}

interface GroupCandidate {
  readonly group: LayerGroup;
  readonly workspace: Workspace | null;
}

/** The maximum number of groups with the same name that are compared. */
const MAX_NAMESAKES = 100;

/** Finds the groups that a name can refer to, by preference: global, in the default workspace, the only one. */
async function findGroupCandidates(
  catalog: CatalogReader,
  within: Workspace | undefined,
  name: string,
): Promise<readonly GroupCandidate[]> {
  const colon = name.indexOf(':');
  const [prefix, local] = colon < 0 ? [undefined, name] : [name.slice(0, colon), name.slice(colon + 1)];
  const listGroupCandidatesIn = async (workspace: Workspace | null) =>
    (await findGroupIn(catalog, workspace, local)) ?? [];
  if (within !== undefined) {
    return prefix === undefined || prefix === within.name ? [await listGroupCandidatesIn(within)].flat() : [];
  }
  if (prefix !== undefined) {
    const workspace = await catalog.find(workspaceKind, null, prefix);
    return workspace === undefined || workspace.isolated ? [] : [await listGroupCandidatesIn(workspace)].flat();
  }
  const preferred = await getDefaultWorkspace(catalog).catch(() => undefined);
  const near = [
    await listGroupCandidatesIn(null),
    preferred === undefined ? [] : await listGroupCandidatesIn(preferred.workspace),
  ].flat();
  if (near.length > 0) return near;
  const groups = await catalog.findByKey(layerGroupKind, 'name', local, MAX_NAMESAKES);
  const placed: GroupCandidate[] = [];
  for (const group of groups) {
    const workspace = group.parent === null ? undefined : await catalog.get(workspaceKind, group.parent);
    if (workspace !== undefined && !workspace.isolated) placed.push({ group, workspace });
  }
  return placed.length === 1 ? placed : [];
}
