/** WFS requests, independent of version and encoding. */
import type { StoredQueryValue } from '../../../catalog/stored-queries/parameter-types.ts';
import type { StoredQueryDraft } from '../../../catalog/stored-queries/stored-queries.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { UsedLock } from '../../access/changed-rows.ts';
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
  | CreateStoredQueryRequest
  | DropStoredQueryRequest
  | LockFeatureRequest
  | GetFeatureWithLockRequest
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

export interface CreateStoredQueryRequest {
  readonly kind: 'CreateStoredQuery';
  readonly version: WfsVersion;
  readonly definitions: readonly StoredQueryDraft[];
  /** What the definitions contain without effect. */
  readonly warnings: readonly string[];
}

export interface DropStoredQueryRequest {
  readonly kind: 'DropStoredQuery';
  readonly version: WfsVersion;
  readonly id: string;
}

/** A stored query with the values of its parameters, whose names are in lower case. */
export interface StoredQueryCall {
  readonly id: string;
  readonly values: ReadonlyMap<string, StoredQueryValue>;
  /** Key-value pairs have other parameters beside the values. */
  readonly hasOtherNames?: true;
}

/** Returns the Query elements of a stored query with values in place of its placeholders. */
export type BindStoredQuery = (call: StoredQueryCall) => Promise<readonly XmlElement[]>;

export type BindStoredQueryFor = (operation: WfsRequest['kind']) => BindStoredQuery;

/** How long a lock holds, and whether it skips features that cannot be locked. */
export interface LockTerms {
  readonly seconds: number;
  readonly isPartial: boolean;
}

export interface LockFeatureRequest extends LockTerms {
  readonly kind: 'LockFeature';
  readonly version: WfsVersion;
  /** Empty if the time of an existing lock starts again. */
  readonly queries: readonly RequestedQuery[];
  /** The lock whose time starts again. */
  readonly lockId?: string;
}

export interface GetFeatureWithLockRequest extends Omit<GetFeatureRequest, 'kind'>, LockTerms {
  readonly kind: 'GetFeatureWithLock';
}

export interface TransactionRequest {
  readonly kind: 'Transaction';
  readonly version: WfsVersion;
  /** At least one, unless the transaction only releases a lock. */
  readonly actions: readonly TransactionAction[];
  readonly lock?: UsedLock;
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
  /** All types of a join, of which `typeName` is the first; undefined for a query of one type. */
  readonly join?: readonly JoinedType[];
}

export interface JoinedType {
  readonly typeName: TypeName;
  /** The first step of references to its properties; the local name unless the client sends aliases. */
  readonly alias: string;
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

/** The number of types whose combinations stay within the limits of a join in practice. */
const MAX_JOINED_TYPES = 5;

/** Returns the types of a join with their aliases; undefined for a single type. */
export function readJoin(
  typeNames: readonly TypeName[],
  aliases: readonly string[] | undefined,
  version: WfsVersion,
): Pick<RequestedQuery, 'join'> {
  const names = typeNames.map(formatTypeName);
  if (aliases !== undefined && aliases.length !== typeNames.length) {
    throw problem('ows-parameter-invalid', {
      parameter: 'aliases',
      value: aliases.join(','),
      expected: `expected one alias for each of ${names.slice(0, MAX_JOINED_TYPES).join(', ')}`,
      field: 'aliases',
    });
  }
  if (typeNames.length < 2 && aliases === undefined) return {};
  if (version !== '2.0.0' || typeNames.length > MAX_JOINED_TYPES) {
    throw problem('ows-option-unsupported', {
      what: `A join of ${names.slice(0, MAX_JOINED_TYPES).join(', ')} in version ${version} with ${names.length} types`,
      instead: `use version 2.0.0 and at most ${MAX_JOINED_TYPES} types, or query each type separately`,
      field: 'typeNames',
    });
  }
  const join = typeNames.map((typeName, index) => ({ typeName, alias: aliases?.[index] ?? typeName.local }));
  const double = join.find(({ alias }, index) => join.findIndex((each) => each.alias === alias) !== index);
  if (double !== undefined || join.some(({ alias }) => !/^[^\s/:.,()]+$/.test(alias))) {
    throw problem('ows-parameter-invalid', {
      parameter: 'aliases',
      value: join.map(({ alias }) => alias).join(','),
      expected: 'expected a different alias for each type, without spaces, slashes, colons and dots',
      field: 'aliases',
    });
  }
  return { join };
}
