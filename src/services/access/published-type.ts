/** A published feature type: its names, attributes and coordinate reference system. */

import type { DataStore } from '../../catalog/kinds/data-store.ts';
import type { FeatureType } from '../../catalog/kinds/feature-type.ts';
import type { Layer } from '../../catalog/kinds/layer.ts';
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { getBoundsCrs, type Resource, type ResourceLink } from '../../catalog/kinds/resource.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import type { Workspace } from '../../records/workspace.ts';

export interface PublishedType {
  /** The name of its workspace, which is also the prefix of its namespace. */
  readonly prefix: string;
  readonly namespace: string;
  /** Unique within its workspace. */
  readonly name: string;
  /** With its prefix: `topp:states`. */
  readonly qualifiedName: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly links: readonly ResourceLink[];
  /** The published attributes, in output order. */
  readonly attributes: readonly PublishedAttribute[];
  /** The default geometry; undefined for a table without geometries. */
  readonly geometry: Extract<PublishedAttribute, { readonly kind: 'geometry' }> | undefined;
  /** The default CRS of responses. */
  readonly crs: CrsReference;
  /** The CRS of the stored coordinates. It differs from `crs` if they are reprojected to the declared CRS. */
  readonly keptCrs: CrsReference;
  readonly latLonBounds: Bounds | null;
  /** Whether services list it; it can be requested either way. */
  readonly isAdvertised: boolean;
  /** The cache lifetime for clients; undefined if not configured. */
  readonly maxAgeSeconds: number | undefined;
  /** The maximum number of features in a response; 0 for no limit of its own. */
  readonly maxFeatures: number;
  /** The number of decimals of coordinates, if configured. */
  readonly decimals: number | undefined;
  /** Changes with every change in the catalog: names, attributes, files, filter. */
  readonly version: number;
  readonly records: PublishedRecords;
}

/** The catalog records of a published type. */
export interface PublishedRecords {
  readonly layer: Layer;
  readonly type: FeatureType;
  readonly store: DataStore;
  readonly workspace: Workspace;
}

export function createPublishedType(records: PublishedRecords): PublishedType {
  const { layer, type, store, workspace } = records;
  const geometries = type.attributes.filter((attribute) => attribute.kind === 'geometry');
  const [geometry] = geometries;
  return {
    prefix: workspace.name,
    namespace: workspace.uri,
    name: layer.name,
    qualifiedName: `${workspace.name}:${layer.name}`,
    title: type.title ?? layer.name,
    abstract: type.abstract ?? type.description ?? '',
    keywords: type.keywords,
    links: type.metadataLinks,
    attributes: type.attributes,
    geometry,
    crs: type.projectionPolicy === 'NONE' || type.srs === null ? getBoundsCrs(type) : { code: type.srs },
    keptCrs: getBoundsCrs(type),
    latLonBounds: type.latLonBounds,
    isAdvertised: type.advertised && (layer.advertised ?? true),
    maxAgeSeconds: readMaxAge(type),
    maxFeatures: type.maxFeatures,
    decimals: type.numDecimals > 0 ? type.numDecimals : undefined,
    version: Math.max(layer.version, type.version, store.version, workspace.version),
    records,
  };
}

/** Reads `cachingEnabled` and `cacheAgeMax` from the metadata of a type. */
export function readMaxAge({ metadata }: Pick<Resource, 'metadata'>): number | undefined {
  const { cachingEnabled, cacheAgeMax } = metadata;
  const isWanted = typeof cachingEnabled === 'string' && parseFlag(cachingEnabled) === true;
  const seconds = typeof cacheAgeMax === 'string' && /^\d{1,9}$/.test(cacheAgeMax.trim()) ? Number(cacheAgeMax) : 0;
  return isWanted ? seconds : undefined;
}
