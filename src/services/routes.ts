/** Routes of the OGC services: at their own addresses and at `/ows`, for the server, a workspace or a layer. */

import { createServiceRouteBuilders, type ServiceCall } from '../http/route-table/service-route.ts';
import type { ServiceRoute, ServiceTable } from '../http/routes/route.ts';
import type { ExplainProblem, ServiceReply } from '../http/session/service-reply.ts';
import { problem } from '../lib/problems/problem.ts';
import type { DocumentLimits } from '../lib/text/document-limits.ts';
import type { ServiceScope } from './access/service-request.ts';
import { commonParameters } from './ows/common-parameters.ts';
import { createReport, type ReportStyle, selectWcsReportStyle } from './ows/exceptions.ts';
import { mergeParameters } from './ows/merge-parameters.ts';
import { type Message, readMessage } from './ows/message.ts';
import { summarizeMessage } from './ows/message-summary.ts';
import { readParameter } from './ows/service-parameters.ts';
import { toPublicProblem } from './problems/public-problem.ts';
import type { TileServices } from './tiles/map-tile.ts';
import { answerFromTileCache } from './tiles/tile-reply.ts';
import type { TileIntegration } from './wms/context/tile-integration.ts';

export interface OwsEnvironment {
  /** The context path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

/** Loaded with the first request. */
const loadWfs = () => import('./wfs/service.ts');
const loadWms = () => import('./wms/service.ts');
const loadWcs = () => import('./wcs/service.ts');
const loadMapTiles = () => import('./gwc/map-from-tiles.ts');
const loadTileSets = () => import('./gwc/tile-sets.ts');

type LoadParameters = NonNullable<ServiceRoute<TileServices>['loadParameters']>;

const loadWfsParameters: LoadParameters = async () =>
  mergeParameters((await import('./wfs/request/parameters.ts')).wfsOperations);
const loadWmsParameters: LoadParameters = async () =>
  mergeParameters((await import('./wms/request/parameters.ts')).wmsOperations);
const loadMapParameters: LoadParameters = async () => {
  const { wmsOperations } = await import('./wms/request/parameters.ts');
  return mergeParameters({ GetMap: wmsOperations.GetMap });
};
const loadAnimationParameters: LoadParameters = async () =>
  mergeParameters({ Animation: (await import('./wms/request/parameters.ts')).animationOperation });
const loadKmlParameters: LoadParameters = async () =>
  mergeParameters({ KML: (await import('./wms/request/parameters.ts')).kmlOperation });
const loadWcsParameters: LoadParameters = async () =>
  mergeParameters((await import('./described-services.ts')).allWcsOperations);
const loadOwsParameters: LoadParameters = async () =>
  mergeParameters((await import('./described-services.ts')).owsOperations);

const { answer, answerQuery, service } = createServiceRouteBuilders<TileServices>();

type OwsCall = ServiceCall<TileServices>;
type ScopeParameters = { readonly workspace?: string; readonly layer?: string };

const services = ['WFS', 'WMS', 'WCS'] as const;
type OwsName = (typeof services)[number];

/** WFS at its own addresses, and all services at the shared address. */
export function owsRoutes(world: OwsEnvironment): ServiceTable<TileServices> {
  const schema = answer(
    'GET',
    `${world.contextPath}/:workspace/:layer/wfs/schema/*path`,
    'Returns the schema of a layer',
    async (call) => {
      const { workspace, layer, path } = call.params;
      const { answerSchema } = await loadWfs();
      return answerSchema({ ...call, place: { workspace, layer } }, path);
    },
  );
  return service('OGC services', { description: 'WFS, WMS and WCS.', explain: createExplainer('WFS') }, [
    ...createRoutesAt(world, ['wfs', 'Web Feature Service'], loadWfsParameters, (call) =>
      respondToService('WFS', call, world),
    ),
    ...createRoutesAt(world, ['ows', 'OGC services'], loadOwsParameters, (call) =>
      respondToService(undefined, call, world),
    ),
    schema,
  ]);
}

/** WMS at its own addresses, with maps by defaults below them. */
export function wmsRoutes(world: OwsEnvironment): ServiceTable<TileServices> {
  return service('WMS', { description: 'WMS 1.1.1 and 1.3.0.', explain: createExplainer('WMS') }, [
    ...createRoutesAt(world, ['wms', 'Web Map Service'], loadWmsParameters, (call) =>
      respondToService('WMS', call, world),
    ),
    ...createRoutesAt(world, ['wms/reflect', 'Draws a map with default parameters'], loadMapParameters, (call) =>
      respondWithReflection(call, world),
    ),
    ...createRoutesAt(world, ['wms/animate', 'Draws an animation'], loadAnimationParameters, (call) =>
      respondWithAnimation(call, world),
    ),
    ...createRoutesAt(world, ['wms/kml', 'Draws a map for virtual globes (KML)'], loadKmlParameters, (call) =>
      respondWithKml(call, world),
    ),
  ]);
}

export function wcsRoutes(world: OwsEnvironment): ServiceTable<TileServices> {
  return service(
    'WCS',
    { description: 'WCS 2.0.1, 1.1.1 and 1.0.0.', explain: createExplainer('WCS') },
    createRoutesAt(world, ['wcs', 'Web Coverage Service'], loadWcsParameters, (call) =>
      respondToService('WCS', call, world),
    ),
  );
}

function createRoutesAt(
  { contextPath }: OwsEnvironment,
  [path, summary]: readonly [path: string, summary: string],
  loadParameters: LoadParameters,
  respond: (call: OwsCall) => Promise<ServiceReply> | ServiceReply,
) {
  const places = [...new Set(['', contextPath]), `${contextPath}/:workspace`, `${contextPath}/:workspace/:layer`];
  return places.flatMap((place) => [
    { ...answer('GET', `${place}/${path}`, summary, respond), loadParameters },
    answerQuery(`${place}/${path}`, `${summary}, as a form or an XML document`, respond),
  ]);
}

/** A repeated request for a tile is answered without parsing it again. */
function respondToService(
  name: OwsName | undefined,
  call: OwsCall,
  world: OwsEnvironment,
): Promise<ServiceReply> | ServiceReply {
  if (call.method !== 'GET' || !/(?:^|&)tiled=true(?:&|$)/i.test(call.rawQuery)) {
    return performRequest(name, call, world, undefined);
  }
  const { services, principal, params, rawQuery, signal } = call;
  return answerFromTileCache(
    { services, principal, params, rawQuery, signal, now: world.now },
    name ?? 'ows',
    (question) => performRequest(name, call, world, question),
  );
}

async function performRequest(
  name: OwsName | undefined,
  call: OwsCall,
  world: OwsEnvironment,
  question: string | undefined,
): Promise<ServiceReply> {
  const message = await readCallMessage(call, world.limits);
  const selected = selectService(message, name);
  call.describe({ ...summarizeMessage(message), service: selected });
  const placed = { ...call, message, ...resolveServiceAddress(call, world, selected) };
  switch (selected) {
    case 'WMS':
      return (await loadWms()).answerWms(placed, { ...world, tiles: integrateTiles(call, world, question) });
    case 'WCS':
      return (await loadWcs()).answerWcs(placed, world);
    case 'WFS':
      return (await loadWfs()).answerWfs(placed, world);
  }
}

function integrateTiles(
  { services }: OwsCall,
  { limits }: OwsEnvironment,
  question: string | undefined,
): TileIntegration {
  return {
    createMap: async (context, request) =>
      (await loadMapTiles()).createMapFromTiles({ context, services, limits, question }, request),
    openTileSets: async () => (await loadTileSets()).openTileSets(services),
  };
}

async function respondWithReflection(call: OwsCall, world: OwsEnvironment): Promise<ServiceReply> {
  const message = await readCallMessage(call, world.limits);
  const { answerReflection } = await loadWms();
  return answerReflection({ ...call, message, ...resolveServiceAddress(call, world, 'WMS') }, world);
}

async function respondWithAnimation(call: OwsCall, world: OwsEnvironment): Promise<ServiceReply> {
  const message = await readCallMessage(call, world.limits);
  const { answerAnimation } = await loadWms();
  return answerAnimation({ ...call, message, ...resolveServiceAddress(call, world, 'WMS') }, world);
}

async function respondWithKml(call: OwsCall, world: OwsEnvironment): Promise<ServiceReply> {
  const message = await readCallMessage(call, world.limits);
  const { answerKml } = await loadWms();
  return answerKml({ ...call, message, ...resolveServiceAddress(call, world, 'WMS') }, world);
}

async function readCallMessage(call: OwsCall, limits: DocumentLimits): Promise<Message> {
  const text = call.method === 'POST' ? await call.text() : '';
  const mediaType = call.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const message = await readMessage(call.rawQuery, { mediaType, text }, limits);
  call.describe(summarizeMessage(message));
  return message;
}

/** The scope of a request, and the base address of links, which is always the address of the service itself. */
function resolveServiceAddress({ params, baseUrl }: OwsCall, { contextPath }: OwsEnvironment, name: OwsName) {
  const { workspace, layer } = params as ScopeParameters;
  const place: ServiceScope = {
    ...(workspace === undefined ? {} : { workspace }),
    ...(layer === undefined ? {} : { layer }),
  };
  const root = `${baseUrl}${contextPath}`;
  const segments = [workspace, layer].filter((each) => each !== undefined).map(encodeURIComponent);
  return { place, root, address: `${root}/${[...segments, name.toLowerCase()].join('/')}` };
}

/** The shared address requires the `service` parameter; elsewhere it is optional and must match. */
function selectService(message: Message, at: OwsName | undefined): OwsName {
  const requested =
    message.kind === 'pairs'
      ? readParameter(message.parameters, commonParameters.service)
      : (message.root.attributes.find(({ name }) => name === 'service')?.value ??
        findServiceByNamespace(message.root.uri));
  if (requested === undefined) {
    if (at !== undefined) return at;
    throw problem('ows-parameter-missing', {
      parameter: 'service',
      expected: 'expected the name of a service such as WFS',
      field: 'service',
    });
  }
  const offered = at === undefined ? services : [at];
  const found = offered.find((each) => each === requested.trim().toUpperCase());
  if (found === undefined)
    throw problem('ows-service-unknown', { service: requested, services: offered, field: 'service' });
  return found;
}

function findServiceByNamespace(uri: string): OwsName | undefined {
  // GetMap documents have the SLD namespace or none.
  if (mapNamespaces.has(uri)) return 'WMS';
  return (['WFS', 'WCS'] as const).find((name) => uri.startsWith(`http://www.opengis.net/${name.toLowerCase()}`));
}

const mapNamespaces = new Set([
  'http://www.opengis.net/sld',
  'http://www.opengis.net/ows',
  'http://www.opengis.net/wms',
]);

/** Errors before version negotiation use the dialect that most clients support. */
function createExplainer(name: OwsName): ExplainProblem {
  return (thrown, { rawQuery }) => createReport(toPublicProblem(thrown), selectReportStyle(name, rawQuery));
}

function selectReportStyle(name: OwsName, rawQuery: string): ReportStyle {
  const readParameter = (parameter: string) => findFirstValue(rawQuery, parameter);
  const [version, exceptions] = [readParameter('version'), readParameter('exceptions')];
  if (name === 'WMS' || readParameter('service')?.toUpperCase() === 'WMS') {
    return version === '1.1.1' || version === '1.1.0'
      ? { report: 'wms-1.1.1', version: '1.1.1', exceptions }
      : { report: 'wms-1.3.0', version: '1.3.0', exceptions };
  }
  if (name === 'WCS' || readParameter('service')?.toUpperCase() === 'WCS') return selectWcsReportStyle(version);
  if (version === '1.0.0') return { report: '1.2.0', version, exceptions };
  if (version === '1.1.0') return { report: '1.0.0', version, exceptions };
  return { report: '2.0.0', version: '2.0.0', exceptions };
}

/** Also works for contradictory pairs. */
function findFirstValue(rawQuery: string, parameter: string): string | undefined {
  const found = [...new URLSearchParams(rawQuery)].find(([name]) => name.toLowerCase() === parameter);
  return found?.[1];
}
