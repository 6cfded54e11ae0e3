/** WFS requests, independent of version and encoding. */
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { NamespaceScope } from '../../ows/message.ts';
import type { Selection, SortKey } from '../../ows/selection.ts';
import type { SupportedVersions } from '../../ows/versions.ts';
import type { ViewParameters } from '../../ows/view-parameters.ts';

export type WfsVersion = '1.0.0' | '1.1.0' | '2.0.0';

export const wfsVersions: SupportedVersions<WfsVersion> = ['1.0.0', '1.1.0', '2.0.0'];

export type WfsRequest =
  | GetCapabilitiesRequest
  | DescribeFeatureTypeRequest
  | GetFeatureRequest
  | GetPropertyValueRequest
  | ListStoredQueriesRequest
  | DescribeStoredQueriesRequest
  | TransactionRequest;

export interface GetCapabilitiesRequest {
  readonly kind: 'GetCapabilities';
  readonly version: WfsVersion;
  /** In lower case; undefined for all sections. */
  readonly sections?: readonly string[];
  readonly updateSequence?: string;
}

export interface DescribeFeatureTypeRequest {
  readonly kind: 'DescribeFeatureType';
  readonly version: WfsVersion;
  /** Empty for all types. */
  readonly typeNames: readonly TypeName[];
  readonly outputFormat?: string;
}

export interface GetFeatureRequest {
  readonly kind: 'GetFeature';
  readonly version: WfsVersion;
  readonly outputFormat?: string;
  readonly formatOptions: ReadonlyMap<string, string>;
  readonly resultType: 'results' | 'hits';
  readonly count?: number;
  readonly startIndex?: number;
  /** At least one. */
  readonly queries: readonly RequestedQuery[];
  /** Whether this is the stored query GetFeatureById, whose response is the bare feature. */
  readonly isById: boolean;
}

export interface GetPropertyValueRequest extends Omit<GetFeatureRequest, 'kind' | 'queries'> {
  readonly kind: 'GetPropertyValue';
  readonly valueReference: string;
  readonly query: RequestedQuery;
}

export interface ListStoredQueriesRequest {
  readonly kind: 'ListStoredQueries';
  readonly version: WfsVersion;
}

export interface DescribeStoredQueriesRequest {
  readonly kind: 'DescribeStoredQueries';
  readonly version: WfsVersion;
  /** Empty for all. */
  readonly ids: readonly string[];
}

export interface TransactionRequest {
  readonly kind: 'Transaction';
  readonly version: WfsVersion;
  /** At least one. */
  readonly actions: readonly TransactionAction[];
}

export type TransactionAction =
  | { readonly kind: 'insert'; readonly features: readonly SentFeature[]; readonly handle: string | undefined }
  | (TransactionTarget & { readonly kind: 'update'; readonly properties: readonly SentProperty[] })
  | (TransactionTarget & { readonly kind: 'delete' })
  | { readonly kind: 'replace'; readonly feature: SentFeature; readonly filter: XmlElement };

export interface TransactionTarget {
  readonly typeName: TypeName;
  /** Undefined for all features. */
  readonly filter: XmlElement | undefined;
}

export interface SentFeature {
  readonly typeName: TypeName;
  readonly properties: readonly SentProperty[];
}

export interface SentProperty {
  /** As sent. */
  readonly name: string;
  /** The element with the value, as text or as a geometry; undefined for null. */
  readonly value: XmlElement | undefined;
}

/** A type name as sent by a client. */
export interface TypeName {
  readonly local: string;
  readonly prefix?: string;
  /** The namespace of the prefix, if the client declares it. */
  readonly uri?: string;
}

/** A query for the features of one type. */
export interface RequestedQuery {
  readonly typeName: TypeName;
  readonly srsName?: string;
  /** As sent; undefined for all. */
  readonly propertyNames?: readonly string[];
  readonly sortBy: readonly SortKey[];
  readonly selection: Selection;
  /** For a virtual table. */
  readonly viewParameters?: ViewParameters;
}

export const GET_FEATURE_BY_ID = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';

/** The name in drafts of the standard, which some clients use. */
const oldGetFeatureById = 'urn:ogc:def:storedQuery:OGC-WFS::GetFeatureById';

export function isGetFeatureById(id: string): boolean {
  return id === GET_FEATURE_BY_ID || id === oldGetFeatureById;
}

/** Creates the query for a feature id, whose type is the part before the last dot. */
export function createQueryForId(id: string): RequestedQuery {
  const typeName = readTypeNameOfId(id);
  if (typeName === undefined) throw problem('wfs-feature-unknown', { id, field: 'id' });
  return { typeName, sortBy: [], selection: { kind: 'ids', ids: [id] } };
}

/** Returns the type of an id such as `roads.17`; undefined if it has none. */
export function readTypeNameOfId(id: string): TypeName | undefined {
  const dot = id.lastIndexOf('.');
  return dot > 0 ? readTypeName(id.slice(0, dot), new Map()) : undefined;
}

/** Parses `prefix:local` or a bare name, with the prefixes that the client declares. */
export function readTypeName(text: string, scope: NamespaceScope): TypeName {
  const written = text.trim();
  const colon = written.indexOf(':');
  const prefix = colon < 0 ? '' : written.slice(0, colon);
  const local = written.slice(colon + 1);
  const uri = scope.get(prefix);
  return {
    local,
    ...(prefix === '' ? {} : { prefix }),
    ...(uri === undefined || (prefix === '' && isServiceNamespace(uri)) ? {} : { uri }),
  };
}

/** Formats a name as it was sent. */
export function formatTypeName({ prefix, local }: TypeName): string {
  return prefix === undefined ? local : `${prefix}:${local}`;
}

/** Documents often declare the WFS namespace as the default, which does not apply to unprefixed type names. */
function isServiceNamespace(uri: string): boolean {
  return uri === '' || uri.startsWith('http://www.opengis.net/');
}

/** Joins are not supported in any version. */
export function refuseJoin(names: readonly string[]): void {
  if (names.length > 1) {
    throw problem('ows-option-unsupported', {
      what: `A join of ${names.slice(0, 5).join(', ')}`,
      instead: 'query each type separately, such as typeNames=(a)(b)',
      field: 'typeNames',
    });
  }
}
