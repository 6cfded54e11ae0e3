/** A published type of a data store: a table or file and its metadata. */
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import type { BuiltInName } from '../../styling/built-in/built-in-names.ts';
import { dataStoreKind } from './data-store.ts';
import type { AttributeDraft, PublishedAttribute } from './published-attribute.ts';
import {
  defaultResourceSettings,
  publishedKeys,
  type Resource,
  type ResourceKind,
  type ResourceSettings,
} from './resource.ts';
import type { ResourceDraft, SettingsDraft } from './resource-draft.ts';

/** Settings of the services that return features; stored as sent. */
interface FeatureSettings {
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

/** The initial service settings of a feature type. */
export const defaultServiceSettings: ResourceSettings & FeatureSettings = {
  ...defaultResourceSettings,
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

/** Its native name is that of the table or file, or of the virtual table. */
export interface FeatureType extends Resource, FeatureSettings {
  readonly kind: 'featureType';
  readonly attributes: readonly PublishedAttribute[];
  /** For an unverified type: the attributes that the client sent, some of them without a type. */
  readonly declaredAttributes?: readonly AttributeDraft[];
}

/** The feature type fields that a client can set: an absent field stays unchanged, null clears it. */
export type FeatureTypeDraft = ResourceDraft &
  SettingsDraft<FeatureSettings> & { readonly attributes?: readonly AttributeDraft[] | null };

/** The field that error messages about the reference system name. */
export const SRS_FIELD = 'featureType.srs';

export const featureTypeKind: ResourceKind<FeatureType> = {
  ...createLinkedKind<FeatureType>(
    { kind: 'featureType', keys: publishedKeys, secrets: {} },
    { livesIn: [dataStoreKind.kind], references: [] },
  ),
  collection: 'featuretypes',
  layerType: 'VECTOR',
  selectDefaultStyle: selectDefaultStyle,
  createNameTakenProblem: (details) => problem('feature-type-exists', details),
  createInUseProblem: (details) => problem('feature-type-in-use', details),
};

/**
 * Points, lines and polygons have specific default styles, mixed geometries the generic one, and tables without
 * geometry none.
 */
function selectDefaultStyle({ attributes, unverified }: FeatureType): BuiltInName | null {
  const geometry = attributes.find((attribute) => attribute.kind === 'geometry');
  if (geometry?.kind !== 'geometry') {
    return unverified === undefined ? null : 'generic';
  }
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint':
      return 'point';
    case 'LineString':
    case 'MultiLineString':
      return 'line';
    case 'Polygon':
    case 'MultiPolygon':
      return 'polygon';
    case 'Geometry':
    case 'GeometryCollection':
      return 'generic';
  }
}
