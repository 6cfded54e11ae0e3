/** A published type of a data store: a table or file, with what clients are told of it. */
import type { Bounds } from '../../data/crs/bounds.ts';
import type { CrsReference } from '../../data/crs/crs-reference.ts';
import type { ValueTree } from '../../lib/value-tree.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { PublishedAttribute } from './published-attribute.ts';

export const projectionPolicies = ['FORCE_DECLARED', 'REPROJECT_TO_DECLARED', 'NONE'] as const;
export type ProjectionPolicy = (typeof projectionPolicies)[number];

/** Where more is told of the data, or the data itself is found. */
export interface ResourceLink {
  /** The media type of what is there. */
  readonly type: string | null;
  /** The standard it follows, such as `ISO19115:2003`. */
  readonly metadataType: string | null;
  /** The address. */
  readonly content: string | null;
  /** What it is about. */
  readonly about?: string;
}

/** What others keep with a type by key: text, or trees of which we know a few. */
export type Metadata = Readonly<Record<string, ValueTree>>;

/** Text by language. */
export type InternationalText = Readonly<Record<string, string>>;

/** Settings of the data services to come, kept as given. */
export interface ServiceSettings {
  /** Another name of the layer. */
  readonly alias: string | null;
  readonly serviceConfiguration: boolean;
  readonly disabledServices: readonly string[];
  readonly simpleConversionEnabled: boolean;
  readonly internationalTitle: InternationalText | null;
  readonly internationalAbstract: InternationalText | null;
  readonly cqlFilter: string | null;
  readonly maxFeatures: number;
  readonly numDecimals: number;
  readonly padWithZeros: boolean;
  readonly forcedDecimal: boolean;
  readonly responseSRS: readonly string[];
  readonly overridingServiceSRS: boolean;
  readonly skipNumberMatched: boolean;
  readonly circularArcPresent: boolean;
  readonly linearizationTolerance: number | null;
  readonly encodeMeasures: boolean;
}

export const defaultServiceSettings: ServiceSettings = {
  alias: null,
  serviceConfiguration: false,
  disabledServices: [],
  simpleConversionEnabled: false,
  internationalTitle: null,
  internationalAbstract: null,
  cqlFilter: null,
  maxFeatures: 0,
  numDecimals: 0,
  padWithZeros: false,
  forcedDecimal: false,
  responseSRS: [],
  overridingServiceSRS: false,
  skipNumberMatched: false,
  circularArcPresent: false,
  linearizationTolerance: null,
  encodeMeasures: false,
};

export interface FeatureType extends RecordBase, ServiceSettings {
  readonly kind: 'featureType';
  /** The workspace its store lives in: names are unique there, whatever the store. */
  readonly workspace: string;
  /** The name in the data, or that of the virtual table. */
  readonly nativeName: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  readonly metadataLinks: readonly ResourceLink[];
  readonly dataLinks: readonly ResourceLink[];
  /** The CRS of the data, as the data says. */
  readonly nativeCrs: CrsReference;
  /** The CRS that clients are told. */
  readonly srs: string | null;
  readonly projectionPolicy: ProjectionPolicy;
  /** In the CRS that `boundsCrs` tells. */
  readonly nativeBounds: Bounds | null;
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
  readonly enabled: boolean;
  readonly advertised: boolean;
  readonly metadata: Metadata;
  readonly attributes: readonly PublishedAttribute[];
}

/** What coordinates are in: what the declaration says if it is to be believed, else what the data says. */
export function boundsCrs(type: Pick<FeatureType, 'srs' | 'nativeCrs' | 'projectionPolicy'>): CrsReference {
  const isNative = type.projectionPolicy !== 'FORCE_DECLARED' && Object.keys(type.nativeCrs).length > 0;
  return type.srs === null || isNative ? type.nativeCrs : { code: type.srs };
}

export const featureTypeKind: RecordKind<FeatureType> = {
  kind: 'featureType',
  keys: (type) => ({ qualifiedName: [qualifiedKey(type.workspace, type.name)] }),
  secrets: [],
};

/** The key of a name within a workspace. */
export function qualifiedKey(workspaceId: string, name: string): string {
  return `${workspaceId}/${name}`;
}
