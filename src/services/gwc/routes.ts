/** Every address of tiles below `/gwc/service`, for the whole server and for each workspace. */
import type { RouteTable } from '../../http/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../http/service-route.ts';
import { problem } from '../../lib/problem.ts';
import { readParameters } from '../ows/parameters.ts';
import type { TileServices } from '../tiles/map-tile.ts';
import { toldProblem } from '../told-problem.ts';
import { wmtsReport } from '../wmts/exceptions.ts';
import type { WmtsCall } from '../wmts/service.ts';

export interface GwcWorld {
  /** Before every path, such as `/geoserver`. */
  readonly contextPath: string;
}

const { answer, service } = servicesFor<TileServices>();

type GwcCall = ServiceCall<TileServices>;
type Variables = Readonly<Record<string, string | undefined>>;

/** What is loaded with the first question. */
const wmts = async () => ({ ...(await import('../wmts/service.ts')), ...(await import('../wmts/request.ts')) });
const tms = () => import('./tms.ts');
const boxes = () => import('./tiles-by-box.ts');

export function gwcRoutes({ contextPath }: GwcWorld): RouteTable<TileServices> {
  /** Paths are put together here, so that their variables are told by hand. */
  const read = (path: string, summary: string, respond: (call: GwcCall, params: Variables) => Promise<ServiceReply>) =>
    answer('GET', path, summary, (call) => respond(call, call.params as Variables));

  const rowsIn = (place: string) => {
    const services = `${place}/gwc/service`;
    const placed = (call: GwcCall, name: string): WmtsCall => placedAt(call, contextPath, name);
    return [
      read(`${services}/wmts`, 'Web Map Tile Service', async (call) => {
        const { answerWmts, readWmtsRequest } = await wmts();
        return answerWmts(placed(call, 'wmts'), readWmtsRequest(readParameters(call.rawQuery)));
      }),
      read(`${services}/wmts/rest/*path`, 'Capabilities, tiles and what is in them, by path', async (call, params) => {
        const { answerWmts, requestOfPath } = await wmts();
        return answerWmts(placed(call, 'wmts'), requestOfPath(params['path'] ?? '', readParameters(call.rawQuery)));
      }),
      read(`${services}/tms/1.0.0`, 'All maps of tiles', async (call) =>
        (await tms()).listTileMaps(placed(call, 'tms/1.0.0')),
      ),
      read(`${services}/tms/1.0.0/:map`, 'A map of tiles', async (call, params) =>
        (await tms()).describeTileMap(placed(call, 'tms/1.0.0'), params['map'] ?? ''),
      ),
      read(`${services}/tms/1.0.0/:map/:level/:column/:row`, 'A tile, rows from the south', async (call, params) =>
        (await tms()).tmsTile(placed(call, 'tms/1.0.0'), params, !isFlipped(call)),
      ),
      read(`${services}/xyz/:map/:level/:column/:row`, 'A tile, rows from the north', async (call, params) =>
        (await tms()).tmsTile(placed(call, 'xyz'), params, isFlipped(call)),
      ),
      read(`${services}/wms`, 'Maps that are tiles', async (call) =>
        (await boxes()).tileByBox(placed(call, 'wms'), readParameters(call.rawQuery)),
      ),
      read(`${services}/gmaps`, 'Tiles by zoom, x and y', async (call) =>
        (await boxes()).tileByZoom(placed(call, 'gmaps'), readParameters(call.rawQuery)),
      ),
      // What is not there is not there for anybody: no password would help.
      read(`${services}/*rest`, 'Nothing', async (): Promise<never> => {
        throw problem('service-path-unknown', {});
      }),
    ];
  };

  return service('Tiles', { description: 'WMTS 1.0.0, TMS and tiles by other addresses.', explain }, [
    ...rowsIn(contextPath),
    ...rowsIn(`${contextPath}/:workspace`),
  ]);
}

/** Where a service is asked, and where it is asked in links. */
function placedAt(call: GwcCall, contextPath: string, name: string): WmtsCall {
  const { workspace } = call.params as Variables;
  const { services, principal, signal, baseUrl } = call;
  const within = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
  return {
    services,
    principal,
    signal,
    place: workspace === undefined ? {} : { workspace },
    address: `${baseUrl}${contextPath}${within}/gwc/service/${name}`,
  };
}

function isFlipped({ rawQuery }: GwcCall): boolean {
  return readParameters(rawQuery).get('flipy')?.toLowerCase() === 'true';
}

const explain: ExplainProblem = (thrown) => wmtsReport(toldProblem(thrown));
