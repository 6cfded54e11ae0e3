/** Parses WFS XML requests; elements are found by their local names. */
import {
  findAttribute,
  findChild,
  findChildren,
  readChildText,
  readChildTexts,
  readText,
} from '../../../cascade/xml-elements.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { extendScope, type NamespaceScope } from '../../ows/message.ts';
import { readList } from '../../ows/parameters.ts';
import { isDescending, type Selection, type SortKey } from '../../ows/selection.ts';
import { parseParameter } from '../../ows/service-parameters.ts';
import { negotiateVersion, requireVersion } from '../../ows/versions.ts';
import { expandViewParameters } from '../../ows/view-parameters.ts';
import { createOperationProblem, listOperations } from './operations.ts';
import { featureParameters } from './parameters.ts';
import { readTransaction } from './read-transaction.ts';
import {
  createQueryForId,
  type GetFeatureRequest,
  isGetFeatureById,
  type RequestedQuery,
  readTypeName,
  refuseJoin,
  type WfsRequest,
  type WfsVersion,
  wfsVersions,
} from './request.ts';
import { createStoredQueryProblem } from './stored-queries.ts';

export function readDocument(root: XmlElement, scope: NamespaceScope): WfsRequest {
  if (root.local === 'GetCapabilities') return readGetCapabilities(root);
  const version = requireVersion(wfsVersions, readVersion(root));
  switch (listOperations(version).find((each) => each === root.local)) {
    case 'DescribeFeatureType':
      return {
        kind: 'DescribeFeatureType',
        version,
        typeNames: readChildTexts(root, 'TypeName').map((name) => readTypeName(name, scope)),
        ...readOptionalAttribute(root, 'outputFormat'),
      };
    case 'GetFeature':
      return readGetFeature(root, scope, version);
    case 'GetPropertyValue':
      return readGetPropertyValue(root, scope, version);
    case 'ListStoredQueries':
      return { kind: 'ListStoredQueries', version };
    case 'DescribeStoredQueries':
      return { kind: 'DescribeStoredQueries', version, ids: readChildTexts(root, 'StoredQueryId') };
    case 'Transaction':
      return readTransaction(root, scope, version);
    default:
      throw createOperationProblem(root.local, version);
  }
}

/** Documents in the 2.0 namespace have version 2.0, even without a version attribute. */
export function readVersion(root: XmlElement): string | undefined {
  return findAttribute(root, 'version') ?? (root.uri === 'http://www.opengis.net/wfs/2.0' ? '2.0.0' : '1.1.0');
}

function readGetCapabilities(root: XmlElement): WfsRequest {
  const acceptVersions = readChildTexts(findChild(root, 'AcceptVersions'), 'Version');
  const sections = findChild(root, 'Sections');
  const updateSequence = findAttribute(root, 'updateSequence');
  const version = findAttribute(root, 'version');
  return {
    kind: 'GetCapabilities',
    version: negotiateVersion(wfsVersions, { version, acceptVersions }),
    ...(sections === undefined
      ? {}
      : { sections: readChildTexts(sections, 'Section').map((each) => each.toLowerCase()) }),
    ...(updateSequence === undefined ? {} : { updateSequence }),
  };
}

function readGetFeature(root: XmlElement, scope: NamespaceScope, version: WfsVersion): GetFeatureRequest {
  const queries = findChildren(root, 'Query').map((query) => readQuery(query, scope));
  const stored = findChildren(root, 'StoredQuery').map(readStoredQuery);
  if (queries.length + stored.length === 0) {
    throw problem('ows-request-unreadable', { reason: `expected a 'Query' in '${root.name}'` });
  }
  if (stored.length > 0 && queries.length + stored.length > 1) {
    throw problem('ows-option-unsupported', {
      what: 'A stored query together with other queries',
      instead: 'send a separate request for each',
    });
  }
  return {
    kind: 'GetFeature',
    version,
    ...readOptionalAttribute(root, 'outputFormat'),
    ...readPaging(root),
    formatOptions: new Map(),
    resultType: parseParameter(findAttribute(root, 'resultType'), featureParameters.resultType),
    queries: addViewParameters(root, [...queries, ...stored]),
    isById: stored.length > 0,
  };
}

