/** Routes of OGC API Tiles, for the server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import type { TileServices } from '../../tiles/map-tile.ts';
import { answerFromTileCache } from '../../tiles/tile-reply.ts';
import { tilesPaths } from './paths.ts';
import { TILES_PATH, type TilesCall, type TilesEnvironment } from './tiles-context.ts';

const { answer, service } = createServiceRouteBuilders<TileServices>();

/** Loaded with the first request. */
const loadResponses = () => import('./responses.ts');

export function ogcTilesRoutes({ contextPath, now }: TilesEnvironment) {
  /** Paths are computed here, so their variables are declared explicitly. */
  const createReadRoute = (
    path: string,
    summary: string,
    respond: (call: TilesCall) => Promise<ServiceReply> | ServiceReply,
  ) => answer('GET', path, summary, (call) => respond(call as TilesCall));

  const createRoutesAt = (place: string) => [
    ...tilesPaths.map(([path, summary, name]) =>
      createReadRoute(`${place}${TILES_PATH}${path}`, summary, (call) =>
        // The Accept header is part of the cache key, because it can select the format.
        answerFromTileCache({ ...call, now }, `ogc ${name} ${call.headers.accept ?? ''}`, async (question) =>
          (await loadResponses())[name](call, { contextPath, now, question }),
        ),
      ),
    ),
    // An unknown path is unknown to every principal: answer 404 without a challenge.
    createReadRoute(`${place}${TILES_PATH}/*rest`, 'Returns 404 for an unknown path', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
  ];

  return service(
    'OGC API Tiles',
    { description: 'Vector tiles of features, and map tiles.', explain: explainAsProblem },
    [...createRoutesAt(contextPath), ...createRoutesAt(`${contextPath}/:workspace`)],
  );
}
