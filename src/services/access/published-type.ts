/** A published feature type: its names, attributes and coordinate reference system. */

import type { DataStore } from '../../catalog/kinds/data-store.ts';
import type { FeatureType } from '../../catalog/kinds/feature-type.ts';
import type { Layer } from '../../catalog/kinds/layer.ts';
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { getBoundsCrs, type Resource, type ResourceLink } from '../../catalog/kinds/resource.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { LookupValue } from '../../filter/lookup/lookup-calls.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import type { Workspace } from '../../records/workspace.ts';
import { getAttributeAccess } from '../../security/data-rules/data-rule.ts';
import { dropOutdatedRules, type Restriction } from '../../security/data-rules/restriction.ts';

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
  /** The published attributes that the principal can see, in output order. */
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
  /** Whether a data rule hides the default geometry: maps are empty then. */
  readonly hasHiddenGeometry: boolean;
  /**
   * Changes with every change in the catalog: names, attributes, files, filter. Differs between principals with
   * different data rules. Part of every cache key.
   */
  readonly state: string;
  readonly records: PublishedRecords;
}

/** The catalog records of a published type. */
export interface PublishedRecords {
  readonly layer: Layer;
  readonly type: FeatureType;
  readonly store: DataStore;
  readonly workspace: Workspace;
  /** The data rules for the principal; undefined if the layer is unrestricted. */
  readonly restriction: Restriction | undefined;
  /** The layers that filters and styles can read in the same request. */
  readonly others: OtherLayers;
}

/** The layers that one request can read, and the values that it has read. */
export interface OtherLayers {
  /** Returns undefined for layers that are missing, hidden or no vector layers. */
  find(name: string): Promise<PublishedType | undefined>;
  /** By call, so that a request reads the values of equal calls once. */
  readonly results: Map<string, Promise<LookupValue>>;
}

export function createOtherLayers(find: OtherLayers['find']): OtherLayers {
  return { find, results: new Map() };
}

export function createPublishedType(given: PublishedRecords): PublishedType {
  const { layer, type, store, workspace } = given;
  // The attributes of an unverified type are unknown until its data is opened.
  const isKnown = type.unverified === undefined;
  const restriction =
    given.restriction && isKnown ? dropOutdatedRules(given.restriction, type.attributes) : given.restriction;
  const records = { ...given, restriction };
  const attributes = restriction === undefined ? type.attributes : selectVisible(type.attributes, restriction);
  const defaultGeometry = type.attributes.find((attribute) => attribute.kind === 'geometry');
  // Another geometry must not take the place of a hidden one.
  const geometry =
    attributes.find((attribute) => attribute === defaultGeometry)?.kind === 'geometry' ? defaultGeometry : undefined;
  const version = Math.max(layer.version, type.version, store.version, workspace.version);
  return {
    prefix: workspace.name,
    namespace: workspace.uri,
    name: layer.name,
    qualifiedName: `${workspace.name}:${layer.name}`,
    title: type.title ?? layer.name,
    abstract: type.abstract ?? type.description ?? '',
    keywords: type.keywords,
    links: type.metadataLinks,
    attributes,
    geometry,
    crs: type.projectionPolicy === 'NONE' || type.srs === null ? getBoundsCrs(type) : { code: type.srs },
    keptCrs: getBoundsCrs(type),
    latLonBounds: type.latLonBounds,
    isAdvertised: type.advertised && (layer.advertised ?? true),
    maxAgeSeconds: readMaxAge(type),
    maxFeatures: type.maxFeatures,
    decimals: type.numDecimals > 0 ? type.numDecimals : undefined,
    hasHiddenGeometry: geometry !== defaultGeometry,
    state: formatDataState(version, restriction),
    records,
  };
}

/** Tags and keys of caches use it, so that principals with different data rules never share content. */
export function formatDataState(version: number, restriction: Restriction | undefined): string {
  return restriction === undefined ? String(version) : `${version}-${restriction.digest}`;
}

/** An attribute is part of the schema if one of the rules shows it. */
function selectVisible(
  attributes: readonly PublishedAttribute[],
  { rules }: Restriction,
): readonly PublishedAttribute[] {
  return attributes.filter(({ name }) => rules.some((rule) => getAttributeAccess(rule, name) !== 'hide'));
}

/** Reads `cachingEnabled` and `cacheAgeMax` from the metadata of a type. */
export function readMaxAge({ metadata }: Pick<Resource, 'metadata'>): number | undefined {
  const { cachingEnabled, cacheAgeMax } = metadata;
  const isWanted = typeof cachingEnabled === 'string' && parseFlag(cachingEnabled) === true;
  const seconds = typeof cacheAgeMax === 'string' && /^\d{1,9}$/.test(cacheAgeMax.trim()) ? Number(cacheAgeMax) : 0;
  return isWanted ? seconds : undefined;
}
