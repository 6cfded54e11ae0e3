/** OGC API Maps: every address of it, for the whole server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import { MAPS_PATH, type MapsCall, type MapsEnvironment } from './maps-context.ts';
import { mapsPaths } from './paths.ts';

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** All that answers is loaded with the first question. */
const loadResponses = () => import('./responses.ts');

export function ogcMapsRoutes(world: MapsEnvironment) {
  const { contextPath } = world;
  /** Paths are put together here, so that their variables are told by hand. */
  const createReadRoute = (path: string, summary: string, respond: (call: MapsCall) => Promise<ServiceReply>) =>
    answer('GET', path, summary, (call) => respond(call as MapsCall));

  const createRoutesAt = (place: string) => [
    ...mapsPaths.map(([path, summary, name]) =>
      createReadRoute(`${place}${MAPS_PATH}${path}`, summary, async (call) =>
        (await loadResponses())[name](call, world),
      ),
    ),
    // What is not there is not there for anybody: no password would help.
    createReadRoute(`${place}${MAPS_PATH}/*rest`, 'Nothing', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
  ];

  return service('OGC API Maps', { description: 'Maps of collections.', explain: explainAsProblem }, [
    ...createRoutesAt(contextPath),
    ...createRoutesAt(`${contextPath}/:workspace`),
  ]);
}
