/** OGC API Features: every address of it, for the whole server and for each workspace. */
import type { ServiceReply } from '../../../http/service-reply.ts';
import { servicesFor } from '../../../http/service-route.ts';
import { problem } from '../../../lib/problem.ts';
import type { DoorServices } from '../../door/door.ts';
import { explainAsProblem } from '../common/explain.ts';
import { pathPart } from '../common/link.ts';
import { FEATURES_PATH, type FeaturesCall, type FeaturesWorld } from './visit.ts';

const { answer, service } = servicesFor<DoorServices>();

/** All that answers is loaded with the first question. */
const responses = () => import('./responses.ts');

/** And so is all that changes something. */
const changes = () => import('./changes.ts');

type Responses = Awaited<ReturnType<typeof responses>>;
type Respond = (call: FeaturesCall, world: FeaturesWorld) => Promise<ServiceReply>;
type ResponseName = { [K in keyof Responses]: Responses[K] extends Respond ? K : never }[keyof Responses];

const ITEMS = '/collections/:collection/items';
const ITEM = `${ITEMS}/:feature`;

/** Below the landing page: the path, what is there, and what tells of it. */
const documents: readonly (readonly [path: string, summary: string, name: ResponseName])[] = [
  ['', 'The landing page', 'landing'],
  ['/conformance', 'What it conforms to', 'conformance'],
  ['/api', 'The definition of the API', 'api'],
  ['/collections', 'All collections', 'collections'],
  ['/collections/:collection', 'A collection', 'collection'],
  ['/collections/:collection/queryables', 'What it can be filtered by', 'queryables'],
  [ITEMS, 'Its features', 'items'],
  [ITEM, 'One of them', 'item'],
];

export function ogcFeaturesRoutes(world: FeaturesWorld) {
  const { contextPath } = world;
  /** Paths are put together here, so that their variables are told by hand. */
  const read = (path: string, summary: string, respond: Respond) =>
    answer('GET', path, summary, (call) => respond(call as FeaturesCall, world));

  const write = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, summary: string, respond: Respond) =>
    answer(method, path, summary, (call) => respond(call as FeaturesCall, world));

  const rowsIn = (place: string) => [
    ...documents.map(([path, summary, name]) =>
      read(`${place}${FEATURES_PATH}${path}`, summary, async (call) => (await responses())[name](call, world)),
    ),
    write('POST', `${place}${FEATURES_PATH}${ITEMS}`, 'A new feature', async (call) =>
      (await changes()).create(call, world),
    ),
    write('PUT', `${place}${FEATURES_PATH}${ITEM}`, 'The whole feature', async (call) =>
      (await changes()).replace(call, world),
    ),
    write('PATCH', `${place}${FEATURES_PATH}${ITEM}`, 'Parts of a feature', async (call) =>
      (await changes()).update(call, world),
    ),
    write('DELETE', `${place}${FEATURES_PATH}${ITEM}`, 'No such feature any more', async (call) =>
      (await changes()).remove(call, world),
    ),
    // What is not there is not there for anybody: no password would help.
    read(`${place}${FEATURES_PATH}/*rest`, 'Nothing', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
    // Where the service was before it had a version in its address.
    read(`${place}/ogc/features`, 'Where the landing page is', moved),
  ];

  return service('OGC API Features', { description: 'Features for programs and people.', explain: explainAsProblem }, [
    answer('GET', `${contextPath}/ogc/assets/:asset`, 'A file of pages', async ({ params }) =>
      (await import('../common/assets.ts')).assetReply(params.asset),
    ),
    ...rowsIn(contextPath),
    ...rowsIn(`${contextPath}/:workspace`),
  ]);
}

async function moved({ baseUrl, params }: FeaturesCall, { contextPath }: FeaturesWorld): Promise<ServiceReply> {
  const place = params.workspace === undefined ? '' : `/${pathPart(params.workspace)}`;
  const location = `${baseUrl}${contextPath}${place}${FEATURES_PATH}`;
  return { status: 301, contentType: 'text/plain', headers: { location }, body: '' };
}
