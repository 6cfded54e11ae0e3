/** Parses WFS requests from key-value pairs. */

import { isGetFeatureById } from '../../../catalog/stored-queries/stored-queries.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { NamespaceScope } from '../../ows/message.ts';
import { splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, readGroups, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery, readSelections, type Selection } from '../../ows/selection.ts';
import { readParameter, requireParameter } from '../../ows/service-parameters.ts';
import { negotiateVersion, requireVersion } from '../../ows/versions.ts';
import { expandViewParameters } from '../../ows/view-parameters.ts';
import { createOperationProblem, listOperations, type Operation } from './operations.ts';
import {
  dropStoredQueryParameters,
  featureParameters,
  lockParameters,
  propertyValueParameters,
  readLockSeconds,
  storedQueriesParameters,
  wfsCapabilitiesParameters,
} from './parameters.ts';
import { readQuery } from './read-query.ts';
import {
  type BindStoredQuery,
  type BindStoredQueryFor,
  createQueryForId,
  type GetFeatureRequest,
  type LockTerms,
  type RequestedQuery,
  readJoin,
  readTypeName,
  readTypeNameOfId,
  type TypeName,
  type WfsRequest,
  type WfsVersion,
  wfsVersions,
} from './request.ts';

/** Returns whether a type exists and is visible for an operation. */
export type IsKnownType = (operation: Operation, typeName: TypeName) => Promise<boolean>;

export interface RequestLookups {
  readonly knowsFor: IsKnownType;
  readonly bindFor: BindStoredQueryFor;
}

/** The same check for the current operation. */
type IsType = (typeName: TypeName) => Promise<boolean>;

/** The lookups of the current operation. */
interface Lookups {
  readonly isType: IsType;
  readonly bindStoredQuery: BindStoredQuery;
}

export async function readPairs(
  parameters: Parameters,
  limits: DocumentLimits,
  { knowsFor, bindFor }: RequestLookups,
): Promise<WfsRequest> {
  const lookupsFor = (operation: Operation): Lookups => ({
    isType: (name) => knowsFor(operation, name),
    bindStoredQuery: bindFor(operation),
  });
  const operation = requireParameter(parameters, featureParameters.request);
  if (operation.toLowerCase() === 'getcapabilities') return readGetCapabilities(parameters);
  const version = requireVersion(wfsVersions, readParameter(parameters, featureParameters.version));
  switch (listOperations(version).find((each) => each.toLowerCase() === operation.toLowerCase())) {
    case 'DescribeFeatureType':
      return {
        kind: 'DescribeFeatureType',
        version,
        typeNames: (await readTypeNames(parameters, (name) => knowsFor('DescribeFeatureType', name))).flat(),
        ...toOptionalProperty('outputFormat', readParameter(parameters, featureParameters.outputFormat)),
      };
    case 'GetFeature':
      return readGetFeature(parameters, version, limits, lookupsFor('GetFeature'));
    case 'GetPropertyValue':
      return readGetPropertyValue(parameters, version, limits, lookupsFor('GetPropertyValue'));
    case 'ListStoredQueries':
      return { kind: 'ListStoredQueries', version };
    case 'DescribeStoredQueries':
      return {
        kind: 'DescribeStoredQueries',
        version,
        ids: readParameter(parameters, storedQueriesParameters.storedQueryId),
      };
    case 'DropStoredQuery':
      return { kind: 'DropStoredQuery', version, id: requireParameter(parameters, dropStoredQueryParameters.id) };
    case 'CreateStoredQuery':
      throw problem('ows-option-unsupported', {
        what: 'A definition of a stored query in key-value pairs',
        instead: 'send it as an XML document',
        field: 'request',
      });
    case 'LockFeature':
      return readLockFeature(parameters, version, limits, lookupsFor('LockFeature'));
    case 'GetFeatureWithLock': {
      const request = await readGetFeature(parameters, version, limits, lookupsFor('GetFeatureWithLock'));
      return { ...request, kind: 'GetFeatureWithLock', ...readLockTerms(parameters, version) };
    }
    case 'Transaction':
      throw problem('ows-option-unsupported', {
        what: 'A transaction in key-value pairs',
        instead: 'send it as an XML document',
        field: 'request',
      });
    default:
      throw createOperationProblem(operation, version);
  }
}

