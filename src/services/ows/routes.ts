/** Where OGC services are asked: at their own addresses and at `/ows`, for everything, a workspace or a layer. */
import type { RouteTable } from '../../http/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../http/service-route.ts';
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import type { ServicePlace } from '../door/visit.ts';
import type { MapServices } from '../maps/map-services.ts';
import { toldProblem } from '../told-problem.ts';
import { type ReportStyle, reportOf, wcsReports } from './exceptions.ts';
import { type Message, readMessage } from './message.ts';

export interface OwsWorld {
  /** Before every path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

/** What is loaded with the first request. */
const loadWfs = () => import('../wfs/service.ts');
const loadWms = () => import('../wms/service.ts');
const loadWcs = () => import('../wcs/service.ts');

const { answer, service } = servicesFor<MapServices>();

type OwsCall = ServiceCall<MapServices>;
type PlaceParameters = { readonly workspace?: string; readonly layer?: string };

const services = ['WFS', 'WMS', 'WCS'] as const;
type OwsName = (typeof services)[number];

/** WFS at its own addresses, and all services at the address that they share. */
export function owsRoutes(world: OwsWorld): RouteTable<MapServices> {
  const schema = answer(
    'GET',
    `${world.contextPath}/:workspace/:layer/wfs/schema/*path`,
    'Schema that a layer follows',
    async (call) => {
      const { workspace, layer, path } = call.params;
      const { answerSchema } = await loadWfs();
      return answerSchema({ ...call, place: { workspace, layer } }, path);
    },
  );
  return service('OGC services', { description: 'WFS, WMS and WCS.', explain: explainedAs('WFS') }, [
    ...rowsAt(world, 'wfs', 'Web Feature Service', (call) => respondAt('WFS', call, world)),
    ...rowsAt(world, 'ows', 'OGC services', (call) => respondAt(undefined, call, world)),
    schema,
  ]);
}

/** WMS at its own addresses, with maps that are asked for in few words below them. */
export function wmsRoutes(world: OwsWorld): RouteTable<MapServices> {
  return service('WMS', { description: 'WMS 1.1.1 and 1.3.0.', explain: explainedAs('WMS') }, [
    ...rowsAt(world, 'wms', 'Web Map Service', (call) => respondAt('WMS', call, world)),
    ...rowsAt(world, 'wms/reflect', 'Map with defaults', (call) => reflectAt(call, world)),
    ...rowsAt(world, 'wms/kml', 'Map for globes', (call) => kmlAt(call, world)),
  ]);
}

export function wcsRoutes(world: OwsWorld): RouteTable<MapServices> {
  return service(
    'WCS',
    { description: 'WCS 2.0.1.', explain: explainedAs('WCS') },
    rowsAt(world, 'wcs', 'Web Coverage Service', (call) => respondAt('WCS', call, world)),
  );
}

function rowsAt(
  { contextPath }: OwsWorld,
  path: string,
  summary: string,
  respond: (call: OwsCall) => Promise<ServiceReply>,
) {
  const places = [...new Set(['', contextPath]), `${contextPath}/:workspace`, `${contextPath}/:workspace/:layer`];
  return places.flatMap((place) => [
    answer('GET', `${place}/${path}`, summary, respond),
    answer('POST', `${place}/${path}`, `${summary}, as a form or an XML document`, respond, { readsOneState: true }),
  ]);
}

async function respondAt(name: OwsName | undefined, call: OwsCall, world: OwsWorld): Promise<ServiceReply> {
  const message = await messageOf(call, world.limits);
  const asked = serviceOf(message, name);
  const placed = { ...call, message, ...placedAt(call, world, asked) };
  switch (asked) {
    case 'WMS':
      return (await loadWms()).answerWms(placed, world);
    case 'WCS':
      return (await loadWcs()).answerWcs(placed);
    case 'WFS':
      return (await loadWfs()).answerWfs(placed, world);
  }
}

async function reflectAt(call: OwsCall, world: OwsWorld): Promise<ServiceReply> {
  const message = await messageOf(call, world.limits);
  const { answerReflection } = await loadWms();
  return answerReflection({ ...call, message, ...placedAt(call, world, 'WMS') }, world);
}

async function kmlAt(call: OwsCall, world: OwsWorld): Promise<ServiceReply> {
  const message = await messageOf(call, world.limits);
  const { answerKmlLink } = await loadWms();
  return answerKmlLink({ ...call, message, ...placedAt(call, world, 'WMS') }, world);
}

async function messageOf(call: OwsCall, limits: DocumentLimits): Promise<Message> {
  const text = call.method === 'POST' ? await call.text() : '';
  const mediaType = call.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return readMessage(call.rawQuery, { mediaType, text }, limits);
}

/** Where a service is asked, and where it is asked in links: always at its own address. */
function placedAt({ params, baseUrl }: OwsCall, { contextPath }: OwsWorld, name: OwsName) {
  const { workspace, layer } = params as PlaceParameters;
  const place: ServicePlace = {
    ...(workspace === undefined ? {} : { workspace }),
    ...(layer === undefined ? {} : { layer }),
  };
  const root = `${baseUrl}${contextPath}`;
  const segments = [workspace, layer].filter((each) => each !== undefined).map(encodeURIComponent);
  return { place, root, address: `${root}/${[...segments, name.toLowerCase()].join('/')}` };
}

/** At the address of all services a request says which one it means; elsewhere it may, and means no other. */
function serviceOf(message: Message, at: OwsName | undefined): OwsName {
  const asked =
    message.kind === 'pairs'
      ? message.parameters.get('service')
      : (message.root.attributes.find(({ name }) => name === 'service')?.value ?? serviceOfDocument(message.root.uri));
  if (asked === undefined) {
    if (at !== undefined) return at;
    throw problem('ows-parameter-missing', {
      parameter: 'service',
      expected: 'the name of a service such as WFS was expected',
      field: 'service',
    });
  }
  const offered = at === undefined ? services : [at];
  const found = offered.find((each) => each === asked.trim().toUpperCase());
  if (found === undefined)
    throw problem('ows-service-unknown', { service: asked, services: offered, field: 'service' });
  return found;
}

function serviceOfDocument(uri: string): OwsName | undefined {
  // Requests for maps have the namespace of styles or none of their own.
  if (mapNamespaces.has(uri)) return 'WMS';
  return (['WFS', 'WCS'] as const).find((name) => uri.startsWith(`http://www.opengis.net/${name.toLowerCase()}`));
}

const mapNamespaces = new Set([
  'http://www.opengis.net/sld',
  'http://www.opengis.net/ows',
  'http://www.opengis.net/wms',
]);

/** What goes wrong before a version is known is told as most clients read it. */
function explainedAs(name: OwsName): ExplainProblem {
  return (thrown, { rawQuery }) => reportOf(toldProblem(thrown), styleOf(name, rawQuery));
}

function styleOf(name: OwsName, rawQuery: string): ReportStyle {
  const said = (parameter: string) => firstValue(rawQuery, parameter);
  const [version, exceptions] = [said('version'), said('exceptions')];
  if (name === 'WMS' || said('service')?.toUpperCase() === 'WMS') {
    return version === '1.1.1' || version === '1.1.0'
      ? { report: 'wms-1.1.1', version: '1.1.1', exceptions }
      : { report: 'wms-1.3.0', version: '1.3.0', exceptions };
  }
  if (name === 'WCS' || said('service')?.toUpperCase() === 'WCS') return wcsReports(version);
  if (version === '1.0.0') return { report: '1.2.0', version, exceptions };
  if (version === '1.1.0') return { report: '1.0.0', version, exceptions };
  return { report: '2.0.0', version: '2.0.0', exceptions };
}

/** Also of pairs that contradict each other. */
function firstValue(rawQuery: string, parameter: string): string | undefined {
  const found = [...new URLSearchParams(rawQuery)].find(([name]) => name.toLowerCase() === parameter);
  return found?.[1];
}
