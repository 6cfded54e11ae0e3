/**
 * Access to maps: the layers and groups that a principal can discover and view, for all services. Hidden layers are
 * absent from the results and from groups, so that no service can disclose them.
 */

import { type LayerGroup, type LayerGroupMode, layerGroupKind } from '../../catalog/kinds/layer-group.ts';
import type { SettingValues } from '../../catalog/kinds/setting.ts';
import { findGroupIn } from '../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../catalog/workspaces/workspaces.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { AccessTarget } from '../../security/access-rules/access.ts';
import { type CompletionServices, completeMap, completeOrKeep } from './complete-unverified.ts';
import type { FeatureServices } from './feature-access.ts';
import { findLayerCandidates, findLayerInWorkspace, type LayerCandidate, listLayerNames } from './layer-candidates.ts';
import type { MapGroup, MapLayer, PublishedMap } from './published-map.ts';
import { createOtherLayers, type PublishedType } from './published-type.ts';
import { authorizeRequest, createAccessProblem, type ServiceRequest } from './service-request.ts';
import { createVisibility, type MapAccessMode, VisibleMaps } from './visible-maps.ts';

export interface MapServiceRequest extends ServiceRequest {
  readonly service: 'wms' | 'wmts' | 'wcs';
  /** The principal whose data rules limit the maps, if that is another one. */
  readonly limitedAs?: Principal;
}

/** A part of the advertised maps. */
export interface MapSelection {
  /** The last map of the page before: maps then have the order of their names, groups before layers. */
  readonly after: { readonly kind: PublishedMap['kind']; readonly qualifiedName: string } | undefined;
  /** Whether a map with this qualified name is selected; a title is given only if it is already read. */
  readonly isSelected: (qualifiedName: string, title?: string) => boolean;
}

export interface MapAccess {
  /**
   * Iterates over advertised maps, groups before layers. Members of a tree group are listed inside the group only.
   */
  each(selection?: MapSelection): AsyncIterable<PublishedMap>;
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

/** Group modes whose members are listed below the group instead of beside it. */
const trees: ReadonlySet<LayerGroupMode> = new Set(['NAMED', 'CONTAINER', 'EO', 'OPAQUE_CONTAINER']);

/** Throws a Problem if the workspace does not exist, the service is disabled or access is denied. */
export async function openMapAccess(
  services: CompletionServices & Pick<FeatureServices, 'catalog' | 'access'>,
  visit: MapServiceRequest,
): Promise<MapAccess> {
  const { permissions, workspace, settings } = await authorizeRequest(services, visit);
  const others = createOtherLayers((name) => access.findOther(name));
  const { findRestriction } =
    visit.limitedAs === undefined ? permissions : await services.access.getPermissions(visit.limitedAs);
  const sight = { ...createVisibility(permissions), findRestriction };
  const visibleMaps = new VisibleMaps(services.catalog, sight, visit.service, others);
  const access = new AuthorizedMapAccess(visibleMaps, visit, { settings, workspace, services });
  return access;
}

class AuthorizedMapAccess implements MapAccess {
  readonly settings: SettingValues;
  readonly workspace: Workspace | undefined;
  readonly layer: string | undefined;
  readonly #maps: VisibleMaps;
  readonly #principal: ServiceRequest['principal'];
  readonly #services: CompletionServices;

  constructor(
    maps: VisibleMaps,
    { principal, place }: MapServiceRequest,
    {
      settings,
      workspace,
      services,
    }: Pick<MapAccess, 'settings' | 'workspace'> & { readonly services: CompletionServices },
  ) {
    this.#maps = maps;
    this.#services = services;
    this.#principal = principal;
    this.layer = place.layer;
    this.settings = settings;
    this.workspace = workspace;
  }