function readGetCapabilities(parameters: Parameters): WfsRequest {
  const { version, acceptVersions, sections, updateSequence } = wfsCapabilitiesParameters;
  return {
    kind: 'GetCapabilities',
    version: negotiateVersion(wfsVersions, {
      version: readParameter(parameters, version),
      acceptVersions: readParameter(parameters, acceptVersions),
    }),
    ...toOptionalProperty('sections', readParameter(parameters, sections)),
    ...toOptionalProperty('updateSequence', readParameter(parameters, updateSequence)),
  };
}

async function readGetFeature(
  parameters: Parameters,
  version: WfsVersion,
  limits: DocumentLimits,
  lookups: Lookups,
): Promise<GetFeatureRequest> {
  const storedQuery = readParameter(parameters, featureParameters.storedQueryId);
  return {
    kind: 'GetFeature',
    version,
    ...toOptionalProperty('outputFormat', readParameter(parameters, featureParameters.outputFormat)),
    ...readPaging(parameters),
    formatOptions: readParameter(parameters, featureParameters.formatOptions),
    resultType: readParameter(parameters, featureParameters.resultType),
    queries:
      storedQuery === undefined
        ? await readQueries(parameters, version, limits, lookups.isType)
        : await readStoredQuery(storedQuery, parameters, version, lookups),
    isById: storedQuery !== undefined && isGetFeatureById(storedQuery),
  };
}

async function readLockFeature(
  parameters: Parameters,
  version: WfsVersion,
  limits: DocumentLimits,
  lookups: Lookups,
): Promise<WfsRequest> {
  const terms = { kind: 'LockFeature', version, ...readLockTerms(parameters, version) } as const;
  const lockId = readParameter(parameters, lockParameters.lockId);
  if (lockId !== undefined) return { ...terms, queries: [], lockId };
  const storedQuery = readParameter(parameters, lockParameters.storedQuery);
  const queries =
    storedQuery === undefined
      ? await readQueries(parameters, version, limits, lookups.isType)
      : await readStoredQuery(storedQuery, parameters, version, lookups);
  return { ...terms, queries };
}

function readLockTerms(parameters: Parameters, version: WfsVersion): LockTerms {
  return {
    seconds: readLockSeconds(readParameter(parameters, lockParameters.expiry), version),
    isPartial: readParameter(parameters, lockParameters.lockAction) === 'SOME',
  };
}

async function readStoredQuery(
  id: string,
  parameters: Parameters,
  version: WfsVersion,
  { bindStoredQuery }: Lookups,
): Promise<readonly RequestedQuery[]> {
  const queries = isGetFeatureById(id)
    ? [createQueryForId(requireParameter(parameters, featureParameters.id))]
    : (await bindStoredQuery({ id, values: parameters, hasOtherNames: true })).map((query) =>
        readQuery(query, new Map(), version),
      );
  const views = expandViewParameters(readParameter(parameters, featureParameters.viewParams), queries.length);
  const srsName = readParameter(parameters, featureParameters.srsName);
  return queries.map((query, place) => ({
    ...query,
    ...toOptionalProperty('srsName', srsName),
    ...toOptionalProperty('viewParameters', views[place]),
  }));
}

async function readGetPropertyValue(
  parameters: Parameters,
  version: WfsVersion,
  limits: DocumentLimits,
  lookups: Lookups,
): Promise<WfsRequest> {
  const { queries, ...request } = await readGetFeature(parameters, version, limits, lookups);
  const [query, ...others] = queries;
  if (query === undefined || query.join !== undefined || others.length > 0) {
    throw problem('ows-option-unsupported', {
      what: 'GetPropertyValue of several types',
      instead: 'send a separate request for each type',
      field: 'typeNames',
    });
  }
  const valueReference = requireParameter(parameters, propertyValueParameters.valueReference);
  return { ...request, kind: 'GetPropertyValue', query, valueReference };
}

/** Accepts both names in all versions; the smaller number applies. */
function readPaging(parameters: Parameters): { readonly count?: number; readonly startIndex?: number } {
  const counts = [
    readParameter(parameters, featureParameters.count),
    readParameter(parameters, featureParameters.maxFeatures),
  ].filter((each) => each !== undefined);
  return {
    ...(counts.length === 0 ? {} : { count: Math.min(...counts) }),
    ...toOptionalProperty('startIndex', readParameter(parameters, featureParameters.startIndex)),
  };
}

