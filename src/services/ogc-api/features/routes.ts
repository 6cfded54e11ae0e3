/** OGC API Features: every address of it, for the whole server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { FeatureServices } from '../../access/feature-access.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import { encodePathPart } from '../common/link.ts';
import { FEATURES_PATH, type FeaturesCall, type FeaturesEnvironment } from './collections/features-context.ts';

const { answer, service } = createServiceRouteBuilders<FeatureServices>();

/** All that answers is loaded with the first question. */
const loadResponses = () => import('./responses.ts');

/** And so is all that changes something. */
const loadChanges = () => import('./changes.ts');

type Responses = Awaited<ReturnType<typeof loadResponses>>;
type Respond = (call: FeaturesCall, world: FeaturesEnvironment) => Promise<ServiceReply>;
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

export function ogcFeaturesRoutes(world: FeaturesEnvironment) {
  const { contextPath } = world;
  /** Paths are put together here, so that their variables are told by hand. */
  const createReadRoute = (path: string, summary: string, respond: Respond) =>
    answer('GET', path, summary, (call) => respond(call as FeaturesCall, world));

  const createWriteRoute = (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    summary: string,
    respond: Respond,
  ) => answer(method, path, summary, (call) => respond(call as FeaturesCall, world));

  const createRoutesAt = (place: string) => [
    ...documents.map(([path, summary, name]) =>
      createReadRoute(`${place}${FEATURES_PATH}${path}`, summary, async (call) =>
        (await loadResponses())[name](call, world),
      ),
    ),
    createWriteRoute('POST', `${place}${FEATURES_PATH}${ITEMS}`, 'A new feature', async (call) =>
      (await loadChanges()).create(call, world),
    ),
    createWriteRoute('PUT', `${place}${FEATURES_PATH}${ITEM}`, 'The whole feature', async (call) =>
      (await loadChanges()).replace(call, world),
    ),
    createWriteRoute('PATCH', `${place}${FEATURES_PATH}${ITEM}`, 'Parts of a feature', async (call) =>
      (await loadChanges()).update(call, world),
    ),
    createWriteRoute('DELETE', `${place}${FEATURES_PATH}${ITEM}`, 'No such feature any more', async (call) =>
      (await loadChanges()).remove(call, world),
    ),
    // What is not there is not there for anybody: no password would help.
    createReadRoute(`${place}${FEATURES_PATH}/*rest`, 'Nothing', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
    // Where the service was before it had a version in its address.
    createReadRoute(`${place}/ogc/features`, 'Where the landing page is', redirectToLandingPage),
  ];

  return service('OGC API Features', { description: 'Features for programs and people.', explain: explainAsProblem }, [
    answer('GET', `${contextPath}/ogc/assets/:asset`, 'A file of pages', async ({ params }) =>
      (await import('./pages/assets.ts')).createAssetReply(params.asset),
    ),
    ...createRoutesAt(contextPath),
    ...createRoutesAt(`${contextPath}/:workspace`),
  ]);
}

async function redirectToLandingPage(
  { baseUrl, params }: FeaturesCall,
  { contextPath }: FeaturesEnvironment,
): Promise<ServiceReply> {
  const place = params.workspace === undefined ? '' : `/${encodePathPart(params.workspace)}`;
  const location = `${baseUrl}${contextPath}${place}${FEATURES_PATH}`;
  return { status: 301, contentType: 'text/plain', headers: { location }, body: '' };
}
