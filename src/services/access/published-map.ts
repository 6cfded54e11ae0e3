/** What maps show under one name, as people have published it: a layer of whatever data, or a group of layers. */

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
import { createPublishedType, type PublishedType } from './published-type.ts';

export type PublishedMap = MapLayer | MapGroup;

interface MapBase {
  /** Within its workspace, or among the global groups. */
  readonly name: string;
  /** With its workspace: `topp:states`; of a global group it is the name. */
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
  /** Whether lists of services name it; it can be asked for in any case. */
  readonly isAdvertised: boolean;
  /** Whether what is drawn can be asked for its features. */
  readonly isQueryable: boolean;
  /** Changes whenever something changes that the catalog knows of, styles aside. */
  readonly version: number;
}

export interface MapLayer extends MapBase {
  readonly kind: 'layer';
  readonly layer: Layer;
  readonly resource: Resource;
  readonly workspace: Workspace;
  readonly isOpaque: boolean;
  readonly dataLinks: readonly ResourceLink[];
  /** Its features; undefined for rasters and for layers of other servers. */
  readonly type: PublishedType | undefined;
}

export interface MapGroup extends MapBase {
  readonly kind: 'group';
  readonly group: LayerGroup;
  /** Null for a global one. */
  readonly workspace: Workspace | null;
  /** What is drawn, in its order, as far as somebody may see it; never nothing. */
  readonly parts: readonly MapPart[];
  /** The one layer that is drawn for all of it, where there is one. */
  readonly root: MapPart | undefined;
  /** Other ways to draw it; those of which they see nothing are not there. */
  readonly styles: readonly MapGroupStyle[];
}

export interface MapPart {
  readonly map: PublishedMap;
  /** Of a layer a style, of a group the name of one of its own; null for the default one. */
  readonly style: StyleReference | null;
}

export interface MapGroupStyle {
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly parts: readonly MapPart[];
}

/** A layer to be drawn, with the style that a group draws it in; null for its default one. */
export interface StyledLayer {
  readonly layer: MapLayer;
  readonly style: StyleReference | null;
}

/** Undefined for what is switched off somewhere, or not for a service of this name. */
export function createMapLayer(
  records: {
    readonly layer: Layer;
    readonly resource: Resource;
    readonly store: Store;
    readonly workspace: Workspace;
  },
  serviceName: string,
): MapLayer | undefined {
  const { layer, resource, store, workspace } = records;
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
    isQueryable: layer.queryable ?? true,
    isOpaque: layer.opaque ?? false,
    version: Math.max(layer.version, resource.version, store.version, workspace.version),
    // The store of a feature type is one of features.
    type: type && createPublishedType({ layer, type, store: store as DataStore, workspace }),
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
    version: Math.max(group.version, workspace?.version ?? 0, ...all.map(({ map }) => map.version)),
  };
}

/** The layers that are drawn for something, the lowest first. */
export function listStyledLayers(map: PublishedMap, style: StyleReference | null): readonly StyledLayer[] {
  if (map.kind === 'layer') return [{ layer: map, style }];
  const whole = map.root === undefined ? map.parts : [map.root];
  const parts = map.styles.find(({ name }) => name === style)?.parts ?? whole;
  return parts.flatMap((part) => listStyledLayers(part.map, part.style));
}
