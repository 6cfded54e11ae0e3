/** Routes of OGC API Maps, for the server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import type { MapsCall, MapsEnvironment } from './maps-context.ts';
import { mapsPaths } from './paths.ts';

const MAPS_PATH = '/ogc/maps/v1';

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');

export function ogcMapsRoutes(environment: Omit<MapsEnvironment, 'apiPath'>) {
  const world: MapsEnvironment = { ...environment, apiPath: MAPS_PATH };
  const { contextPath } = world;
  /** Paths are computed here, so their variables are declared explicitly. */
  const createReadRoute = (path: string, summary: string, respond: (call: MapsCall) => Promise<ServiceReply>) =>
    answer('GET', path, summary, (call) => respond(call as MapsCall));

  const createRoutesAt = (place: string) => [
    ...mapsPaths.map(([path, summary, name]) =>
      createReadRoute(`${place}${MAPS_PATH}${path}`, summary, async (call) =>
        (await loadResponses())[name](call, world),
      ),
    ),
    // An unknown path is unknown to every principal: answer 404 without a challenge.
    createReadRoute(`${place}${MAPS_PATH}/*rest`, 'Returns 404 for an unknown path', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
  ];

  return service('OGC API Maps', { description: 'Maps of collections.', explain: explainAsProblem }, [
    ...createRoutesAt(contextPath),
    ...createRoutesAt(`${contextPath}/:workspace`),
  ]);
}
