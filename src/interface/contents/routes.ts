/** What there is: the table of contents and the OpenAPI document, both made from the route tables. */

import { openApiDocument } from '../../http/openapi.ts';
import type { RouteTable } from '../../http/route.ts';
import type { Dialect } from '../dialects.ts';
import { family, get, getText, type Services } from '../services.ts';
import { type ContentsEntry, contentsDocument } from './representation.ts';

export function contentsRoutes(
  others: readonly RouteTable<Services>[],
  dialect: Dialect,
  version: string,
): RouteTable<Services> {
  const own: RouteTable<Services> = family(
    'Contents',
    {
      description: 'What this server offers.',
      formats: ['html', 'json', 'xml'],
      formatGroup: 'contents',
    },
    [
      get('', 'List what there is', { answers: contentsDocument }, async () => ({ resource: contentsOf(others) })),

      getText(
        '/openapi.json',
        'Describe every operation in OpenAPI 3.1',
        { mediaType: 'application/json' },
        async ({ restUrl }) =>
          JSON.stringify(
            openApiDocument([own, ...others], dialect, { title: 'Graticule', version, serverUrl: restUrl, samples }),
          ),
      ),
    ],
  );
  return own;
}

/** What things are called in the examples of the OpenAPI document. */
const samples = {
  workspace: 'acme',
  namespace: 'acme',
  prefix: 'acme',
  store: 'roads',
  datastore: 'roads',
  featuretype: 'streets',
  layer: 'streets',
  style: 'streets',
  defaultstyle: 'streets',
  method: 'file',
  format: 'shp',
  urlcheck: 'partner',
  regexurlcheck: 'partner',
  url: 'https://data.example.org/roads.zip',
  module: 'graticule-catalog',
  providername: 'corporate',
  authprovider: 'corporate',
  authproviders: 'corporate',
  usergroupservice: 'club',
  service: 'default',
  user: 'ann',
  username: 'ann',
  group: 'editors',
  holder: 'ann',
  role: 'EDITOR',
};

/** The addresses without a variable that can be read. */
function contentsOf(tables: readonly RouteTable<Services>[]): readonly ContentsEntry[] {
  const routes = tables.flatMap((table) => table.routes);
  const byPath = Map.groupBy(routes, (route) => route.path);
  return [...byPath].flatMap(([path, rows]) => {
    const read = rows.find((route) => route.method === 'GET');
    return read === undefined || path.includes(':')
      ? []
      : [{ path: path.slice(1), summary: read.summary, methods: rows.map((route) => route.method) }];
  });
}
