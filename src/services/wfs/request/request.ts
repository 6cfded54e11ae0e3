/** The requests of a WFS, the same for all versions and all ways they are sent. */
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { NamespaceScope } from '../../ows/message.ts';
import type { Selection, SortKey } from '../../ows/selection.ts';
import type { SupportedVersions } from '../../ows/versions.ts';

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
  /** In lower case; undefined means all. */
  readonly sections?: readonly string[];
  readonly updateSequence?: string;
}

export interface DescribeFeatureTypeRequest {
  readonly kind: 'DescribeFeatureType';
  readonly version: WfsVersion;
  /** Empty means all. */
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
  /** Whether it is the stored query that gives one feature by its id, which is answered with the bare feature. */
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
  /** Empty means all. */
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
  /** Undefined for all. */
  readonly filter: XmlElement | undefined;
}

export interface SentFeature {
  readonly typeName: TypeName;
  readonly properties: readonly SentProperty[];
}

export interface SentProperty {
  /** As written. */
  readonly name: string;
  /** What holds the value, as text or as a geometry; undefined for null. */
  readonly value: XmlElement | undefined;
}

/** A type as a client names it. */
export interface TypeName {
  readonly local: string;
  readonly prefix?: string;
  /** What the prefix stands for, where the client says so. */
  readonly uri?: string;
}

/** One question for the features of one type. */
export interface RequestedQuery {
  readonly typeName: TypeName;
  readonly srsName?: string;
  /** As written; undefined means all. */
  readonly propertyNames?: readonly string[];
  readonly sortBy: readonly SortKey[];
  readonly selection: Selection;
}

export const GET_FEATURE_BY_ID = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';

/** The same under the name that clients of drafts of the standard use. */
const oldGetFeatureById = 'urn:ogc:def:storedQuery:OGC-WFS::GetFeatureById';

export function isGetFeatureById(id: string): boolean {
  return id === GET_FEATURE_BY_ID || id === oldGetFeatureById;
}

/** What the stored query asks: a feature by its id, whose type is told by what stands before the last dot. */
export function createQueryForId(id: string): RequestedQuery {
  const typeName = readTypeNameOfId(id);
  if (typeName === undefined) throw problem('wfs-feature-unknown', { id, field: 'id' });
  return { typeName, sortBy: [], selection: { kind: 'ids', ids: [id] } };
}

/** The type of `roads.17`; undefined where an id names none. */
export function readTypeNameOfId(id: string): TypeName | undefined {
  const dot = id.lastIndexOf('.');
  return dot > 0 ? readTypeName(id.slice(0, dot), new Map()) : undefined;
}

/** `prefix:local` or a bare name. Prefixes that the client declares stand for what it says. */
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

/** As it was written. */
export function formatTypeName({ prefix, local }: TypeName): string {
  return prefix === undefined ? local : `${prefix}:${local}`;
}

/** Documents often declare the namespace of WFS itself as the default, which says nothing about types without a prefix. */
function isServiceNamespace(uri: string): boolean {
  return uri === '' || uri.startsWith('http://www.opengis.net/');
}

/** Joins are the one thing of queries that no version of this server does. */
export function refuseJoin(names: readonly string[]): void {
  if (names.length > 1) {
    throw problem('ows-option-unsupported', {
      what: `A join of ${names.slice(0, 5).join(', ')}`,
      instead: 'ask for each type by itself, such as typeNames=(a)(b)',
      field: 'typeNames',
    });
  }
}

/** What a request wants: the features, or how many there are. */
export function readResultType(text: string | undefined): 'results' | 'hits' {
  const value = text?.trim().toLowerCase() ?? 'results';
  if (value !== 'results' && value !== 'hits') {
    const expected = 'results or hits was expected';
    throw problem('ows-parameter-invalid', { parameter: 'resultType', value, expected, field: 'resultType' });
  }
  return value;
}
