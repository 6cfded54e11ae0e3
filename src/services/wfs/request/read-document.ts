/** Parses WFS XML requests; elements are found by their local names. */
import {
  findAttribute,
  findChild,
  findChildren,
  readChildText,
  readChildTexts,
  readText,
} from '../../../cascade/xml-elements.ts';
import type { StoredQueryValue } from '../../../catalog/stored-queries/parameter-types.ts';
import { isGetFeatureById } from '../../../catalog/stored-queries/stored-queries.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { NamespaceScope } from '../../ows/message.ts';
import { parseParameter } from '../../ows/service-parameters.ts';
import { negotiateVersion, requireVersion } from '../../ows/versions.ts';
import { expandViewParameters } from '../../ows/view-parameters.ts';
import { createOperationProblem, listOperations } from './operations.ts';
import { featureParameters, lockParameters, readLockSeconds } from './parameters.ts';
import { readCreateStoredQuery } from './read-create-stored-query.ts';
import { readQuery } from './read-query.ts';
import { readTransaction } from './read-transaction.ts';
import {
  type BindStoredQuery,
  type BindStoredQueryFor,
  createQueryForId,
  type GetFeatureRequest,
  type LockTerms,
  type RequestedQuery,
  readTypeName,
  type WfsRequest,
  type WfsVersion,
  wfsVersions,
} from './request.ts';

const queryNames: ReadonlySet<string> = new Set(['Query']);
const lockNames: ReadonlySet<string> = new Set(['Lock', 'Query']);

