/** How administrators look after tiles: what is kept is forgotten, and tiles are made before anybody asks for them. */
import type { RouteTable } from '../../../http/route.ts';
import type { ServiceReply } from '../../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../../http/service-route.ts';
import type { DocumentLimits } from '../../../lib/document-limits.ts';
import { explainAsProblem } from '../../ogc-api/common/explain.ts';
import type { SeedServices } from './responses.ts';

export interface TileCareWorld {
  readonly contextPath: string;
  readonly limits: DocumentLimits;
}

const { answer, service } = servicesFor<SeedServices>();

/** What is loaded with the first question. */
const responses = () => import('./responses.ts');

type Respond = (call: ServiceCall<SeedServices>, name: string) => Promise<ServiceReply>;

export function tileCareRoutes({ contextPath, limits }: TileCareWorld): RouteTable<SeedServices> {
  const root = `${contextPath}/gwc/rest`;
  const row = (method: 'GET' | 'POST' | 'DELETE', path: string, summary: string, respond: Respond) =>
    answer(method, `${root}${path}`, summary, (call) =>
      respond(call, (call.params as { readonly layer?: string }).layer ?? ''),
    );
  const lists = ['/layers', '/layers.xml', '/layers.json'].map((path) =>
    row('GET', path, 'All layers that have tiles', async (call) =>
      (await responses()).listLayers(call, path.endsWith('.json')),
    ),
  );
  const allJobs = ['/seed', '/seed.json', '/seed.xml'].flatMap((path) => [
    row('GET', path, 'The jobs that make tiles', async (call) => (await responses()).jobs(call, '')),
    row('POST', path, 'Stop jobs', async (call) => (await responses()).stopJobs(call, '')),
  ]);
  return service('Care of tiles', { description: 'Forget tiles, and have them made.', explain: explainAsProblem }, [
    ...lists,
    ...allJobs,
    row('GET', '/layers/:layer', 'What is kept of the tiles of a layer', async (call, name) =>
      (await responses()).describeLayer(call, name),
    ),
    row('DELETE', '/layers/:layer', 'Forget all tiles of a layer', async (call, name) =>
      (await responses()).forgetLayer(call, name),
    ),
    row('GET', '/seed/:layer', 'The jobs that make tiles of a layer', async (call, name) =>
      (await responses()).jobs(call, name),
    ),
    row('POST', '/seed/:layer', 'Have tiles made, made again or forgotten; or stop that', async (call, name) =>
      (await responses()).seed(call, name, { limits }),
    ),
    row('GET', '/masstruncate', 'The ways to forget many tiles', async (call) => (await responses()).truncations(call)),
    row('POST', '/masstruncate', 'Forget many tiles', async (call) => (await responses()).truncate(call, limits)),
    row('GET', '/diskquota', 'How much is kept', async (call) => (await responses()).usage(call)),
    row('GET', '/diskquota.json', 'How much is kept', async (call) => (await responses()).usage(call)),
  ]);
}