  async *each(selection?: MapSelection): AsyncGenerator<PublishedMap> {
    const { catalog, sight } = this.#maps;
    const all: MapGroup[] = [];
    for await (const group of this.#listVisibleGroups()) all.push(group);
    const advertised = all.filter((group) => group.isAdvertised || this.layer !== undefined);
    const inside = collectIdsInTrees(advertised);
    yield* selectGroups(
      advertised.filter(({ group }) => !inside.has(group.id)),
      selection,
    );
    const homes = this.workspace === undefined ? await listNonIsolatedWorkspaces(catalog) : [this.workspace];
    for (const { of, after } of selectHomes(homes, selection)) {
      for await (const name of listLayerNames(catalog, of, after)) {
        if (!this.#isMeant(name) || !sight.isVisible({ workspace: of.name, layer: name }, 'description')) continue;
        if (selection?.isSelected(`${of.name}:${name}`) === false) continue;
        const [found] = await findLayerInWorkspace(catalog, of, name);
        const isInside = found !== undefined && this.layer === undefined && inside.has(found.layer.id);
        const layer = isInside ? undefined : found && (await this.#maps.loadLayer(found));
        // A request for one layer lists it even if it is not advertised.
        if (layer !== undefined && (layer.isAdvertised || this.layer !== undefined)) yield layer;
      }
    }
  }

  async find(name: string, wish: MapAccessMode): Promise<PublishedMap | undefined> {
    const groups = await findLayerCandidates(this.#maps.catalog, this.workspace, name);
    const layer = await this.#findLayer(
      groups.map((group) => group.filter((each) => this.#isMeant(each.layer.name))),
      wish,
    );
    const map = layer ?? (await this.#findGroup(name, wish));
    return map && completeOrKeep<PublishedMap>(map, wish, () => completeMap(this.#services, map));
  }

  /**
   * Finds a layer for functions of filters and styles: also of other workspaces by its full name, and in the service of
   * one layer.
   */
  async findOther(name: string): Promise<PublishedType | undefined> {
    for (const home of new Set([this.workspace, name.includes(':') ? undefined : this.workspace])) {
      const layer = await this.#findLayer(await findLayerCandidates(this.#maps.catalog, home, name), 'read');
      if (layer !== undefined) return layer.type;
    }
    return undefined;
  }

  async #findLayer(groups: readonly (readonly LayerCandidate[])[], wish: MapAccessMode): Promise<MapLayer | undefined> {
    const { sight } = this.#maps;
    for (const group of groups) {
      const possible = group.filter(({ layer, workspace: of }) =>
        sight.canDiscover({ workspace: of.name, layer: layer.name }),
      );
      const loaded = await Promise.all(possible.map((each) => this.#maps.loadLayer(each)));
      const [layer, ...others] = loaded.filter((each) => each !== undefined);
      if (layer !== undefined && others.length === 0)
        return this.#checkAccess(layer, { workspace: layer.workspace.name, layer: layer.name }, wish);
    }
    return undefined;
  }

  #isMeant(name: string): boolean {
    return this.layer === undefined || this.layer === name;
  }

  /** Iterates over the groups of the requested workspace, or over all groups including global ones. */
  async *#listVisibleGroups(): AsyncGenerator<MapGroup> {
    const { catalog, sight } = this.#maps;
    const homes =
      this.workspace === undefined ? [null, ...(await listNonIsolatedWorkspaces(catalog))] : [this.workspace];
    for (const of of homes) {
      for (const name of await catalog.listNames(layerGroupKind, of?.id ?? null, {})) {
        if (!this.#isMeant(name)) continue;
        const placed = await findGroupIn(catalog, of, name);
        const isSeen = sight.isVisible({ workspace: of?.name ?? null, layer: name }, 'description');
        const group = isSeen && placed && (await this.#maps.findGroup(placed.group, of, 'description'));
        if (group) yield group;
      }
    }
  }

  async #findGroup(name: string, wish: MapAccessMode): Promise<PublishedMap | undefined> {
    const { catalog, sight } = this.#maps;
    for (const { group, workspace: of } of await findGroupCandidates(catalog, this.workspace, name)) {
      const place = { workspace: of?.name ?? null, layer: group.name };
      const isMeant = group.mode !== 'CONTAINER' && this.#isMeant(group.name);
      const found = isMeant && sight.canDiscover(place) ? await this.#maps.findGroup(group, of, wish) : undefined;
      if (found !== undefined) return this.#checkAccess(found, place, wish);
    }
    return undefined;
  }

  #checkAccess<M extends PublishedMap>(map: M, place: AccessTarget, wish: MapAccessMode): M | undefined {
    const { sight } = this.#maps;
    if (sight.isVisible(place, wish)) return map;
    if (!sight.canDiscover(place)) return undefined;
    throw createAccessProblem(this.#principal);
  }
}

async function listNonIsolatedWorkspaces(catalog: CatalogReader): Promise<readonly Workspace[]> {
  return (await catalog.list(workspaceKind, null)).filter(({ isolated }) => !isolated);
}

function selectGroups(groups: readonly MapGroup[], selection: MapSelection | undefined): readonly MapGroup[] {
  if (selection === undefined) return groups;
  const { after, isSelected } = selection;
  if (after?.kind === 'layer') return [];
  return groups
    .filter(({ qualifiedName, title }) => isSelected(qualifiedName, title))
    .filter(({ qualifiedName }) => after === undefined || compareCodePoints(qualifiedName, after.qualifiedName) > 0)
    .toSorted((one, other) => compareCodePoints(one.qualifiedName, other.qualifiedName));
}

interface Home {
  readonly of: Workspace;
  /** The layer after which the page begins. */
  readonly after?: string;
}

function selectHomes(workspaces: readonly Workspace[], selection: MapSelection | undefined): readonly Home[] {
  if (selection === undefined) return workspaces.map((of) => ({ of }));
  const sorted = workspaces.toSorted((one, other) => compareCodePoints(one.name, other.name)).map((of) => ({ of }));
  if (selection.after?.kind !== 'layer') return sorted;
  const { qualifiedName } = selection.after;
  const colon = qualifiedName.indexOf(':');
  const [workspace, after] = [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)];
  return sorted.flatMap(({ of }): readonly Home[] => {
    const order = compareCodePoints(of.name, workspace);
    return order < 0 ? [] : [order === 0 ? { of, after } : { of }];
  });
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
