/** Routes of OGC API Styles, for the server and for each workspace. */
import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import type { MapsCall, MapsEnvironment } from '../maps/maps-context.ts';
import { stylesPaths } from './paths.ts';

const STYLES_PATH = '/ogc/styles/v1';

const { answer, service } = createServiceRouteBuilders<MapServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');

export function ogcStylesRoutes(environment: Omit<MapsEnvironment, 'apiPath'>) {
  const world: MapsEnvironment = { ...environment, apiPath: STYLES_PATH };
  /** Paths are computed here, so their variables are declared explicitly. */
  const createReadRoute = (path: string, summary: string, respond: (call: MapsCall) => Promise<ServiceReply>) =>
    answer('GET', path, summary, (call) => respond(call as MapsCall));

  const createRoutesAt = (place: string) => [
    ...stylesPaths.map(([path, summary, name]) =>
      createReadRoute(`${place}${STYLES_PATH}${path}`, summary, async (call) =>
        (await loadResponses())[name](call, world),
      ),
    ),
    // An unknown path is unknown to every principal: answer 404 without a challenge.
    createReadRoute(`${place}${STYLES_PATH}/*rest`, 'Returns 404 for an unknown path', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
  ];

  return service('OGC API Styles', { description: 'Styles of layers and groups.', explain: explainAsProblem }, [
    ...createRoutesAt(world.contextPath),
    ...createRoutesAt(`${world.contextPath}/:workspace`),
  ]);
}
