/** A feature type as services give it out: its names, attributes and reference system, as people have published it. */

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
  /** The name of its workspace, which is the prefix of its namespace. */
  readonly prefix: string;
  readonly namespace: string;
  /** Within its workspace. */
  readonly name: string;
  /** With its prefix: `topp:states`. */
  readonly qualifiedName: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly links: readonly ResourceLink[];
  /** In the order they are given out; those that are not published are not there. */
  readonly attributes: readonly PublishedAttribute[];
  /** The geometry that clients mean when they name none; undefined for a table without any. */
  readonly geometry: Extract<PublishedAttribute, { readonly kind: 'geometry' }> | undefined;
  /** What coordinates are given out in unless a client asks otherwise. */
  readonly crs: CrsReference;
  /** What they are in where they are kept: another one where they are converted to what is declared. */
  readonly keptCrs: CrsReference;
  readonly latLonBounds: Bounds | null;
  /** Whether lists of services name it; it can be asked for in any case. */
  readonly isAdvertised: boolean;
  /** For how long clients may keep what they were given; undefined where nobody said so. */
  readonly maxAgeSeconds: number | undefined;
  /** No answer has more features than this; 0 for no limit of its own. */
  readonly maxFeatures: number;
  /** Digits behind the point of coordinates, where somebody has said so. */
  readonly decimals: number | undefined;
  /** Changes whenever something changes that the catalog knows of: names, attributes, files, filter. */
  readonly version: number;
  readonly records: PublishedRecords;
}

/** What a published type is made of. */
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

/** Said with `cachingEnabled` and `cacheAgeMax` among the metadata of a type. */
export function readMaxAge({ metadata }: Pick<Resource, 'metadata'>): number | undefined {
  const { cachingEnabled, cacheAgeMax } = metadata;
  const isWanted = typeof cachingEnabled === 'string' && parseFlag(cachingEnabled) === true;
  const seconds = typeof cacheAgeMax === 'string' && /^\d{1,9}$/.test(cacheAgeMax.trim()) ? Number(cacheAgeMax) : 0;
  return isWanted ? seconds : undefined;
}
