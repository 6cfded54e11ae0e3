/** Routes for the table of contents and the OpenAPI document, both generated from the route tables. */

import { coverageKind } from '../../catalog/kinds/coverage.ts';
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import { featureTypeKind } from '../../catalog/kinds/feature-type.ts';
import { layerKind } from '../../catalog/kinds/layer.ts';
import { layerGroupKind } from '../../catalog/kinds/layer-group.ts';
import { styleKind } from '../../catalog/kinds/style.ts';
import { readQuery } from '../../http/request/request-head.ts';
import { type Call, type DocumentRoute, findReturned, type RouteTable } from '../../http/routes/route.ts';
import type { Format } from '../../http/serialization/format.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { urlCheckKind } from '../../security/url-checks/url-check.ts';
import type { Dialect } from '../common/dialects.ts';
import { family, get, getContent, type Services } from '../common/services.ts';
import type { CatalogCount, ContentsEntry, ContentsGroup } from './page.ts';
import { contentsDocument } from './representation.ts';

export function contentsRoutes(
  others: readonly RouteTable<Services>[],
  dialect: Dialect,
  version: string,
): RouteTable<Services> {
  const own: RouteTable<Services> = family(
    'Contents',
    {
      description: 'Contents of this server.',
      formats: ['html', 'json', 'xml'],
      formatGroup: 'contents',
    },
    [
      get('', 'List the resources of the REST API', { returns: contentsDocument }, async (call) => ({
        resource: {
          groups: await listContents(others, call),
          figures: call.format === 'html' ? await countRecords(call.services.catalog) : [],
        },
      })),

      getContent(
        '/openapi.json',
        'Read the OpenAPI 3.1 document',
        // It describes the interface and contains nothing of the catalog.
        { mediaType: 'application/json', role: WORKSPACE_ADMINISTRATOR },
        async ({ restUrl }) => {
          const { buildOpenApiDocument } = await import('../../http/openapi/document.ts');
          const options = { title: 'Graticule', version, serverUrl: restUrl, samples };
          return JSON.stringify(buildOpenApiDocument([own, ...others], dialect, options));
        },
      ),
    ],
  );
  return own;
}

/** Example values for the variables in the OpenAPI document. */
const samples = {
  workspace: 'acme',
  path: 'styles/roads.sld',
  font: 'survey.ttf',
  template: 'content.ftl',
  namespace: 'acme',
  prefix: 'acme',
  store: 'roads',
  datastore: 'roads',
  featuretype: 'streets',
  coveragestore: 'relief',
  coverage: 'relief',
  cascaded: 'streets',
  wmsstore: 'neighbour',
  wmslayer: 'streets',
  wmtsstore: 'neighbour',
  wmtslayer: 'streets',
  layer: 'streets',
  layergroup: 'base',
  lock: '3f0c2b1e-5d1a-4f0e-9c55-0a4f5b2c7d10',
  style: 'streets',
  defaultstyle: 'streets',
  method: 'file',
  format: 'shp',
  chain: 'default',
  crs: 'EPSG:4326',
  filter: 'basic',
  granule: 'relief.1',
  id: 'documents',
  layerrule: 'acme.*.r',
  restrule: '/**;GET',
  servicerule: 'wms.GetMap',
  sequence: '42',
  gridset: 'EPSG:2056',
  storedquery: 'urn:example:big-towns',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  tilelayer: 'acme:roads',
  webhook: 'ci',
  tileexport: '3f9a1c07d2b84e65',
  datarule: 'field-staff',
  token: 't1',
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

/** The counts on the page, by record kind. */
const countedKinds = [
  { label: 'Workspaces', kind: workspaceKind, path: 'workspaces' },
  { label: 'Data stores', kind: dataStoreKind },
  { label: 'Feature types', kind: featureTypeKind },
  { label: 'Coverage stores', kind: coverageStoreKind },
  { label: 'Coverages', kind: coverageKind },
  { label: 'Layers', kind: layerKind, path: 'layers' },
  { label: 'Layer groups', kind: layerGroupKind },
  { label: 'Styles', kind: styleKind, path: 'styles' },
  { label: 'URL checks', kind: urlCheckKind, path: 'urlchecks' },
] as const;

function countRecords(catalog: CatalogReader): Promise<readonly CatalogCount[]> {
  return Promise.all(
    countedKinds.map(async ({ kind, ...figure }) => ({ ...figure, count: await catalog.count(kind) })),
  );
}

/**
 * Excludes paths that lack the format of the link or require a query parameter. Secrets are not linked: a click, a
 * crawler or a prefetching browser must not reveal them.
 */
function isLinkable(route: DocumentRoute<Services>, format: Format | undefined): boolean {
  return (
    !route.confidential &&
    route.access !== 'live' &&
    !Object.values(route.query).some(({ isRequired }) => isRequired) &&
    (findReturned(route) === undefined || format === undefined || route.formats.includes(format))
  );
}

/** The readable paths without variables, by family. */
async function listContents(
  tables: readonly RouteTable<Services>[],
  call: Call<Services>,
): Promise<readonly ContentsGroup[]> {
  const patterns = tables.flatMap(({ routes }) => routes.map(({ path }) => path));
  const groups = tables.map(async ({ family: name, description, routes }) => {
    const byPath = [...Map.groupBy(routes, (route) => route.path)];
    const entries = byPath.map(async ([path, rows]): Promise<readonly ContentsEntry[]> => {
      const read = rows.find((route) => route.method === 'GET');
      return read === undefined ||
        /[:*]/.test(path) ||
        !isLinkable(read, call.format) ||
        !(await isReachable(read, patterns, call))
        ? []
        : [{ path: path.slice(1), summary: read.summary, methods: rows.map((route) => route.method) }];
    });
    return { family: name, description, entries: (await Promise.all(entries)).flat() };
  });
  return (await Promise.all(groups)).filter(({ entries }) => entries.length > 0);
}

/**
 * Where names are variable (`/workspaces/:workspace`), a fixed path (`/workspaces/default`) may refer to a missing
 * resource.
 */
async function isReachable(
  route: DocumentRoute<Services>,
  patterns: readonly string[],
  { services, principal, restUrl, signal, sent }: Call<Services>,
): Promise<boolean> {
  const parent = route.path.slice(0, route.path.lastIndexOf('/'));
  if (
    !patterns.some((pattern) => pattern.startsWith(`${parent}/:`) && !pattern.slice(parent.length + 2).includes('/'))
  ) {
    return true;
  }
  const query = readQuery(route.query, '');
  const context = {
    services,
    principal,
    restUrl,
    signal,
    sent,
    query,
    params: {},
    body: undefined,
    precondition: noPrecondition,
  };
  try {
    await route.handle({ ...context, format: 'json', rendition: undefined, isStrict: false });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) {
      return false;
    }
    throw error;
  }
}
