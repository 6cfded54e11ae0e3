/** A published map: a layer or a layer group. */

import { isCascaded } from '../../catalog/kinds/cascaded-layer.ts';
import type { DataStore } from '../../catalog/kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../../catalog/kinds/feature-type.ts';
import type { Layer } from '../../catalog/kinds/layer.ts';
import type { LayerGroup } from '../../catalog/kinds/layer-group.ts';
import type { Attribution, AuthorityUrl, LayerIdentifier } from '../../catalog/kinds/layer-metadata.ts';
import { getBoundsCrs, type Resource, type ResourceLink } from '../../catalog/kinds/resource.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import type { StyleReference } from '../../catalog/kinds/style.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { Restriction } from '../../security/data-rules/restriction.ts';
import { createPublishedType, formatDataState, type OtherLayers, type PublishedType } from './published-type.ts';

export type PublishedMap = MapLayer | MapGroup;

interface MapBase {
  /** Unique within its workspace, or among the global groups. */
  readonly name: string;
  /** `workspace:name`, such as `topp:states`; the name alone for a global group. */
  readonly qualifiedName: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly links: readonly ResourceLink[];
  readonly attribution: Attribution | undefined;
  readonly authorityURLs: readonly AuthorityUrl[];
  readonly identifiers: readonly LayerIdentifier[];
  readonly latLonBounds: Bounds | null;
  /** In `boundsCrs`. */
  readonly bounds: Bounds | null;
  readonly boundsCrs: CrsReference;
  /** Whether services list it; it can be requested either way. */
  readonly isAdvertised: boolean;
  /** Whether GetFeatureInfo is supported. */
  readonly isQueryable: boolean;
  /**
   * Changes with every change in the catalog, except changes of styles. Differs between principals with different data
   * rules. Part of every cache key.
   */
  readonly state: string;
}

export interface MapLayer extends MapBase {
  readonly kind: 'layer';
  readonly layer: Layer;
  readonly resource: Resource;
  readonly workspace: Workspace;
  readonly isOpaque: boolean;
  readonly dataLinks: readonly ResourceLink[];
  /** The feature type; undefined for coverages and cascaded layers. */
  readonly type: PublishedType | undefined;
  /** The data rules for the principal; undefined if the layer is unrestricted. */
  readonly restriction: Restriction | undefined;
  /** The layers that filters and styles can read in the same request. */
  readonly others: OtherLayers;
}

export interface MapGroup extends MapBase {
  readonly kind: 'group';
  readonly group: LayerGroup;
  /** Null for a global group. */
  readonly workspace: Workspace | null;
  /** The visible members in drawing order; never empty. */
  readonly parts: readonly MapPart[];
  /** The root layer, which is drawn for the whole group, if any. */
  readonly root: MapPart | undefined;
  /** Alternative styles of the group, without those that have no visible member. */
  readonly styles: readonly MapGroupStyle[];
}

export interface MapPart {
  readonly map: PublishedMap;
  /** The style of a layer, or the name of a group style; null for the default. */
  readonly style: StyleReference | null;
}

export interface MapGroupStyle {
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly parts: readonly MapPart[];
}

/** A layer to draw with the style that a group assigns; null for its default style. */
export interface StyledLayer {
  readonly layer: MapLayer;
  readonly style: StyleReference | null;
}

/** Returns undefined if the layer, resource or store is disabled, or the service is disabled for the resource. */
export function createMapLayer(
  records: {
    readonly layer: Layer;
    readonly resource: Resource;
    readonly store: Store;
    readonly workspace: Workspace;
    readonly restriction: Restriction | undefined;
    readonly others: OtherLayers;
  },
  serviceName: string,
): MapLayer | undefined {
  const { layer, resource, store, workspace, restriction, others } = records;
  const isRefused = resource.serviceConfiguration && resource.disabledServices.includes(serviceName);
  if (!layer.enabled || !resource.enabled || !store.enabled || isRefused || layer.defaultStyle === null) {
    return undefined;
  }
  const type = isFeatureType(resource) ? resource : undefined;
  return {
    kind: 'layer',
    layer,
    resource,
    workspace,
    name: layer.name,
    qualifiedName: `${workspace.name}:${layer.name}`,
    title: resource.title ?? layer.name,
    abstract: resource.abstract ?? resource.description ?? '',
    keywords: resource.keywords,
    links: resource.metadataLinks,
    dataLinks: resource.dataLinks,
    attribution: layer.attribution,
    authorityURLs: layer.authorityURLs ?? [],
    identifiers: layer.identifiers ?? [],
    latLonBounds: resource.latLonBounds,
    bounds: resource.nativeBounds,
    boundsCrs: getBoundsCrs(resource),
    isAdvertised: resource.advertised && (layer.advertised ?? true),
    isQueryable: (layer.queryable ?? true) && !(isCascaded(resource) && resource.isQueryable === false),
    isOpaque: layer.opaque ?? false,
    state: formatDataState(Math.max(layer.version, resource.version, store.version, workspace.version), restriction),
    restriction,
    others,
    // The store of a feature type is always a data store.
    type: type && createPublishedType({ layer, type, store: store as DataStore, workspace, restriction, others }),
  };
}

function isFeatureType(resource: Resource): resource is FeatureType {
  return resource.kind === featureTypeKind.kind;
}

export function createMapGroup(
  group: LayerGroup,
  workspace: Workspace | null,
  { parts, root, styles }: Pick<MapGroup, 'parts' | 'root' | 'styles'>,
): MapGroup {
  const { bounds } = group;
  const all = [...parts, ...styles.flatMap((style) => style.parts)];
  return {
    kind: 'group',
    group,
    workspace,
    parts,
    root,
    styles,
    name: group.name,
    qualifiedName: workspace === null ? group.name : `${workspace.name}:${group.name}`,
    title: group.title ?? group.name,
    abstract: group.abstract ?? '',
    keywords: group.keywords,
    links: group.metadataLinks,
    attribution: group.attribution ?? undefined,
    authorityURLs: group.authorityURLs,
    identifiers: group.identifiers,
    latLonBounds: group.latLonBounds,
    bounds,
    boundsCrs: bounds === null ? {} : { code: bounds.crs },
    isAdvertised: group.advertised,
    isQueryable: !group.queryDisabled && parts.some(({ map }) => map.isQueryable),
    state: [...new Set([group.version, workspace?.version ?? 0, ...all.map(({ map }) => map.state)])].join(' '),
  };
}

/** Returns the layers to draw, from bottom to top. */
export function listStyledLayers(map: PublishedMap, style: StyleReference | null): readonly StyledLayer[] {
  if (map.kind === 'layer') return [{ layer: map, style }];
  const whole = map.root === undefined ? map.parts : [map.root];
  const parts = map.styles.find(({ name }) => name === style)?.parts ?? whole;
  return parts.flatMap((part) => listStyledLayers(part.map, part.style));
}
