/** Every address of tiles below `/gwc/service`, for the whole server and for each workspace. */
import type { RouteTable } from '../../http/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../http/service-route.ts';
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import { readParameters } from '../ows/parameters.ts';
import type { TileServices } from '../tiles/map-tile.ts';
import { tileOrElse } from '../tiles/tile-reply.ts';
import { toldProblem } from '../told-problem.ts';
import { wmtsReport } from '../wmts/exceptions.ts';
import type { WmtsCall } from '../wmts/service.ts';

export interface GwcWorld {
  /** Before every path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

const { answer, service } = servicesFor<TileServices>();

type GwcCall = ServiceCall<TileServices>;
type Variables = Readonly<Record<string, string | undefined>>;

/** What is loaded with the first question. */
const wmts = async () => ({ ...(await import('../wmts/service.ts')), ...(await import('../wmts/request.ts')) });
const tms = () => import('./tms.ts');
const boxes = () => import('./tiles-by-box.ts');

type Respond = (call: WmtsCall, params: Variables) => Promise<ServiceReply>;

export function gwcRoutes(world: GwcWorld): RouteTable<TileServices> {
  const rowsIn = (place: string) => {
    /** Paths are put together here, so that their variables are told by hand; they begin with the name of their service. */
    const read = (name: string, path: string, summary: string, respond: Respond) => {
      const address = `${name}${path}`;
      // Of what was answered before, and is still so, nothing is worked out again.
      return answer('GET', `${place}/gwc/service/${address}`, summary, (call) => {
        const { services, principal, params, rawQuery, signal } = call;
        return tileOrElse({ services, principal, params, rawQuery, signal, now: world.now }, address, (question) =>
          respond(placedAt(call, world, name, question), params as Variables),
        );
      });
    };
    return [
      read('wmts', '', 'Web Map Tile Service', async (call) => {
        const { answerWmts, readWmtsRequest } = await wmts();
        return answerWmts(call, readWmtsRequest(call.parameters));
      }),
      read('wmts', '/rest/*path', 'Capabilities, tiles and what is in them, by path', async (call, params) => {
        const { answerWmts, requestOfPath } = await wmts();
        return answerWmts(call, requestOfPath(params['path'] ?? '', call.parameters));
      }),
      read('tms/1.0.0', '', 'All maps of tiles', async (call) => (await tms()).listTileMaps(call)),
      read('tms/1.0.0', '/:map', 'A map of tiles', async (call, params) =>
        (await tms()).describeTileMap(call, params['map'] ?? ''),
      ),
      read('tms/1.0.0', '/:map/:level/:column/:row', 'A tile, rows from the south', async (call, params) =>
        (await tms()).tmsTile(call, params, 'south'),
      ),
      read('xyz', '/:map/:level/:column/:row', 'A tile, rows from the north', async (call, params) =>
        (await tms()).tmsTile(call, params, 'north'),
      ),
      read('wms', '', 'Maps that are tiles', async (call) => (await boxes()).answerWmsc(call)),
      read('gmaps', '', 'Tiles by zoom, x and y', async (call) => (await boxes()).tileByZoom(call)),
      // What is not there is not there for anybody: no password would help.
      answer('GET', `${place}/gwc/service/*rest`, 'Nothing', async (): Promise<never> => {
        throw problem('service-path-unknown', {});
      }),
    ];
  };

  return service('Tiles', { description: 'WMTS 1.0.0, TMS and tiles by other addresses.', explain }, [
    ...rowsIn(world.contextPath),
    ...rowsIn(`${world.contextPath}/:workspace`),
  ]);
}

/** Where a service is asked, and where it is asked in links. */
function placedAt(call: GwcCall, { contextPath, limits, now }: GwcWorld, name: string, question: string): WmtsCall {
  const { workspace } = call.params as Variables;
  const { services, principal, signal, baseUrl } = call;
  const within = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
  return {
    services,
    principal,
    signal,
    limits,
    now,
    question,
    parameters: readParameters(call.rawQuery),
    place: workspace === undefined ? {} : { workspace },
    root: `${baseUrl}${contextPath}`,
    address: `${baseUrl}${contextPath}${within}/gwc/service/${name}`,
  };
}

const explain: ExplainProblem = (thrown) => wmtsReport(toldProblem(thrown));
