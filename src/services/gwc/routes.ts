/** Routes below `/gwc/service`, for the server and for each workspace. */

import { createServiceRouteBuilders, type ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceTable } from '../../http/routes/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { mergeParameters, type NamedOperations } from '../ows/merge-parameters.ts';
import { summarizePairs } from '../ows/message-summary.ts';
import { readParameters } from '../ows/parameters.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import type { TileServices } from '../tiles/map-tile.ts';
import { answerFromTileCache } from '../tiles/tile-reply.ts';
import { createWmtsReport } from '../wmts/exceptions.ts';
import type { WmtsCall } from '../wmts/service.ts';

export interface GwcEnvironment {
  /** The context path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

const { answer, service } = createServiceRouteBuilders<TileServices>();

type GwcCall = ServiceCall<TileServices>;
type PathVariables = Readonly<Record<string, string | undefined>>;

/** Loaded with the first request. */
const loadWmts = async () => ({
  ...(await import('../wmts/service.ts')),
  ...(await import('../wmts/read-request.ts')),
  ...(await import('../wmts/parameters.ts')),
});
const loadTms = () => import('./tms.ts');
const loadTilesByBox = () => import('./tiles-by-box.ts');
const loadGwcParameters = () => import('./parameters.ts');
const loadWmtsParameters = () => import('../wmts/parameters.ts');

const loadNoParameters = async () => ({});

type Respond = (call: WmtsCall, params: PathVariables) => Promise<ServiceReply>;

export function gwcRoutes(world: GwcEnvironment): ServiceTable<TileServices> {
  const createRoutesAt = (place: string) => {
    /**
     * Paths are computed here, so their variables are declared explicitly. Each path begins with the name of its
     * service.
     */
    const createGetRoute = (
      [name, path]: readonly [name: string, path: string],
      summary: string,
      loadOperations: () => Promise<NamedOperations>,
      respond: Respond,
    ) => {
      const address = `${name}${path}`;
      // Answers a conditional request that still matches without recomputing the response.
      const respondFromCache = (call: GwcCall) => {
        const { services, principal, params, rawQuery, signal } = call;
        return answerFromTileCache(
          { services, principal, params, rawQuery, signal, now: world.now },
          address,
          (question) => respond(toWmtsCall(call, world, name, question), params as PathVariables),
        );
      };
      return {
        ...answer('GET', `${place}/gwc/service/${address}`, summary, respondFromCache),
        loadParameters: async () => mergeParameters(await loadOperations()),
      };
    };
    return [
      createGetRoute(
        ['wmts', ''],
        'Web Map Tile Service',
        async () => (await loadWmtsParameters()).wmtsOperations,
        async (call) => {
          const { answerWmts, readWmtsRequest } = await loadWmts();
          return answerWmts(call, readWmtsRequest(call.parameters));
        },
      ),
      createGetRoute(
        ['wmts', '/rest/*path'],
        'Returns capabilities, tiles and feature information by path',
        async () => ({ Tile: (await loadWmtsParameters()).wmtsPathOperation }),
        async (call, params) => {
          const { answerWmts, parseWmtsPath, wmtsPathOperation } = await loadWmts();
          return answerWmts(call, parseWmtsPath(params['path'] ?? '', call.parameters), wmtsPathOperation);
        },
      ),
      createGetRoute(['tms/1.0.0', ''], 'Lists the tile maps', loadNoParameters, async (call) =>
        (await loadTms()).listTileMaps(call),
      ),
      createGetRoute(['tms/1.0.0', '/:map'], 'Returns a tile map', loadNoParameters, async (call, params) =>
        (await loadTms()).describeTileMap(call, params['map'] ?? ''),
      ),
      createGetRoute(
        ['tms/1.0.0', '/:map/:level/:column/:row'],
        'Returns a tile; rows are counted from the south',
        async () => ({ Tile: (await loadGwcParameters()).tmsTileOperation }),
        async (call, params) => (await loadTms()).answerTmsTile(call, params, 'south'),
      ),
      createGetRoute(
        ['xyz', '/:map/:level/:column/:row'],
        'Returns a tile; rows are counted from the north',
        async () => ({ Tile: (await loadGwcParameters()).tmsTileOperation }),
        async (call, params) => (await loadTms()).answerTmsTile(call, params, 'north'),
      ),
      createGetRoute(
        ['wms', ''],
        'Returns maps that match tiles (WMS-C)',
        async () => (await loadGwcParameters()).boxOperations,
        async (call) => (await loadTilesByBox()).answerWmsc(call),
      ),
      createGetRoute(
        ['gmaps', ''],
        'Returns tiles by zoom, x and y',
        async () => ({ Tile: (await loadGwcParameters()).zoomOperation }),
        async (call) => (await loadTilesByBox()).answerTileByZoom(call),
      ),
      // An unknown path is unknown to every principal: answer 404 without a challenge.
      answer('GET', `${place}/gwc/service/*rest`, 'Returns 404 for an unknown path', async (): Promise<never> => {
        throw problem('service-path-unknown', {});
      }),
    ];
  };

  return service('Tiles', { description: 'WMTS 1.0.0, TMS, WMS-C and tiles by zoom, x and y.', explain }, [
    ...createRoutesAt(world.contextPath),
    ...createRoutesAt(`${world.contextPath}/:workspace`),
  ]);
}

/** The scope of a request, and the base address of its links. */
function toWmtsCall(
  call: GwcCall,
  { contextPath, limits, now }: GwcEnvironment,
  name: string,
  question: string | undefined,
): WmtsCall {
  const { workspace } = call.params as PathVariables;
  const { services, principal, signal, baseUrl } = call;
  const within = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
  const parameters = readParameters(call.rawQuery);
  if (parameters.size > 0) call.describe(summarizePairs(parameters));
  return {
    services,
    principal,
    signal,
    limits,
    now,
    question,
    parameters,
    place: workspace === undefined ? {} : { workspace },
    root: `${baseUrl}${contextPath}`,
    address: `${baseUrl}${contextPath}${within}/gwc/service/${name}`,
  };
}

const explain: ExplainProblem = (thrown) => createWmtsReport(toPublicProblem(thrown));
