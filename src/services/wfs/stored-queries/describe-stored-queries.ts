/** ListStoredQueries and DescribeStoredQueries. */
import { readTypeName as readParameterTypeName } from '../../../catalog/stored-queries/parameter-types.ts';
import { GET_FEATURE_BY_ID, isGetFeatureById } from '../../../catalog/stored-queries/stored-queries.ts';
import { toXmlName, toXmlPrefix } from '../../../formats/gml/xml-names.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { PublishedType } from '../../access/published-type.ts';
import type { WfsContext } from '../context/context.ts';
import { STORED_QUERY_LANGUAGE } from '../request/read-create-stored-query.ts';
import { findStoredQuery, listVisibleStoredQueries, type VisibleStoredQuery } from './find-stored-queries.ts';

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd"';

/** The name of a type that queries can return. */
type ReturnedType = Pick<PublishedType, 'prefix' | 'namespace' | 'name'>;

/** Lists GetFeatureById with all types visible to the principal, and the visible stored queries with theirs. */
export async function listStoredQueries(context: WfsContext): Promise<AsyncIterable<string>> {
  // Records are not readable while the response is sent.
  const types: ReturnedType[] = [];
  for await (const { prefix, namespace, name } of context.featureAccess.each()) types.push({ prefix, namespace, name });
  return writeList(types, await listVisibleStoredQueries(context));
}

async function* writeList(
  types: readonly ReturnedType[],
  visible: readonly VisibleStoredQuery[],
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:ListStoredQueriesResponse ${namespaces}>\n`;
  yield* writeStoredQuery(GET_FEATURE_BY_ID, 'Get feature by identifier', types);
  for (const { query, types: own } of visible) yield* writeStoredQuery(query.name, query.title, own);
  yield '</wfs:ListStoredQueriesResponse>\n';
}

function* writeStoredQuery(id: string, title: string, types: readonly ReturnedType[]): Generator<string> {
  yield `  <wfs:StoredQuery id="${escapeAttribute(id)}">\n    <wfs:Title>${escapeText(title)}</wfs:Title>\n`;
  for (const type of types) yield writeReturnedType(type);
  yield '  </wfs:StoredQuery>\n';
}

function writeReturnedType({ prefix, namespace, name }: ReturnedType): string {
  const own = toXmlPrefix(prefix);
  return `    <wfs:ReturnFeatureType xmlns:${own}="${escapeAttribute(namespace)}">${own}:${toXmlName(name)}</wfs:ReturnFeatureType>\n`;
}

/** Describes all visible stored queries if there are no ids. */
export async function describeStoredQueries(context: WfsContext, ids: readonly string[]): Promise<string> {
  const parts: string[] = [];
  if (ids.length === 0) {
    parts.push(getFeatureById, ...(await listVisibleStoredQueries(context)).map(writeDescription));
  }
  for (const id of new Set(ids)) {
    parts.push(isGetFeatureById(id) ? getFeatureById : writeDescription(await findStoredQuery(context, id)));
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:DescribeStoredQueriesResponse ${namespaces}>
${parts.join('')}</wfs:DescribeStoredQueriesResponse>
`;
}

const getFeatureById = `  <wfs:StoredQueryDescription id="${GET_FEATURE_BY_ID}">
    <wfs:Title>Get feature by identifier</wfs:Title>
    <wfs:Abstract>Returns the feature with the given id.</wfs:Abstract>
    <wfs:Parameter name="ID" type="xs:string"/>
    <wfs:QueryExpressionText isPrivate="true" language="${STORED_QUERY_LANGUAGE}" returnFeatureTypes=""/>
  </wfs:StoredQueryDescription>
`;

function writeDescription({ query, types }: VisibleStoredQuery): string {
  const parameters = query.parameters.map(({ name, type, title, abstract }) => {
    const content = `${writeText('Title', title)}${writeText('Abstract', abstract)}`;
    const attributes = `name="${escapeAttribute(name)}" type="${readParameterTypeName(type) ?? 'xs:string'}"`;
    return `    <wfs:Parameter ${attributes}${content === '' ? '/>' : `>${content}</wfs:Parameter>`}\n`;
  });
  const declared = new Map(types.map(({ prefix, namespace }) => [toXmlPrefix(prefix), namespace]));
  const declarations = [...declared].map(([prefix, uri]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`).join('');
  const names = types.map(({ prefix, name }) => `${toXmlPrefix(prefix)}:${toXmlName(name)}`).join(' ');
  const content = query.isPrivate ? '' : query.queries.join('\n');
  return `  <wfs:StoredQueryDescription id="${escapeAttribute(query.name)}">
    <wfs:Title>${escapeText(query.title)}</wfs:Title>
${query.abstract === '' ? '' : `    ${writeText('Abstract', query.abstract)}\n`}${parameters.join('')}    <wfs:QueryExpressionText isPrivate="${query.isPrivate}" language="${STORED_QUERY_LANGUAGE}" returnFeatureTypes="${names}"${declarations}>${content}</wfs:QueryExpressionText>
  </wfs:StoredQueryDescription>
`;
}

function writeText(name: string, text: string): string {
  return text === '' ? '' : `<wfs:${name}>${escapeText(text)}</wfs:${name}>`;
}