async function readQueries(
  parameters: Parameters,
  version: WfsVersion,
  limits: DocumentLimits,
  isType: IsType,
): Promise<readonly RequestedQuery[]> {
  const lists = await readTypeNames(parameters, isType);
  const named = lists.flat();
  const isNamed: IsType = async ({ local }) => named.some((each) => each.local === local);
  const ids = await readIds(parameters, named.length > 0 ? isNamed : isType);
  const groups = selectTypeNames(lists, ids, version);
  const typeNames = groups.flatMap(([first]) => first ?? []);
  const properties = readPropertyNames(parameters, groups);
  const aliases = readParameter(parameters, featureParameters.aliases);
  const orders = expandPerQuery('sortBy', readParameter(parameters, featureParameters.sortBy), groups.length);
  const selections = await readQuerySelections(parameters, ids, typeNames, limits);
  const srsName = readParameter(parameters, featureParameters.srsName);
  const views = expandViewParameters(readParameter(parameters, featureParameters.viewParams), groups.length);
  return typeNames.map((typeName, place): RequestedQuery => {
    const names = properties[place] ?? [];
    const isEverything = names.length === 0 || names.includes('*');
    return {
      typeName,
      ...readJoin(groups[place] ?? [], aliases[place], version),
      ...toOptionalProperty('srsName', srsName),
      ...(isEverything ? {} : { propertyNames: names }),
      sortBy: orders[place] ?? [],
      selection: selections[place] ?? { kind: 'all' },
      ...toOptionalProperty('viewParameters', views[place]),
    };
  });
}

/** A join has one list with the properties of all its types, or a list for each of them. */
function readPropertyNames(
  parameters: Parameters,
  groups: readonly (readonly TypeName[])[],
): readonly (readonly string[])[] {
  const lists = readParameter(parameters, featureParameters.propertyName);
  const [only, ...others] = groups;
  const isListEach = others.length === 0 && lists.length > 1 && lists.length === only?.length;
  return isListEach ? [lists.flat()] : expandPerQuery('propertyName', lists, groups.length);
}

/** Returns the types of each query. In 2.0.0 names separated by commas are a join, in older versions separate queries. */
function selectTypeNames(
  lists: readonly (readonly TypeName[])[],
  ids: readonly string[] | undefined,
  version: WfsVersion,
): readonly (readonly TypeName[])[] {
  const named = lists.flat();
  if (named.length > 0) return version === '2.0.0' ? lists : named.map((each) => [each]);
  if (ids === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: version === '2.0.0' ? 'typeNames' : 'typeName',
      expected: 'expected the name of a feature type, or feature ids',
      field: 'typeName',
    });
  }
  const byId = new Map(
    ids.flatMap((id) => readTypeNameOfId(id) ?? []).map((each) => [`${each.prefix}:${each.local}`, each]),
  );
  const [first] = ids;
  if (byId.size === 0 && first !== undefined) throw problem('wfs-feature-unknown', { id: first, field: 'featureId' });
  return [...byId.values()].map((each) => [each]);
}

async function readTypeNames(parameters: Parameters, isType: IsType): Promise<readonly (readonly TypeName[])[]> {
  const written = readParameter(parameters, featureParameters.typeNames);
  if (written === undefined) return [];
  const scope = readNamespaces(readParameter(parameters, featureParameters.namespaces) ?? '');
  const lists: (readonly TypeName[])[] = [];
  for (const group of readGroups(written)) {
    const names = await splitNameList(group, (name) => isType(readTypeName(name, scope)));
    lists.push(names.map((name) => readTypeName(name, scope)));
  }
  return lists;
}

/** Parses `xmlns(prefix,uri)` and `xmlns(prefix=uri)`, separated by commas. */
function readNamespaces(text: string): NamespaceScope {
  const found = text.matchAll(/xmlns\(\s*(?:([^,=()\s]+)\s*[,=])?\s*([^()]*?)\s*\)/gi);
  return new Map([...found].map(([, prefix = '', uri = '']) => [prefix, uri]));
}

/** Feature ids contain a comma if the type name does. */
async function readIds(parameters: Parameters, isType: IsType): Promise<readonly string[] | undefined> {
  const text = readParameter(parameters, featureParameters.resourceId);
  if (text === undefined) return undefined;
  return splitNameList(text, async (id) => {
    const typeName = readTypeNameOfId(id);
    return typeName !== undefined && isType(typeName);
  });
}

/** Reads the feature selection of each query, which is one of four parameters. */
function readQuerySelections(
  parameters: Parameters,
  ids: readonly string[] | undefined,
  typeNames: readonly TypeName[],
  limits: DocumentLimits,
): Promise<readonly Selection[]> {
  const given = {
    featureId: ids,
    bbox: readParameter(parameters, featureParameters.bbox),
    filter: readParameter(parameters, featureParameters.filter),
    cql_filter: readParameter(parameters, featureParameters.cqlFilter),
  };
  return readSelections(given, typeNames.length, limits);
}
