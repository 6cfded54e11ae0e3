/** Builds the Fastify app from the families' route tables; every request walks the steps of `serve` in order. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { noPrecondition } from '../lib/precondition.ts';
import type { Principal } from '../lib/principal.ts';
import { Problem, problem } from '../lib/problem.ts';
import { type Authenticate, basicCredentials } from './authentication.ts';
import { authorize, isPublic } from './authorization.ts';
import { type BodyLimits, bodyFormatOf, readDocument, readText } from './body.ts';
import { preconditionOf } from './conditional.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Format } from './formats/format.ts';
import { negotiateRead, negotiateWrite, type Offer, offersOf } from './negotiation.ts';
import { type Origin, type OriginSettings, originOf } from './origin.ts';
import { readQuery } from './query.ts';
import { sendOutcome, sendProblem } from './reply.ts';
import type { Route, RouteTable } from './route.ts';
import { buildRouter, type Match, type Router } from './router.ts';
import type { WireDialect } from './wire-dialect.ts';

export interface AppOptions<S> {
  /** Paths of these families are below `restRoot`. */
  readonly families: readonly RouteTable<S>[];
  /** Paths of these are as they are written: health and the like. */
  readonly outside: readonly RouteTable<S>[];
  readonly services: S;
  /** For example `/geoserver/rest`. */
  readonly restRoot: string;
  readonly dialect: WireDialect;
  readonly limits: BodyLimits & { readonly requestTimeoutMs: number };
  readonly origin: OriginSettings;
  readonly authenticate: Authenticate;
  readonly logger: FastifyBaseLogger;
  /** Told of every reply of a route, so that tests can hold it against what the route declares. */
  readonly observe?: (route: Route<S>, status: number) => void;
}

/** What is known of a request so far; filled in step by step, read by the log line and the error reply. */
export interface Trail<S> {
  match?: Match<S>;
  route?: Route<S>;
  principal?: Principal;
  origin?: Origin;
}

declare module 'fastify' {
  interface FastifyRequest {
    trail: Trail<unknown>;
  }
}

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>([
    ...options.outside.flatMap((table) => table.routes),
    ...options.families.flatMap((table) =>
      table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
    ),
  ]);

  const app = Fastify({
    loggerInstance: options.logger,
    // One line a request is written by us, with what the route tables know; Fastify's own would repeat it.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: options.limits.requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Our router looks at the whole path itself: it alone knows which endings are formats and which belong to names.
    rewriteUrl: () => '/',
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.decorateRequest('trail');
  app.addHook('onRequest', async (request, reply) => {
    request.trail = {};
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));

  const handler = (request: FastifyRequest, reply: FastifyReply) => serve(options, router, request, reply);
  app.all('/', handler);
  app.setNotFoundHandler(handler);
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof Problem ? error : unexpected(error, request);
    sendProblem(known, request, reply, options);
    observe(options, request, reply);
  });
  return app;
}

async function serve<S>(
  options: AppOptions<S>,
  router: Router<S>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const trail = request.trail as Trail<S>;
  const { headers } = request.raw;
  const [rawPath = '/', rawQuery = ''] = splitUrl(request.originalUrl);
  trail.origin = originOf(factsOf(request.raw), options.origin);

  const match = router.match(rawPath);
  if (match !== undefined) {
    trail.match = match;
  }

  if (match === undefined || !isPublic(match.resource, request.method)) {
    trail.principal = await identify(options, request, trail.origin);
  }
  if (match === undefined) {
    throw problem('path-unknown', { path: rawPath });
  }
  if (trail.principal !== undefined) {
    authorize(trail.principal, match.resource, request.method);
  }

  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = match.resource.methods.get(method);
  if (route === undefined) {
    reply.header('allow', match.resource.allowed.join(', '));
    if (method === 'OPTIONS') {
      return reply.code(200).send('');
    }
    throw problem('method-not-allowed', { method, allowed: match.resource.allowed });
  }
  trail.route = route;
  refuseCrossSite(method, headers, trail.origin.baseUrl);

  const { params, extension } = await settleName(options, route, match);
  trail.match = { resource: match.resource, params, ...(extension === undefined ? {} : { extension }) };
  const offers = offersFor(route, options.dialect);
  const format =
    route.answers === undefined
      ? undefined
      : method === 'GET'
        ? negotiateRead(offers, extension, headers.accept)
        : negotiateWrite(offers, extension, headers.accept, bodyFormatOf(headers));
  const query = readQuery(route.query, rawQuery);
  const body = await takeBody(options, route, request);

  const outcome = await route.handle({
    services: options.services,
    principal: trail.principal ?? nobody,
    params,
    query,
    body,
    restUrl: `${trail.origin.baseUrl}${options.restRoot}`,
    precondition: route.versioned && method !== 'GET' ? preconditionOf(headers) : noPrecondition,
  });

  sendOutcome(outcome, route, format, request, reply, options);
  observe(options, request, reply);
  return reply;
}

/** The offers of each route, worked out once. */
const knownOffers = new WeakMap<object, readonly Offer<Format>[]>();

function offersFor<S>(route: Route<S>, dialect: WireDialect): readonly Offer<Format>[] {
  let offers = knownOffers.get(route);
  if (offers === undefined) {
    offers = offersOf(route.formats, dialect.defaultFormat[route.formatGroup]);
    knownOffers.set(route, offers);
  }
  return offers;
}

const nobody: Principal = { name: 'anonymous', roles: new Set() };

async function identify<S>(options: AppOptions<S>, request: FastifyRequest, origin: Origin): Promise<Principal> {
  const credentials = basicCredentials(request.raw.headers);
  const principal = credentials && (await options.authenticate(credentials, origin.clientAddress));
  if (principal === undefined) {
    throw problem('credentials-required', {});
  }
  return principal;
}

/** An exact resource name wins over taking a format's extension off it. */
async function settleName<S>(
  options: AppOptions<S>,
  route: Route<S>,
  match: Match<S>,
): Promise<Pick<Match<S>, 'params' | 'extension'>> {
  const { wholeName } = match;
  if (
    wholeName !== undefined &&
    route.exactName !== undefined &&
    (await route.exactName(options.services, wholeName))
  ) {
    return { params: wholeName };
  }
  return match;
}

async function takeBody<S>(options: AppOptions<S>, route: Route<S>, request: FastifyRequest): Promise<unknown> {
  if (route.takes === undefined) {
    return undefined;
  }
  const { takes } = route;
  if (takes.kind === 'text') {
    const text = await readText(request.raw, request.raw.headers, options.limits);
    if (text === undefined) {
      throw problem('document-missing', { root: takes.what });
    }
    return text;
  }
  const input = await readDocument(request.raw, request.raw.headers, options.limits);
  if (input === undefined) {
    throw problem('document-missing', { root: takes.document.root });
  }
  return takes.document.read(input, takes.purpose);
}

function unexpected(error: unknown, request: FastifyRequest): Problem {
  request.log.error({ err: error }, 'unexpected failure');
  return problem('unexpected', { requestId: request.id });
}

function observe<S>(options: AppOptions<S>, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.trail.route as Route<S> | undefined;
  if (route !== undefined) {
    options.observe?.(route, reply.statusCode);
  }
}

/** One line a request. Paths hold names and no secrets; queries, headers and bodies are never logged. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { trail } = request;
  request.log.info(
    {
      method: request.method,
      path: splitUrl(request.originalUrl)[0],
      route: trail.match?.resource.pattern ?? '-',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: trail.principal?.name ?? '-',
    },
    'request',
  );
}

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function factsOf(raw: IncomingMessage): Parameters<typeof originOf>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80 } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}` };
}
