/** Reads Query elements, of requests and of stored queries. */
import {
  findAttribute,
  findChild,
  findChildren,
  readChildText,
  readChildTexts,
} from '../../../cascade/xml-elements.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { extendScope, type NamespaceScope } from '../../ows/message.ts';
import { readList } from '../../ows/parameters.ts';
import { isDescending, type Selection, type SortKey } from '../../ows/selection.ts';
import { type RequestedQuery, readJoin, readTypeName, type WfsVersion } from './request.ts';

export function readQuery(query: XmlElement, outer: NamespaceScope, version: WfsVersion): RequestedQuery {
  const written = findAttribute(query, 'typeNames') ?? findAttribute(query, 'typeName') ?? '';
  const names = written.split(/[\s,]+/).filter((name) => name !== '');
  const scope = extendScope(outer, query);
  const typeNames = names.map((name) => readTypeName(name, scope));
  const [typeName] = typeNames;
  if (typeName === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: 'typeName',
      expected: 'expected the name of a feature type on each Query',
      field: 'typeName',
    });
  }
  const srsName = findAttribute(query, 'srsName');
  const properties = readChildTexts(query, 'PropertyName').flatMap(readList);
  return {
    typeName,
    ...readJoin(typeNames, readAliases(findAttribute(query, 'aliases')), version),
    ...(srsName === undefined || srsName === '' ? {} : { srsName }),
    ...(properties.length === 0 || properties.includes('*') ? {} : { propertyNames: properties }),
    sortBy: readSortBy(findChild(query, 'SortBy')),
    selection: readSelection(query),
  };
}

/** A list separated by spaces; parentheses and commas as in key-value pairs are accepted. */
function readAliases(text: string | undefined): readonly string[] | undefined {
  const aliases = (text ?? '').split(/[\s,()]+/).filter((alias) => alias !== '');
  return aliases.length === 0 ? undefined : aliases;
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
