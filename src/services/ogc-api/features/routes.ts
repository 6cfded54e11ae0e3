/** Routes of OGC API Features, for the server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { Method } from '../../../http/routes/route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { FeatureServices } from '../../access/feature-access.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import { encodePathPart } from '../common/link.ts';
import { FEATURES_PATH, type FeaturesCall, type FeaturesEnvironment } from './collections/features-context.ts';

const { answer, offerTo, service } = createServiceRouteBuilders<FeatureServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');

/** Loaded with the first change. */
const loadChanges = () => import('./changes.ts');

/** Loaded with the first request for the methods of items. */
const loadOfferedMethods = () => import('./offered-methods.ts');

type Responses = Awaited<ReturnType<typeof loadResponses>>;
type Respond = (call: FeaturesCall, world: FeaturesEnvironment) => Promise<ServiceReply>;
type ResponseName = { [K in keyof Responses]: Responses[K] extends Respond ? K : never }[keyof Responses];

const ITEMS = '/collections/:collection/items';
const ITEM = `${ITEMS}/:feature`;

/** Paths below the landing page, with their summaries and response functions. */
const documents: readonly (readonly [path: string, summary: string, name: ResponseName])[] = [
  ['', 'Returns the landing page', 'landing'],
  ['/conformance', 'Lists the conformance classes', 'conformance'],
  ['/functions', 'Lists the functions of filters', 'functions'],
  ['/api', 'Returns the API definition', 'api'],
  ['/collections', 'Lists the collections', 'collections'],
  ['/collections/:collection', 'Returns a collection', 'collection'],
  ['/collections/:collection/queryables', 'Returns the queryables of a collection', 'queryables'],
  [ITEMS, 'Returns the features of a collection', 'items'],
  [ITEM, 'Returns a feature', 'item'],
];

/** The methods that only editable collections offer. */
const changeMethods: Readonly<Record<string, readonly Method[]>> = {
  [ITEMS]: ['POST'],
  [ITEM]: ['PUT', 'PATCH', 'DELETE'],
};

export function ogcFeaturesRoutes(world: FeaturesEnvironment) {
  const { contextPath } = world;
  /** Paths are computed here, so their variables are declared explicitly. */
  const createReadRoute = (path: string, summary: string, respond: Respond) =>
    answer('GET', path, summary, (call) => respond(call as FeaturesCall, world));

  const createWriteRoute = (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    summary: string,
    respond: Respond,
  ) => answer(method, path, summary, (call) => respond(call as FeaturesCall, world));

  const createRoutesAt = (place: string) => [
    ...documents.map(([path, summary, name]) => {
      const row = createReadRoute(`${place}${FEATURES_PATH}${path}`, summary, async (call) =>
        (await loadResponses())[name](call, world),
      );
      const changes = changeMethods[path];
      if (changes === undefined) return row;
      return offerTo(row, async (call) =>
        (await loadOfferedMethods()).listOfferedMethods(call as FeaturesCall, world, changes),
      );
    }),
    createWriteRoute('POST', `${place}${FEATURES_PATH}${ITEMS}`, 'Creates a feature', async (call) =>
      (await loadChanges()).create(call, world),
    ),
    createWriteRoute('PUT', `${place}${FEATURES_PATH}${ITEM}`, 'Replaces a feature', async (call) =>
      (await loadChanges()).replace(call, world),
    ),
    createWriteRoute('PATCH', `${place}${FEATURES_PATH}${ITEM}`, 'Updates a feature', async (call) =>
      (await loadChanges()).update(call, world),
    ),
    createWriteRoute('DELETE', `${place}${FEATURES_PATH}${ITEM}`, 'Deletes a feature', async (call) =>
      (await loadChanges()).remove(call, world),
    ),
    // An unknown path is unknown to every principal: answer 404 without a challenge.
    createReadRoute(`${place}${FEATURES_PATH}/*rest`, 'Returns 404 for an unknown path', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
    // The former address, without a version.
    createReadRoute(`${place}/ogc/features`, 'Redirects to the landing page', redirectToLandingPage),
  ];

  return service(
    'OGC API Features',
    { description: 'Vector features as data and as HTML pages.', explain: explainAsProblem },
    [
      answer('GET', `${contextPath}/ogc/assets/:asset`, 'Returns an asset of the HTML pages', async ({ params }) =>
        (await import('./pages/assets.ts')).createAssetReply(params.asset),
      ),
      ...createRoutesAt(contextPath),
      ...createRoutesAt(`${contextPath}/:workspace`),
    ],
  );
}

async function redirectToLandingPage(
  { baseUrl, params }: FeaturesCall,
  { contextPath }: FeaturesEnvironment,
): Promise<ServiceReply> {
  const place = params.workspace === undefined ? '' : `/${encodePathPart(params.workspace)}`;
  const location = `${baseUrl}${contextPath}${place}${FEATURES_PATH}`;
  return { status: 301, contentType: 'text/plain', headers: { location }, body: '' };
}
