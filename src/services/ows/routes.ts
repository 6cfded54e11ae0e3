/** Where OGC services are asked: at their own addresses and at `/ows`, for everything, a workspace or a layer. */
import type { RouteTable } from '../../http/route.ts';
import type { ExplainProblem, ServiceReply } from '../../http/service-reply.ts';
import { type ServiceCall, servicesFor } from '../../http/service-route.ts';
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import type { DoorServices } from '../door/door.ts';
import type { ServicePlace } from '../door/visit.ts';
import { toldProblem } from '../told-problem.ts';
import { reportOf } from './exceptions.ts';
import { type Message, readMessage } from './message.ts';
import { readParameters } from './parameters.ts';

export interface OwsWorld {
  /** Before every path, such as `/geoserver`. */
  readonly contextPath: string;
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

/** What is loaded with the first request. */
const loadWfs = async () => {
  const [{ answerSchema, answerWfs }, { reportStyleOf }] = await Promise.all([
    import('../wfs/service.ts'),
    import('../wfs/read-request.ts'),
  ]);
  return { answerSchema, answerWfs, reportStyleOf };
};

const { answer, service } = servicesFor<DoorServices>();

type PlaceParameters = { readonly workspace?: string; readonly layer?: string };

export function owsRoutes(world: OwsWorld): RouteTable<DoorServices> {
  const { contextPath } = world;
  const places = [...new Set(['', contextPath]), `${contextPath}/:workspace`, `${contextPath}/:workspace/:layer`];
  const rows = places.flatMap((place) =>
    (['wfs', 'ows'] as const).flatMap((name) => {
      const respond = (call: ServiceCall<DoorServices>) => respondAt(name, call, world);
      const summary = name === 'wfs' ? 'Web Feature Service' : 'OGC services';
      return [
        answer('GET', `${place}/${name}`, summary, respond),
        answer('POST', `${place}/${name}`, `${summary}, as a form or an XML document`, respond, {
          readsOneState: true,
        }),
      ];
    }),
  );
  const schema = answer(
    'GET',
    `${contextPath}/:workspace/:layer/wfs/schema/*path`,
    'Schema that a layer follows',
    async (call) => {
      const { workspace, layer, path } = call.params;
      const { answerSchema } = await loadWfs();
      return answerSchema({ ...call, place: { workspace, layer } }, path);
    },
  );
  return service('OGC services', { description: 'WFS 1.0.0, 1.1.0 and 2.0.0.', explain }, [...rows, schema]);
}

async function respondAt(name: 'wfs' | 'ows', call: ServiceCall<DoorServices>, world: OwsWorld): Promise<ServiceReply> {
  const message = await messageOf(call, world.limits);
  requireWfs(message, name);
  const place = placeOf(call.params as PlaceParameters);
  const { answerWfs } = await loadWfs();
  const root = `${call.baseUrl}${world.contextPath}`;
  return answerWfs({ ...call, message, place, root, address: addressOf(root, place) }, world);
}

async function messageOf(call: ServiceCall<DoorServices>, limits: DocumentLimits): Promise<Message> {
  const text = call.method === 'POST' ? await call.text() : '';
  const mediaType = call.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return readMessage(call.rawQuery, { mediaType, text }, limits);
}

function placeOf({ workspace, layer }: PlaceParameters): ServicePlace {
  return { ...(workspace === undefined ? {} : { workspace }), ...(layer === undefined ? {} : { layer }) };
}

/** Where this service is asked in links: always at its own address. */
function addressOf(root: string, place: ServicePlace): string {
  const segments = [place.workspace, place.layer].filter((each) => each !== undefined).map(encodeURIComponent);
  return `${root}/${[...segments, 'wfs'].join('/')}`;
}

/** At the address of all services a request says which one it means; elsewhere it may, and means no other. */
function requireWfs(message: Message, at: 'wfs' | 'ows'): void {
  const asked =
    message.kind === 'pairs'
      ? message.parameters.get('service')
      : (message.root.attributes.find(({ name }) => name === 'service')?.value ??
        (message.root.uri.startsWith('http://www.opengis.net/wfs') ? 'WFS' : undefined));
  if (asked === undefined) {
    if (at === 'wfs') return;
    throw problem('ows-parameter-missing', {
      parameter: 'service',
      expected: 'the name of a service such as WFS was expected',
      field: 'service',
    });
  }
  if (asked.trim().toUpperCase() !== 'WFS') {
    throw problem('ows-service-unknown', { service: asked, services: ['WFS'], field: 'service' });
  }
}

/** What goes wrong before a version is known is told as most clients read it. */
const explain: ExplainProblem = (problem, { rawQuery }) => reportOf(toldProblem(problem), styleOf(rawQuery));

function styleOf(rawQuery: string): Parameters<typeof reportOf>[1] {
  try {
    const parameters = readParameters(rawQuery);
    const version = parameters.get('version');
    const exceptions = parameters.get('exceptions');
    if (version === '1.0.0') return { report: '1.2.0', version, exceptions };
    if (version === '1.1.0') return { report: '1.0.0', version, exceptions };
    return { report: '2.0.0', version: '2.0.0', exceptions };
  } catch {
    return { report: '2.0.0', version: '2.0.0' };
  }
}
