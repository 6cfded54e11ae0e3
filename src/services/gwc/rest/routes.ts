/** Routes of the tile administration API: layers, seeding, truncation, and documents about the server. */

import type { WireDialect } from '../../../http/negotiate/wire-dialect.ts';
import { createServiceRouteBuilders, type ServiceCall } from '../../../http/route-table/service-route.ts';
import type { Method, ServiceTable } from '../../../http/routes/route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { explainAsProblem, explainAsText } from '../../problems/explain.ts';
import type { QuotaRoot } from './disk-quota.ts';
import type { Extension } from './documents.ts';
import type { SeedServices } from './responses.ts';

export interface GwcRestEnvironment {
  readonly errorBodies: WireDialect['errorBodies'];
  readonly quotaRoot: QuotaRoot;
  readonly contextPath: string;
  readonly limits: DocumentLimits;
}

const extensions: readonly (readonly [suffix: string, extension: Extension])[] = [
  ['', undefined],
  ['.json', 'json'],
  ['.xml', 'xml'],
];

const { answer, service } = createServiceRouteBuilders<SeedServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');
const loadTruncate = () => import('./truncate.ts');
const loadQuota = () => import('./disk-quota.ts');
const loadServerDocuments = () => import('./server-documents.ts');

type Variables = Readonly<Record<string, string | undefined>>;
type Respond = (call: ServiceCall<SeedServices>, params: Variables) => Promise<ServiceReply>;
type RespondAs = (call: ServiceCall<SeedServices>, extension: Extension) => Promise<ServiceReply>;

export function gwcRestRoutes(world: GwcRestEnvironment): ServiceTable<SeedServices> {
  const explain = world.errorBodies === 'plain text' ? explainAsText : explainAsProblem;
  return service('Tile administration', { description: 'Truncate tile caches and seed tiles.', explain }, [
    ...createTileRoutes(world),
    ...createServerRoutes(world),
  ]);
}

function createBuilders({ contextPath }: GwcRestEnvironment) {
  const root = `${contextPath}/gwc/rest`;
  const createRoute = (method: Method, path: string, summary: string, respond: Respond) =>
    answer(method, `${root}${path}`, summary, (call) => respond(call, call.params as Variables));
  /** With and without a format as the extension. */
  const createDocumentRoutes = (method: Method, path: string, summary: string, respond: RespondAs) =>
    extensions.map(([suffix, extension]) =>
      createRoute(method, `${path}${suffix}`, summary, (call) => respond(call, extension)),
    );
  return { root, createRoute, createDocumentRoutes };
}

function createTileRoutes(world: GwcRestEnvironment) {
  const { root, createRoute, createDocumentRoutes } = createBuilders(world);
  return [
    ...createDocumentRoutes('GET', '/layers', 'Lists the layers that have tiles', async (call, extension) =>
      (await loadResponses()).listLayers(call, `${root}/layers`, extension),
    ),
    ...createDocumentRoutes('GET', '/seed', 'Lists the tile jobs', async (call, extension) =>
      (await loadResponses()).listAllJobs(call, extension),
    ),
    ...createDocumentRoutes('POST', '/seed', 'Stops tile jobs', async (call) =>
      (await loadResponses()).stopJobs(call, ''),
    ),
    createRoute('GET', '/seed/:layer', 'Lists the tile jobs of a layer', async (call, { layer = '' }) =>
      (await loadResponses()).listLayerJobs(call, layer, world.contextPath),
    ),
    createRoute(
      'POST',
      '/seed/:layer',
      'Seeds, reseeds or truncates the tiles of a layer, or stops its jobs',
      async (call, { layer = '' }) => (await loadResponses()).seed(call, layer, world),
    ),
    ...createDocumentRoutes('GET', '/masstruncate', 'Lists the mass truncate operations', async (call, extension) =>
      (await loadTruncate()).listTruncateOperations(call, extension),
    ),
    ...createDocumentRoutes('POST', '/masstruncate', 'Truncates many tiles', async (call) =>
      (await loadTruncate()).truncate(call, world.limits),
    ),
    ...createDocumentRoutes('GET', '/gridsets', 'Lists the names of the grid sets', async (call, extension) =>
      (await import('./grid-set-list.ts')).listGridSets(call, `${root}/gridsets`, extension),
    ),
    createRoute(
      'GET',
      '/bounds/:layer/:gridSet/:type',
      'Returns the tiles of each level that a layer has',
      async (call, params) => (await loadServerDocuments()).readBounds(call, params),
    ),
  ];
}

function createServerRoutes(world: GwcRestEnvironment) {
  const { root, createRoute, createDocumentRoutes } = createBuilders(world);
  const { limits, quotaRoot, contextPath } = world;
  const preview = `${contextPath}/preview`;
  return [
    createRoute('GET', '', 'Lists the resources', async (call) =>
      (await loadServerDocuments()).listResources(call, root),
    ),
    ...createDocumentRoutes(
      'GET',
      '/diskquota',
      'Returns the maximum size of the tile cache and its usage',
      async (call, extension) => (await loadQuota()).readDiskQuota(call, extension, quotaRoot),
    ),
    ...createDocumentRoutes(
      'PUT',
      '/diskquota',
      'Changes the maximum size of the tile cache of all nodes: the setting tileCacheMb of WMTS',
      async (call, extension) => (await loadQuota()).changeDiskQuota(call, extension, { limits, quotaRoot }),
    ),
    ...createDocumentRoutes('GET', '/global', 'Returns global settings', async (call, extension) =>
      (await loadServerDocuments()).readGlobal(call, extension),
    ),
    ...createDocumentRoutes('PUT', '/global', 'Accepts global settings, which have no effect', async (call) =>
      (await loadServerDocuments()).changeGlobal(call, limits),
    ),
    ...createDocumentRoutes('GET', '/statistics', 'Returns the use of tiles in memory', async (call, extension) =>
      (await loadServerDocuments()).readStatistics(call, extension),
    ),
    createRoute('POST', '/reload', 'Accepts a reload: the configuration is always current', async (call) =>
      (await loadServerDocuments()).reload(call),
    ),
    ...createDocumentRoutes('GET', '/blobstores', 'Lists the only tile store', async (call, extension) =>
      (await loadServerDocuments()).listStores(call, `${root}/blobstores`, extension),
    ),
    createRoute('GET', '/blobstores/:store', 'Returns the only tile store', async (call, { store = '' }) =>
      (await loadServerDocuments()).readStore(call, store),
    ),
    ...(['PUT', 'DELETE'] as const).map((method) =>
      createRoute(
        method,
        '/blobstores/:store',
        'Returns an error: the server has one tile store',
        async (call, { store = '' }) => (await loadServerDocuments()).refuseStore(call, store),
      ),
    ),
    ...['', '/demo', '/demo/:layer'].map((path) =>
      answer('GET', `${contextPath}/gwc${path}`, 'Redirects to the preview', ({ baseUrl, params }) => {
        const { layer } = params as Variables;
        const query = layer === undefined ? '' : `?${new URLSearchParams({ layer })}`;
        return {
          status: 302,
          contentType: 'text/plain',
          headers: { location: `${baseUrl}${preview}${query}` },
          body: '',
        };
      }),
    ),
  ];
}
