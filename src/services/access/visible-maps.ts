/** Loads layers and groups without the members that the principal cannot see. */
import { findResourceById } from '../../catalog/kinds/any-resource.ts';
import { layerKind } from '../../catalog/kinds/layer.ts';
import { type GroupPart, type LayerGroup, layerGroupKind } from '../../catalog/kinds/layer-group.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { AccessTarget, Permissions } from '../../security/access-rules/access.ts';
import type { LayerCandidate } from './layer-candidates.ts';
import {
  createMapGroup,
  createMapLayer,
  type MapGroup,
  type MapGroupStyle,
  type MapLayer,
  type MapPart,
} from './published-map.ts';
import type { OtherLayers } from './published-type.ts';

/** The intended use of a map: read its description or view it. */
export type MapAccessMode = 'description' | 'read';

const anyStore = createUnionKind(storeKinds);

export interface Visibility {
  /** Returns whether the target is visible for the given access mode. */
  isVisible(place: AccessTarget, wish: MapAccessMode): boolean;
  /** Returns whether the principal can discover the target. */
  canDiscover(place: AccessTarget): boolean;
  findRestriction: Permissions['findRestriction'];
}

/** The visibility of global groups without rules of their own follows from their members. */
export function createVisibility(permissions: Permissions): Visibility {
  const isUnrestricted = ({ workspace }: AccessTarget) => workspace !== null && permissions.administers(workspace);
  return {
    findRestriction: permissions.findRestriction,
    isVisible: (place, wish) =>
      isUnrestricted(place) ||
      (wish === 'description' && permissions.isListed(place)) ||
      permissions.decide(place, 'read') === 'allow',
    canDiscover: (place) => isUnrestricted(place) || permissions.decide(place, 'read') !== 'hide',
  };
}

export class VisibleMaps {
  readonly catalog: CatalogReader;
  readonly sight: Visibility;
  readonly #serviceName: string;
  readonly #others: OtherLayers;

  constructor(catalog: CatalogReader, sight: Visibility, service: string, others: OtherLayers) {
    this.catalog = catalog;
    this.sight = sight;
    this.#serviceName = service.toUpperCase();
    this.#others = others;
  }

  async loadLayer({ layer, workspace }: LayerCandidate): Promise<MapLayer | undefined> {
    const resource = await findResourceById(this.catalog, layer.parent ?? '');
    const store = resource && (await this.catalog.get(anyStore, resource.parent ?? ''));
    const restriction = this.sight.findRestriction(workspace.name, layer.name);
    const records = { layer, workspace, restriction, others: this.#others };
    return store && createMapLayer({ ...records, resource, store }, this.#serviceName);
  }

  /** Returns the group with its visible members; undefined if it has none. */
  async findGroup(group: LayerGroup, of: Workspace | null, wish: MapAccessMode): Promise<MapGroup | undefined> {
    if (!group.enabled) return undefined;
    const { root: shown } = group;
    const [root] =
      shown === null ? [] : await this.#listParts([{ of: 'layer', id: shown.layer, style: shown.style }], wish);
    const parts = await this.#listParts(group.parts, wish);
    const styles: MapGroupStyle[] = [];
    for (const style of group.groupStyles) {
      const drawn = await this.#listParts(style.parts, wish);
      const { name, title, abstract } = style;
      if (drawn.length > 0) styles.push({ name, title: title ?? name, abstract: abstract ?? '', parts: drawn });
    }
    return parts.length === 0 ? undefined : createMapGroup(group, of, { parts, root, styles });
  }

  async #listParts(parts: readonly GroupPart[], wish: MapAccessMode): Promise<readonly MapPart[]> {
    const seen: MapPart[] = [];
    for (const { of, id, style } of parts) {
      const map = of === 'layer' ? await this.#findLayerById(id, wish) : await this.#findGroupById(id, wish);
      if (map !== undefined) seen.push({ map, style });
    }
    return seen;
  }

  async #findLayerById(id: string, wish: MapAccessMode): Promise<MapLayer | undefined> {
    const layer = await this.catalog.get(layerKind, id);
    const of = layer && (await this.catalog.get(workspaceKind, layer.workspace));
    return of && this.sight.isVisible({ workspace: of.name, layer: layer.name }, wish)
      ? this.loadLayer({ layer, workspace: of })
      : undefined;
  }

  async #findGroupById(id: string, wish: MapAccessMode): Promise<MapGroup | undefined> {
    const group = await this.catalog.get(layerGroupKind, id);
    if (group === undefined) return undefined;
    const of = group.parent === null ? null : await this.catalog.get(workspaceKind, group.parent);
    const isSeen = of !== undefined && this.sight.isVisible({ workspace: of?.name ?? null, layer: group.name }, wish);
    return isSeen ? this.findGroup(group, of, wish) : undefined;
  }
}
