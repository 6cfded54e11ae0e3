/** The stored queries: GetFeatureById only, which every WFS supports. */

import { toXmlName, toXmlPrefix } from '../../../formats/gml/xml-names.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { GET_FEATURE_BY_ID, isGetFeatureById } from './request.ts';

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd"';

export function createStoredQueryProblem(id: string): Problem {
  return problem('wfs-stored-query-unknown', { id, known: GET_FEATURE_BY_ID, field: 'storedQuery_id' });
}

/** The name of a type that queries can return. */
export type ReturnedType = Pick<PublishedType, 'prefix' | 'namespace' | 'name'>;

/** Lists the stored queries with the types visible to the principal. */
export async function* listStoredQueries(types: readonly ReturnedType[]): AsyncIterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<wfs:ListStoredQueriesResponse ${namespaces}>
  <wfs:StoredQuery id="${GET_FEATURE_BY_ID}">
    <wfs:Title>Get feature by identifier</wfs:Title>
`;
  for (const { prefix, namespace, name } of types) {
    const own = toXmlPrefix(prefix);
    yield `    <wfs:ReturnFeatureType xmlns:${own}="${escapeAttribute(namespace)}">${own}:${toXmlName(name)}</wfs:ReturnFeatureType>\n`;
  }
  yield '  </wfs:StoredQuery>\n</wfs:ListStoredQueriesResponse>\n';
}

export function describeStoredQueries(ids: readonly string[]): string {
  const unknown = ids.find((id) => !isGetFeatureById(id));
  if (unknown !== undefined) throw createStoredQueryProblem(unknown);
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:DescribeStoredQueriesResponse ${namespaces}>
  <wfs:StoredQueryDescription id="${GET_FEATURE_BY_ID}">
    <wfs:Title>Get feature by identifier</wfs:Title>
    <wfs:Abstract>Returns the feature with the given id.</wfs:Abstract>
    <wfs:Parameter name="ID" type="xs:string"/>
    <wfs:QueryExpressionText isPrivate="true" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes=""/>
  </wfs:StoredQueryDescription>
</wfs:DescribeStoredQueriesResponse>
`;
}
