/** Routes of the tile administration API: truncating caches and seeding tiles. */

import type { WireDialect } from '../../../http/negotiate/wire-dialect.ts';
import { createServiceRouteBuilders, type ServiceCall } from '../../../http/route-table/service-route.ts';
import type { ServiceTable } from '../../../http/routes/route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { explainAsProblem, explainAsText } from '../../problems/explain.ts';
import type { SeedServices } from './responses.ts';

export interface GwcRestEnvironment {
  readonly errorBodies: WireDialect['errorBodies'];
  readonly contextPath: string;
  readonly limits: DocumentLimits;
}

const extensions = [
  ['', undefined],
  ['.json', 'json'],
  ['.xml', 'xml'],
] as const;

const { answer, service } = createServiceRouteBuilders<SeedServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');

type Respond = (call: ServiceCall<SeedServices>, name: string) => Promise<ServiceReply>;

export function gwcRestRoutes({ contextPath, limits, errorBodies }: GwcRestEnvironment): ServiceTable<SeedServices> {
  const root = `${contextPath}/gwc/rest`;
  const createRoute = (method: 'GET' | 'POST' | 'DELETE', path: string, summary: string, respond: Respond) =>
    answer(method, `${root}${path}`, summary, (call) =>
      respond(call, (call.params as { readonly layer?: string }).layer ?? ''),
    );
  const lists = ['/layers', '/layers.xml', '/layers.json'].map((path) =>
    createRoute('GET', path, 'Lists the layers that have tiles', async (call) =>
      (await loadResponses()).listLayers(call, path.endsWith('.json')),
    ),
  );
  const allJobs = extensions.flatMap(([suffix, extension]) => [
    createRoute('GET', `/seed${suffix}`, 'Lists the tile jobs', async (call) =>
      (await loadResponses()).listAllJobs(call, extension),
    ),
    createRoute('POST', `/seed${suffix}`, 'Stops tile jobs', async (call) =>
      (await loadResponses()).stopJobs(call, ''),
    ),
  ]);
  const usage = extensions.map(([suffix, extension]) =>
    createRoute('GET', `/diskquota${suffix}`, 'Returns the cache usage', async (call) =>
      (await loadResponses()).readUsage(call, extension),
    ),
  );
  const explain = errorBodies === 'plain text' ? explainAsText : explainAsProblem;
  return service('Tile administration', { description: 'Truncate tile caches and seed tiles.', explain }, [
    ...lists,
    ...allJobs,
    ...usage,
    createRoute('GET', '/layers/:layer', 'Returns the tile cache settings of a layer', async (call, name) =>
      (await loadResponses()).describeLayer(call, name),
    ),
    createRoute('DELETE', '/layers/:layer', 'Deletes all tiles of a layer', async (call, name) =>
      (await loadResponses()).deleteLayerTiles(call, name),
    ),
    createRoute('GET', '/seed/:layer', 'Lists the tile jobs of a layer', async (call, name) =>
      (await loadResponses()).listLayerJobs(call, name),
    ),
    createRoute(
      'POST',
      '/seed/:layer',
      'Seeds, reseeds or truncates the tiles of a layer, or stops its jobs',
      async (call, name) => (await loadResponses()).seed(call, name, { limits }),
    ),
    createRoute('GET', '/masstruncate', 'Lists the mass truncate operations', async (call) =>
      (await loadResponses()).listTruncateOperations(call),
    ),
    createRoute('POST', '/masstruncate', 'Truncates many tiles', async (call) =>
      (await loadResponses()).truncate(call, limits),
    ),
  ]);
}
