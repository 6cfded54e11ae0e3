/** How administrators look after tiles: what is kept is forgotten, and tiles are made before anybody asks for them. */

import { createServiceRouteBuilders, type ServiceCall } from '../../../http/route-table/service-route.ts';
import type { RouteTable } from '../../../http/routes/route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import type { SeedServices } from './responses.ts';

export interface GwcRestEnvironment {
  readonly contextPath: string;
  readonly limits: DocumentLimits;
}

const { answer, service } = createServiceRouteBuilders<SeedServices>();

/** What is loaded with the first question. */
const loadResponses = () => import('./responses.ts');

type Respond = (call: ServiceCall<SeedServices>, name: string) => Promise<ServiceReply>;

export function gwcRestRoutes({ contextPath, limits }: GwcRestEnvironment): RouteTable<SeedServices> {
  const root = `${contextPath}/gwc/rest`;
  const createRoute = (method: 'GET' | 'POST' | 'DELETE', path: string, summary: string, respond: Respond) =>
    answer(method, `${root}${path}`, summary, (call) =>
      respond(call, (call.params as { readonly layer?: string }).layer ?? ''),
    );
  const lists = ['/layers', '/layers.xml', '/layers.json'].map((path) =>
    createRoute('GET', path, 'All layers that have tiles', async (call) =>
      (await loadResponses()).listLayers(call, path.endsWith('.json')),
    ),
  );
  const allJobs = ['/seed', '/seed.json', '/seed.xml'].flatMap((path) => [
    createRoute('GET', path, 'The jobs that make tiles', async (call) => (await loadResponses()).listJobs(call, '')),
    createRoute('POST', path, 'Stop jobs', async (call) => (await loadResponses()).stopJobs(call, '')),
  ]);
  return service('Care of tiles', { description: 'Forget tiles, and have them made.', explain: explainAsProblem }, [
    ...lists,
    ...allJobs,
    createRoute('GET', '/layers/:layer', 'What is kept of the tiles of a layer', async (call, name) =>
      (await loadResponses()).describeLayer(call, name),
    ),
    createRoute('DELETE', '/layers/:layer', 'Forget all tiles of a layer', async (call, name) =>
      (await loadResponses()).deleteLayerTiles(call, name),
    ),
    createRoute('GET', '/seed/:layer', 'The jobs that make tiles of a layer', async (call, name) =>
      (await loadResponses()).listJobs(call, name),
    ),
    createRoute('POST', '/seed/:layer', 'Have tiles made, made again or forgotten; or stop that', async (call, name) =>
      (await loadResponses()).seed(call, name, { limits }),
    ),
    createRoute('GET', '/masstruncate', 'The ways to forget many tiles', async (call) =>
      (await loadResponses()).listTruncateOperations(call),
    ),
    createRoute('POST', '/masstruncate', 'Forget many tiles', async (call) =>
      (await loadResponses()).truncate(call, limits),
    ),
    createRoute('GET', '/diskquota', 'How much is kept', async (call) => (await loadResponses()).readUsage(call)),
    createRoute('GET', '/diskquota.json', 'How much is kept', async (call) => (await loadResponses()).readUsage(call)),
  ]);
}
