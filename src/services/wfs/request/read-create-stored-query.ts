/** Reads the definitions of stored queries. */
import { findAttribute, findChild, findChildren, readChildText } from '../../../cascade/xml-elements.ts';
import type { StoredQueryParameter } from '../../../catalog/kinds/stored-query.ts';
import { readTypeName as readParameterType } from '../../../catalog/stored-queries/parameter-types.ts';
import type { StoredQueryDraft } from '../../../catalog/stored-queries/stored-queries.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { parseFlag } from '../../../lib/values/flag.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readRawText } from '../../../lib/xml/text.ts';
import { writeElement } from '../../../lib/xml/write-element.ts';
import { extendScope, type NamespaceScope } from '../../ows/message.ts';
import type { CreateStoredQueryRequest, WfsVersion } from './request.ts';

export const STORED_QUERY_LANGUAGE = 'urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression';

/** The name of the language in older documents of the standard, too. */
const languages: ReadonlySet<string> = new Set([
  STORED_QUERY_LANGUAGE,
  'urn:ogc:def:queryLanguage:OGC-WFS::WFSQueryExpression',
]);

export function readCreateStoredQuery(
  root: XmlElement,
  outer: NamespaceScope,
  version: WfsVersion,
): CreateStoredQueryRequest {
  const definitions = findChildren(root, 'StoredQueryDefinition');
  if (definitions.length === 0) {
    throw problem('ows-request-unreadable', { reason: `expected a 'StoredQueryDefinition' in '${root.name}'` });
  }
  return {
    kind: 'CreateStoredQuery',
    version,
    definitions: definitions.map((definition) => readDefinition(definition, outer)),
    warnings: definitions.flatMap(listWarnings),
  };
}

function readDefinition(definition: XmlElement, outer: NamespaceScope): StoredQueryDraft {
  const scope = extendScope(outer, definition);
  const texts = findChildren(definition, 'QueryExpressionText');
  return {
    name: findAttribute(definition, 'id') ?? '',
    title: readChildText(definition, 'Title'),
    abstract: readChildText(definition, 'Abstract'),
    isPrivate: texts.some((text) => parseFlag(findAttribute(text, 'isPrivate') ?? '') === true),
    parameters: findChildren(definition, 'Parameter').map((parameter) => readParameter(parameter, scope)),
    queries: texts.flatMap((text) => readQueries(text, scope)),
  };
}

function readParameter(parameter: XmlElement, outer: NamespaceScope): StoredQueryParameter {
  const type = findAttribute(parameter, 'type') ?? 'xs:string';
  return {
    name: findAttribute(parameter, 'name') ?? '',
    type: readParameterType(type, extendScope(outer, parameter)) ?? type,
    title: readChildText(parameter, 'Title') ?? '',
    abstract: readChildText(parameter, 'Abstract') ?? '',
  };
}

/** Each query becomes a document of its own, with the namespaces around it. */
function readQueries(text: XmlElement, outer: NamespaceScope): readonly string[] {
  const language = findAttribute(text, 'language');
  if (language !== undefined && !languages.has(language)) {
    throw problem('ows-parameter-invalid', {
      parameter: 'language',
      value: language,
      expected: `expected ${STORED_QUERY_LANGUAGE}`,
      field: 'language',
    });
  }
  const scope = extendScope(outer, text);
  const elements = text.children.filter((node) => node.kind === 'element');
  if (elements.length > 0) return elements.map((element) => writeElement(element, scope));
  // Some clients send the query as a text.
  const written = readRawText(text).trim();
  return written === '' ? [] : [written];
}

/** Parts of the standard that are not stored. */
function listWarnings(definition: XmlElement): readonly string[] {
  const id = excerpt(findAttribute(definition, 'id') ?? '');
  const parts = [definition, ...findChildren(definition, 'Parameter')];
  const hasTranslations = parts.some((part) =>
    ['Title', 'Abstract'].some((name) => findChildren(part, name).length > 1),
  );
  const hasMetadata = parts.some((part) => findChild(part, 'Metadata') !== undefined);
  return [
    ...(hasTranslations ? [`Only the first title and abstract of the stored query '${id}' are kept.`] : []),
    ...(hasMetadata ? [`The metadata of the stored query '${id}' is ignored.`] : []),
  ];
}
