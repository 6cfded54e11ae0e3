/** The stored queries there are: one, which every WFS has. */
import { type Problem, problem } from '../../lib/problem.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { GET_FEATURE_BY_ID, isGetFeatureById } from './request.ts';

/** A type that a query may answer with. */
export interface ReturnedType {
  readonly prefix: string;
  readonly uri: string;
  readonly name: string;
}

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd"';

export function storedQueryUnknown(id: string): Problem {
  return problem('wfs-stored-query-unknown', { id, known: GET_FEATURE_BY_ID, field: 'storedQuery_id' });
}

/** The list, with the types that this client may see. */
export async function* listStoredQueries(types: AsyncIterable<readonly ReturnedType[]>): AsyncIterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<wfs:ListStoredQueriesResponse ${namespaces}>
  <wfs:StoredQuery id="${GET_FEATURE_BY_ID}">
    <wfs:Title>Get feature by identifier</wfs:Title>
`;
  for await (const some of types) {
    yield some.map((type) => `    <wfs:ReturnFeatureType ${named(type)}</wfs:ReturnFeatureType>\n`).join('');
  }
  yield '  </wfs:StoredQuery>\n</wfs:ListStoredQueriesResponse>\n';
}

export function describeStoredQueries(ids: readonly string[]): string {
  const unknown = ids.find((id) => !isGetFeatureById(id));
  if (unknown !== undefined) throw storedQueryUnknown(unknown);
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:DescribeStoredQueriesResponse ${namespaces}>
  <wfs:StoredQueryDescription id="${GET_FEATURE_BY_ID}">
    <wfs:Title>Get feature by identifier</wfs:Title>
    <wfs:Abstract>Answers with the feature whose id is given.</wfs:Abstract>
    <wfs:Parameter name="ID" type="xs:string"/>
    <wfs:QueryExpressionText isPrivate="true" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes=""/>
  </wfs:StoredQueryDescription>
</wfs:DescribeStoredQueriesResponse>
`;
}

function named({ prefix, uri, name }: ReturnedType): string {
  return `xmlns:${prefix}="${escapeAttribute(uri)}">${escapeText(`${prefix}:${name}`)}`;
}
