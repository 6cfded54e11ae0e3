/** OGC API Tiles: every address of it, for the whole server and for each workspace. */

import { createServiceRouteBuilders } from '../../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { explainAsProblem } from '../../problems/explain.ts';
import type { TileServices } from '../../tiles/map-tile.ts';
import { answerFromTileCache } from '../../tiles/tile-reply.ts';
import { tilesPaths } from './paths.ts';
import { TILES_PATH, type TilesCall, type TilesEnvironment } from './tiles-context.ts';

const { answer, service } = createServiceRouteBuilders<TileServices>();

/** All that answers is loaded with the first question. */
const loadResponses = () => import('./responses.ts');

export function ogcTilesRoutes({ contextPath, now }: TilesEnvironment) {
  /** Paths are put together here, so that their variables are told by hand. */
  const createReadRoute = (
    path: string,
    summary: string,
    respond: (call: TilesCall) => Promise<ServiceReply> | ServiceReply,
  ) => answer('GET', path, summary, (call) => respond(call as TilesCall));

  const createRoutesAt = (place: string) => [
    ...tilesPaths.map(([path, summary, name]) =>
      createReadRoute(`${place}${TILES_PATH}${path}`, summary, (call) =>
        // Which format is given may be a matter of what is accepted.
        answerFromTileCache({ ...call, now }, `ogc ${name} ${call.headers.accept ?? ''}`, async (question) =>
          (await loadResponses())[name](call, { contextPath, now, question }),
        ),
      ),
    ),
    // What is not there is not there for anybody: no password would help.
    createReadRoute(`${place}${TILES_PATH}/*rest`, 'Nothing', async (): Promise<never> => {
      throw problem('service-path-unknown', {});
    }),
  ];

  return service(
    'OGC API Tiles',
    { description: 'Features as vector tiles, and maps as tiles.', explain: explainAsProblem },
    [...createRoutesAt(contextPath), ...createRoutesAt(`${contextPath}/:workspace`)],
  );
}
