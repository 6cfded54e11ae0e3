/** Every address of tiles below `/gwc/service`, for the whole server and for each workspace. */
import type { RouteTable } from '../../http/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../http/service-route.ts';
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import { readParameters } from '../ows/parameters.ts';
import type { TileServices } from '../tiles/map-tile.ts';
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

export function gwcRoutes(world: GwcWorld): RouteTable<TileServices> {
  /** Paths are put together here, so that their variables are told by hand. */
  const read = (path: string, summary: string, respond: (call: GwcCall, params: Variables) => Promise<ServiceReply>) =>
    answer('GET', path, summary, (call) => respond(call, call.params as Variables));

  const rowsIn = (place: string) => {
    const services = `${place}/gwc/service`;
    const placed = (call: GwcCall, name: string): WmtsCall => placedAt(call, world, name);
    return [
      read(`${services}/wmts`, 'Web Map Tile Service', async (call) => {
        const { answerWmts, readWmtsRequest } = await wmts();
        const asked = placed(call, 'wmts');
        return answerWmts(asked, readWmtsRequest(asked.parameters));
      }),
      read(`${services}/wmts/rest/*path`, 'Capabilities, tiles and what is in them, by path', async (call, params) => {
        const { answerWmts, requestOfPath } = await wmts();
        const asked = placed(call, 'wmts');
        return answerWmts(asked, requestOfPath(params['path'] ?? '', asked.parameters));
      }),
      read(`${services}/tms/1.0.0`, 'All maps of tiles', async (call) =>
        (await tms()).listTileMaps(placed(call, 'tms/1.0.0')),
      ),
      read(`${services}/tms/1.0.0/:map`, 'A map of tiles', async (call, params) =>
        (await tms()).describeTileMap(placed(call, 'tms/1.0.0'), params['map'] ?? ''),
      ),
      read(`${services}/tms/1.0.0/:map/:level/:column/:row`, 'A tile, rows from the south', async (call, params) =>
        (await tms()).tmsTile(placed(call, 'tms/1.0.0'), params, 'south'),
      ),
      read(`${services}/xyz/:map/:level/:column/:row`, 'A tile, rows from the north', async (call, params) =>
        (await tms()).tmsTile(placed(call, 'xyz'), params, 'north'),
      ),
      read(`${services}/wms`, 'Maps that are tiles', async (call) => (await boxes()).tileByBox(placed(call, 'wms'))),
      read(`${services}/gmaps`, 'Tiles by zoom, x and y', async (call) =>
        (await boxes()).tileByZoom(placed(call, 'gmaps')),
      ),
      // What is not there is not there for anybody: no password would help.
      read(`${services}/*rest`, 'Nothing', async (): Promise<never> => {
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
function placedAt(call: GwcCall, { contextPath, limits, now }: GwcWorld, name: string): WmtsCall {
  const { workspace } = call.params as Variables;
  const { services, principal, signal, baseUrl } = call;
  const within = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
  return {
    services,
    principal,
    signal,
    limits,
    now,
    parameters: readParameters(call.rawQuery),
    place: workspace === undefined ? {} : { workspace },
    root: `${baseUrl}${contextPath}`,
    address: `${baseUrl}${contextPath}${within}/gwc/service/${name}`,
  };
}

const explain: ExplainProblem = (thrown) => wmtsReport(toldProblem(thrown));