/** An attribute that the standard does not define, with the syntax of the parameter `viewparams`. */
function addViewParameters(root: XmlElement, queries: readonly RequestedQuery[]): readonly RequestedQuery[] {
  const sent = parseParameter(findAttribute(root, 'viewParams'), featureParameters.viewParams);
  const views = expandViewParameters(sent, queries.length);
  return queries.map((query, place) => {
    const viewParameters = views[place];
    return viewParameters === undefined ? query : { ...query, viewParameters };
  });
}

function readGetPropertyValue(root: XmlElement, scope: NamespaceScope, version: WfsVersion): WfsRequest {
  const { queries, ...request } = readGetFeature(root, scope, version);
  const [query, ...others] = queries;
  const valueReference = findAttribute(root, 'valueReference');
  if (query === undefined || others.length > 0) {
    throw problem('ows-request-unreadable', { reason: `expected one 'Query' in '${root.name}'` });
  }
  if (valueReference === undefined || valueReference === '') {
    throw problem('ows-parameter-missing', {
      parameter: 'valueReference',
      expected: 'expected the name of a property',
      field: 'valueReference',
    });
  }
  return { ...request, kind: 'GetPropertyValue', query, valueReference };
}

function readPaging(root: XmlElement): { readonly count?: number; readonly startIndex?: number } {
  const count =
    parseParameter(findAttribute(root, 'count'), featureParameters.count) ??
    parseParameter(findAttribute(root, 'maxFeatures'), featureParameters.maxFeatures);
  const startIndex = parseParameter(findAttribute(root, 'startIndex'), featureParameters.startIndex);
  return { ...(count === undefined ? {} : { count }), ...(startIndex === undefined ? {} : { startIndex }) };
}

function readQuery(query: XmlElement, outer: NamespaceScope): RequestedQuery {
  const written = findAttribute(query, 'typeNames') ?? findAttribute(query, 'typeName') ?? '';
  const names = written.split(/[\s,]+/).filter((name) => name !== '');
  refuseJoin(names);
  const [name] = names;
  if (name === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: 'typeName',
      expected: 'expected the name of a feature type on each Query',
      field: 'typeName',
    });
  }
  const srsName = findAttribute(query, 'srsName');
  const properties = readChildTexts(query, 'PropertyName').flatMap(readList);
  return {
    typeName: readTypeName(name, extendScope(outer, query)),
    ...(srsName === undefined || srsName === '' ? {} : { srsName }),
    ...(properties.length === 0 || properties.includes('*') ? {} : { propertyNames: properties }),
    sortBy: readSortBy(findChild(query, 'SortBy')),
    selection: readSelection(query),
  };
}

function readSelection(query: XmlElement): Selection {
  const filter = findChild(query, 'Filter');
  return filter === undefined ? { kind: 'all' } : { kind: 'filter', filter };
}

function readSortBy(sortBy: XmlElement | undefined): readonly SortKey[] {
  const properties = sortBy === undefined ? [] : findChildren(sortBy, 'SortProperty');
  return properties.map((each) => {
    const property = readChildText(each, 'ValueReference') ?? readChildText(each, 'PropertyName');
    if (property === null) {
      throw problem('ows-request-unreadable', { reason: 'a SortProperty has no property name' });
    }
    return { property, descending: isDescending(readChildText(each, 'SortOrder')) };
  });
}

function readStoredQuery(storedQuery: XmlElement): RequestedQuery {
  const storedId = findAttribute(storedQuery, 'id') ?? '';
  if (!isGetFeatureById(storedId)) throw createStoredQueryProblem(storedId);
  const parameter = findChildren(storedQuery, 'Parameter').find(
    (each) => findAttribute(each, 'name')?.toLowerCase() === 'id',
  );
  const id = readText(parameter);
  if (id === null) {
    const expected = 'expected the id of a feature';
    throw problem('ows-parameter-missing', { parameter: 'id', expected, field: 'id' });
  }
  return createQueryForId(id);
}

function readOptionalAttribute<N extends string>(element: XmlElement, name: N): { readonly [K in N]?: string } {
  const value = findAttribute(element, name);
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [K in N]?: string });
}
