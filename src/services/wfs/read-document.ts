/** Reads requests of a WFS that come as XML documents: the elements are looked for by their local names. */
import { attributeOf, childNamed, childrenNamed, childText, textOf, textsOf } from '../../data/cascade/xml-parts.ts';
import { problem } from '../../lib/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { type NamespaceScope, scopeWithin } from '../ows/message.ts';
import { readCount, readList } from '../ows/parameters.ts';
import { isDescending, type Selection, type SortKey } from '../ows/selection.ts';
import { negotiateVersion, requireVersion } from '../ows/versions.ts';
import { operationsOf, unknownOperation } from './operations.ts';
import { readTransaction } from './read-transaction.ts';
import {
  type GetFeatureRequest,
  isGetFeatureById,
  queryForId,
  type RequestedQuery,
  readResultType,
  readTypeName,
  refuseJoin,
  type WfsRequest,
  type WfsVersion,
  wfsVersions,
} from './request.ts';
import { storedQueryUnknown } from './stored-queries.ts';

export function readDocument(root: XmlElement, scope: NamespaceScope): WfsRequest {
  if (root.local === 'GetCapabilities') return readGetCapabilities(root);
  const version = requireVersion(wfsVersions, versionOf(root));
  switch (operationsOf(version).find((each) => each === root.local)) {
    case 'DescribeFeatureType':
      return {
        kind: 'DescribeFeatureType',
        version,
        typeNames: textsOf(root, 'TypeName').map((name) => readTypeName(name, scope)),
        ...attributePresent(root, 'outputFormat'),
      };
    case 'GetFeature':
      return readGetFeature(root, scope, version);
    case 'GetPropertyValue':
      return readGetPropertyValue(root, scope, version);
    case 'ListStoredQueries':
      return { kind: 'ListStoredQueries', version };
    case 'DescribeStoredQueries':
      return { kind: 'DescribeStoredQueries', version, ids: textsOf(root, 'StoredQueryId') };
    case 'Transaction':
      return readTransaction(root, scope, version);
    default:
      throw unknownOperation(root.local, version);
  }
}

/** Documents of the newer namespace are of the newer version, whether they say so or not. */
export function versionOf(root: XmlElement): string | undefined {
  return attributeOf(root, 'version') ?? (root.uri === 'http://www.opengis.net/wfs/2.0' ? '2.0.0' : '1.1.0');
}

function readGetCapabilities(root: XmlElement): WfsRequest {
  const acceptVersions = textsOf(childNamed(root, 'AcceptVersions'), 'Version');
  const sections = childNamed(root, 'Sections');
  const updateSequence = attributeOf(root, 'updateSequence');
  const version = attributeOf(root, 'version');
  return {
    kind: 'GetCapabilities',
    version: negotiateVersion(wfsVersions, { version, acceptVersions }),
    ...(sections === undefined ? {} : { sections: textsOf(sections, 'Section').map((each) => each.toLowerCase()) }),
    ...(updateSequence === undefined ? {} : { updateSequence }),
  };
}

function readGetFeature(root: XmlElement, scope: NamespaceScope, version: WfsVersion): GetFeatureRequest {
  const queries = childrenNamed(root, 'Query').map((query) => readQuery(query, scope));
  const stored = childrenNamed(root, 'StoredQuery').map(readStoredQuery);
  if (queries.length + stored.length === 0) {
    throw problem('ows-request-unreadable', { reason: `a 'Query' was expected in '${root.name}'` });
  }
  if (stored.length > 0 && queries.length + stored.length > 1) {
    throw problem('ows-option-unsupported', {
      what: 'A stored query beside other queries',
      instead: 'send each in a request of its own',
    });
  }
  return {
    kind: 'GetFeature',
    version,
    ...attributePresent(root, 'outputFormat'),
    ...readPaging(root),
    formatOptions: new Map(),
    resultType: readResultType(attributeOf(root, 'resultType')),
    queries: [...queries, ...stored],
    isById: stored.length > 0,
  };
}

function readGetPropertyValue(root: XmlElement, scope: NamespaceScope, version: WfsVersion): WfsRequest {
  const { queries, ...request } = readGetFeature(root, scope, version);
  const [query, ...others] = queries;
  const valueReference = attributeOf(root, 'valueReference');
  if (query === undefined || others.length > 0) {
    throw problem('ows-request-unreadable', { reason: `one 'Query' was expected in '${root.name}'` });
  }
  if (valueReference === undefined || valueReference === '') {
    throw problem('ows-parameter-missing', {
      parameter: 'valueReference',
      expected: 'the name of a property was expected',
      field: 'valueReference',
    });
  }
  return { ...request, kind: 'GetPropertyValue', query, valueReference };
}

function readPaging(root: XmlElement): { readonly count?: number; readonly startIndex?: number } {
  const count =
    readCount('count', attributeOf(root, 'count')) ?? readCount('maxFeatures', attributeOf(root, 'maxFeatures'));
  const startIndex = readCount('startIndex', attributeOf(root, 'startIndex'));
  return { ...(count === undefined ? {} : { count }), ...(startIndex === undefined ? {} : { startIndex }) };
}

function readQuery(query: XmlElement, outer: NamespaceScope): RequestedQuery {
  const written = attributeOf(query, 'typeNames') ?? attributeOf(query, 'typeName') ?? '';
  const names = written.split(/[\s,]+/).filter((name) => name !== '');
  refuseJoin(names);
  const [name] = names;
  if (name === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: 'typeName',
      expected: 'the name of a feature type was expected on each Query',
      field: 'typeName',
    });
  }
  const srsName = attributeOf(query, 'srsName');
  const properties = textsOf(query, 'PropertyName').flatMap(readList);
  return {
    typeName: readTypeName(name, scopeWithin(outer, query)),
    ...(srsName === undefined || srsName === '' ? {} : { srsName }),
    ...(properties.length === 0 || properties.includes('*') ? {} : { propertyNames: properties }),
    sortBy: readSortBy(childNamed(query, 'SortBy')),
    selection: readSelection(query),
  };
}

function readSelection(query: XmlElement): Selection {
  const filter = childNamed(query, 'Filter');
  return filter === undefined ? { kind: 'all' } : { kind: 'filter', filter };
}

function readSortBy(sortBy: XmlElement | undefined): readonly SortKey[] {
  const properties = sortBy === undefined ? [] : childrenNamed(sortBy, 'SortProperty');
  return properties.map((each) => {
    const property = childText(each, 'ValueReference') ?? childText(each, 'PropertyName');
    if (property === null) {
      throw problem('ows-request-unreadable', { reason: 'a SortProperty has no name of a property' });
    }
    return { property, descending: isDescending(childText(each, 'SortOrder')) };
  });
}

function readStoredQuery(storedQuery: XmlElement): RequestedQuery {
  const storedId = attributeOf(storedQuery, 'id') ?? '';
  if (!isGetFeatureById(storedId)) throw storedQueryUnknown(storedId);
  const parameter = childrenNamed(storedQuery, 'Parameter').find(
    (each) => attributeOf(each, 'name')?.toLowerCase() === 'id',
  );
  const id = textOf(parameter);
  if (id === null) {
    const expected = 'the id of a feature was expected';
    throw problem('ows-parameter-missing', { parameter: 'id', expected, field: 'id' });
  }
  return queryForId(id);
}

function attributePresent<N extends string>(element: XmlElement, name: N): { readonly [K in N]?: string } {
  const value = attributeOf(element, name);
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [K in N]?: string });
}