export async function readDocument(
  root: XmlElement,
  scope: NamespaceScope,
  bindFor: BindStoredQueryFor,
): Promise<WfsRequest> {
  if (root.local === 'GetCapabilities') return readGetCapabilities(root);
  const version = requireVersion(wfsVersions, readVersion(root));
  const reading = (operation: WfsRequest['kind']) => ({ version, bindStoredQuery: bindFor(operation) });
  switch (listOperations(version).find((each) => each === root.local)) {
    case 'DescribeFeatureType':
      return {
        kind: 'DescribeFeatureType',
        version,
        typeNames: readChildTexts(root, 'TypeName').map((name) => readTypeName(name, scope)),
        ...readOptionalAttribute(root, 'outputFormat'),
      };
    case 'GetFeature':
      return readGetFeature(root, scope, reading('GetFeature'));
    case 'GetPropertyValue':
      return readGetPropertyValue(root, scope, reading('GetPropertyValue'));
    case 'ListStoredQueries':
      return { kind: 'ListStoredQueries', version };
    case 'DescribeStoredQueries':
      return { kind: 'DescribeStoredQueries', version, ids: readChildTexts(root, 'StoredQueryId') };
    case 'CreateStoredQuery':
      return readCreateStoredQuery(root, scope, version);
    case 'DropStoredQuery':
      return {
        kind: 'DropStoredQuery',
        version,
        id: findAttribute(root, 'id') ?? readChildText(root, 'StoredQueryId') ?? '',
      };
    case 'LockFeature':
      return readLockFeature(root, scope, reading('LockFeature'));
    case 'GetFeatureWithLock':
      return {
        ...(await readGetFeature(root, scope, reading('GetFeatureWithLock'))),
        kind: 'GetFeatureWithLock',
        ...readLockTerms(root, version),
      };
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

async function readGetFeature(
  root: XmlElement,
  scope: NamespaceScope,
  reading: Omit<ReadingContext, 'names'>,
): Promise<GetFeatureRequest> {
  const { version } = reading;
  const { queries, isById } = await readQueries(root, scope, { ...reading, names: queryNames });
  if (queries.length === 0) {
    throw problem('ows-request-unreadable', { reason: `expected a 'Query' in '${root.name}'` });
  }
  return {
    kind: 'GetFeature',
    version,
    ...readOptionalAttribute(root, 'outputFormat'),
    ...readPaging(root),
    // An attribute that the standard does not define, with the syntax of the parameter `format_options`.
    formatOptions: parseParameter(findAttribute(root, 'formatOptions'), featureParameters.formatOptions),
    resultType: parseParameter(findAttribute(root, 'resultType'), featureParameters.resultType),
    queries: addViewParameters(root, queries),
    isById,
  };
}

/** Versions 1.x have a Lock element for each type, 2.0.0 has queries. */
async function readLockFeature(
  root: XmlElement,
  scope: NamespaceScope,
  reading: Omit<ReadingContext, 'names'>,
): Promise<WfsRequest> {
  const { version } = reading;
  const terms = { kind: 'LockFeature', version, ...readLockTerms(root, version) } as const;
  const lockId = findAttribute(root, 'lockId');
  const { queries } = await readQueries(root, scope, { ...reading, names: lockNames });
  if (lockId !== undefined && lockId !== '' && queries.length === 0) return { ...terms, queries, lockId };
  if (queries.length === 0) {
    const expected = version === '2.0.0' ? 'Query' : 'Lock';
    throw problem('ows-request-unreadable', { reason: `expected a '${expected}' in '${root.name}'` });
  }
  return { ...terms, queries };
}

function readLockTerms(root: XmlElement, version: WfsVersion): LockTerms {
  const expiry = parseParameter(findAttribute(root, 'expiry'), lockParameters.expiry);
  return {
    seconds: readLockSeconds(expiry, version),
    isPartial: parseParameter(findAttribute(root, 'lockAction'), lockParameters.lockAction) === 'SOME',
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

async function readGetPropertyValue(
  root: XmlElement,
  scope: NamespaceScope,
  reading: Omit<ReadingContext, 'names'>,
): Promise<WfsRequest> {
  const { queries, ...request } = await readGetFeature(root, scope, reading);
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

/** Queries and calls of stored queries, in the order of the document. */
async function readQueries(root: XmlElement, scope: NamespaceScope, reading: ReadingContext): Promise<ReadQueries> {
  const queries: RequestedQuery[] = [];
  const calls: XmlElement[] = [];
  for (const child of root.children) {
    if (child.kind === 'text') continue;
    if (reading.names.has(child.local)) queries.push(readQuery(child, scope, reading.version));
    if (child.local === 'StoredQuery') {
      calls.push(child);
      queries.push(...(await readStoredQuery(child, reading)));
    }
  }
  const [call, ...others] = calls;
  const isById = others.length === 0 && queries.length === 1 && call !== undefined && isGetFeatureById(readId(call));
  return { queries, isById };
}

interface ReadingContext {
  readonly version: WfsVersion;
  readonly bindStoredQuery: BindStoredQuery;
  /** The elements that are queries. */
  readonly names: ReadonlySet<string>;
}

interface ReadQueries {
  readonly queries: readonly RequestedQuery[];
  /** Whether the only query is GetFeatureById. */
  readonly isById: boolean;
}

const readId = (storedQuery: XmlElement) => findAttribute(storedQuery, 'id') ?? '';

async function readStoredQuery(
  storedQuery: XmlElement,
  { version, bindStoredQuery }: ReadingContext,
): Promise<readonly RequestedQuery[]> {
  const values = new Map<string, StoredQueryValue>();
  for (const parameter of findChildren(storedQuery, 'Parameter')) {
    const name = (findAttribute(parameter, 'name') ?? '').toLowerCase();
    const elements = parameter.children.filter((node) => node.kind === 'element');
    const [element] = elements;
    if (values.has(name) || elements.length > 1) {
      throw problem('ows-request-unreadable', {
        reason: `the parameter '${name}' of a stored query has several values`,
      });
    }
    values.set(name, element ?? readText(parameter) ?? '');
  }
  const id = readId(storedQuery);
  if (isGetFeatureById(id)) return [createQueryForParameter(values.get('id'))];
  const bound = await bindStoredQuery({ id, values });
  return bound.map((query) => readQuery(query, new Map(), version));
}

function createQueryForParameter(id: StoredQueryValue | undefined): RequestedQuery {
  if (typeof id === 'string' && id !== '') return createQueryForId(id);
  const expected = 'expected the id of a feature';
  throw problem('ows-parameter-missing', { parameter: 'id', expected, field: 'id' });
}

function readOptionalAttribute<N extends string>(element: XmlElement, name: N): { readonly [K in N]?: string } {
  const value = findAttribute(element, name);
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [K in N]?: string });
}
