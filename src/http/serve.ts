/** The way of a request, step by step: each step is a file beside this one. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noPrecondition } from '../lib/precondition.ts';
import { anonymous, isAnonymous } from '../lib/principal.ts';
import { Problem, problem } from '../lib/problem.ts';
import type { AppOptions, Door, Trail } from './app-options.ts';
import { authorize, isPublic } from './authorization.ts';
import { bodyFormatOf, readAnyText, readDocument, readText } from './body.ts';
import { preconditionOf } from './conditional.ts';
import { refuseCrossSite } from './cross-site.ts';
import { finish } from './finish.ts';
import { type Format, formats } from './formats/format.ts';
import { identify, mayStillAsk } from './identify.ts';
import { chooseOffer, negotiateNamed, negotiateRead, negotiateWrite, type Offer, offersOf } from './negotiation.ts';
import { type Origin, originOf } from './origin.ts';
import { wantsStrict } from './prefer.ts';
import { readQuery } from './query.ts';
import { documentFormat, formatInQuery, withRenditions } from './rendition.ts';
import { sendAllowed, sendChange, sendOutcome } from './reply.ts';
import { headersFor } from './reply-headers.ts';
import type { Call, Outcome, Route, Takes } from './route.ts';
import type { Match, Router } from './router.ts';
import type { BrokenOff } from './send.ts';
import { sendLive } from './send-live.ts';
import { sendService } from './send-service.ts';
import { asksForChange, checkDryRun, type Session, type SessionKind, sessionKind } from './session.ts';
import { splitUrl } from './target.ts';
import { UnknownNames } from './unknown-names.ts';
import { uploadOf } from './uploads.ts';
import type { WireDialect } from './wire-dialect.ts';

export async function serve<S>(
  options: Door<S>,
  router: Router<S>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const trail = request.trail as Trail<S>;
  const [rawPath = '/', rawQuery = ''] = splitUrl(request.originalUrl);
  trail.origin = originOf(factsOf(request.raw), options.origin);
  const asked = sessionKind(request.method, rawQuery);
  // Whatever becomes of it, the reply says so: also to who may not ask, and where nothing is.
  trail.isDryRun = asked === 'dry run';
  trail.isStrict = wantsStrict(request.raw.headers);
  const refreshed = options.sessions.refresh();
  if (refreshed !== undefined) {
    await refreshed;
  }

  const match = matchOrProblem(router, rawPath);
  if (match !== undefined && !(match instanceof Problem)) {
    trail.match = match;
  }

  if (trail.match === undefined || !isPublic(trail.match.resource, request.method)) {
    trail.principal = await identify(options, request, trail.origin);
  }
  if (match === undefined || match instanceof Problem) {
    const nowhere = match ?? problem('path-unknown', { path: rawPath });
    throw isAnonymous(trail.principal ?? anonymous) ? problem('credentials-required', {}) : nowhere;
  }
  const session = options.sessions.open(kindFor(asked, match, request.method));
  trail.session = session;
  try {
    await serveIn(session, options, match, rawQuery, request, reply);
  } finally {
    session.close();
  }
}

/** Some that are asked with the method of a change work with one state, and whoever follows changes works with none. */
function kindFor<S>(asked: SessionKind, { resource }: Match<S>, method: string): SessionKind {
  const route = resource.methods.get(method === 'HEAD' ? 'GET' : method);
  if (asked === 'write' && route?.readsOneState === true) {
    return 'read';
  }
  return asked === 'read' && route?.follows === true ? 'write' : asked;
}

/** From the right to ask to the reply. */
async function serveIn<S>(
  session: Session<S>,
  options: Door<S>,
  match: Match<S>,
  rawQuery: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const trail = request.trail as Trail<S>;
  const { headers } = request.raw;
  const { origin } = trail;
  if (origin === undefined) {
    throw new Error('Nobody has looked where the request comes from');
  }
  // Nothing is waited for that is not there: on the way of a small read each wait costs as much as a step.
  const settled = match.wholeName === undefined ? match : await settleName(session.services, match, request.method);
  const { params, extension } = settled;
  trail.match = settled;
  if (trail.principal !== undefined) {
    const ask = options.authorize(session.services);
    await authorize(ask, trail.principal, trail.match, request.method, options.restRoot);
  }

  checkDryRun(request.method, rawQuery);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = match.resource.methods.get(method);
  if (route === undefined) {
    if (method === 'OPTIONS') {
      sendAllowed(match.resource.allowed, request, reply, options);
      return;
    }
    throw problem('method-not-allowed', { method, allowed: match.resource.allowed });
  }
  trail.route = route;
  // Whoever asks a service as nobody lends no rights to the page that asks.
  if (route.explain === undefined || !isAnonymous(trail.principal ?? anonymous)) {
    refuseCrossSite(method, headers, origin.baseUrl);
  }

  const offers = offersFor(route, options.dialect);
  const offer = offerFor(route, offers, extension, headers, rawQuery);
  const format = documentFormat(offer?.format);
  noteUnknown(trail, rawQuery, route);
  const query = readQuery(route.query, rawQuery);
  const body = route.takes === undefined ? undefined : await takeBody(options, route.takes, request);
  const isStrict = trail.isStrict === true;
  const refused = isStrict || route.refusesUnknownQuery ? trail.unknown?.problem({ isStrict }) : undefined;
  if (refused !== undefined) {
    throw refused;
  }

  const principal = trail.principal ?? anonymous;
  const isTold = route.answersChange === true || (method !== 'GET' && asksForChange(headers));
  const tellChange = isTold ? await session.changeFor(principal) : undefined;
  const outcome = await route.handle({
    services: session.services,
    principal,
    params,
    query,
    body,
    restUrl: `${origin.baseUrl}${options.restRoot}`,
    format,
    rendition: format === undefined ? offer?.format : undefined,
    ...hasItem(route, session.services, params),
    isStrict,
    signal: () => signalOf(reply),
    sent: {
      method,
      rawQuery,
      headers,
      baseUrl: origin.baseUrl,
      text: () => readAnyText(request.raw, headers, options.limits),
    },
    precondition: route.versioned && method !== 'GET' ? preconditionOf(headers) : noPrecondition,
  });

  if (tellChange !== undefined) {
    const broken = await sendChange(outcome, await tellChange(), route, request, reply, options);
    if (broken !== undefined) {
      breakOff(options, request, reply, broken.reason);
    }
    options.observe?.(route, reply.statusCode);
    return;
  }
  // All that is shown has been read: a client that takes its time must not keep an old state alive.
  session.close();
  const sending = sendMade(outcome, { route, offer, origin, match: settled }, request, reply, options);
  const broken = sending && (await sending);
  if (broken !== undefined) {
    breakOff(options, request, reply, broken.reason);
  }
  if (outcome.kind !== 'service') {
    options.observe?.(route, reply.statusCode);
  }
}

function hasItem<S>({ items }: Route<S>, services: S, params: Match<S>['params']): Pick<Call<S>, 'hasItem'> {
  return items === undefined
    ? {}
    : { hasItem: (name) => items.exists(services, { ...params, [items.variable]: name }) };
}

function sendMade<S>(
  outcome: Outcome,
  {
    route,
    offer,
    origin,
    match,
  }: {
    readonly route: Route<S>;
    readonly offer: Offer | undefined;
    readonly origin: Origin;
    readonly match: Match<S>;
  },
  request: FastifyRequest,
  reply: FastifyReply,
  options: Door<S>,
): Promise<BrokenOff | undefined> | undefined {
  switch (outcome.kind) {
    case 'service':
      return sendService(outcome.reply, request, reply, options);
    case 'live': {
      const headers = headersFor(request, options, 'no-store');
      headers.push('content-type', outcome.mediaType);
      const { sendTimeoutMs: timeoutMs, rightsCheckMs: everyMs } = options.limits;
      const mayGoOn = () => mayStillAsk(options, request, match, origin);
      return sendLive(reply, headers, outcome, { timeoutMs, everyMs, mayGoOn });
    }
    default:
      return sendOutcome(outcome, route, offer, request, reply, options);
  }
}

/** Made only where it is asked for: most requests end before anybody could lose patience. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(problem('client-gone', {}));
  if (reply.raw.destroyed) {
    leave();
  }
  reply.raw.once('close', leave);
  return gone.signal;
}

function noteUnknown<S>(trail: Trail<S>, rawQuery: string, route: Route<S>): void {
  // What clients ask of a service that is not there is nobody's mistake.
  if (rawQuery !== '' && route.errorStyle !== 'service') {
    trail.unknown ??= new UnknownNames();
    trail.unknown.addQuery(rawQuery, route.query);
  }
}

/** The client has the status already: all that can still tell it of the failure is the end of the connection. */
function breakOff<S>(options: Door<S>, request: FastifyRequest, reply: FastifyReply, reason: unknown): void {
  request.log.error({ requestId: request.id, err: reason }, 'a reply broke off');
  request.trail.problem = problem('unexpected', { requestId: request.id });
  finish(options, request, reply, 500);
  reply.raw.destroy();
}

function offerFor<S>(
  route: Route<S>,
  offers: readonly Offer<Format>[],
  extension: string | undefined,
  headers: IncomingMessage['headers'],
  rawQuery: string,
): Offer | undefined {
  if (route.answers === undefined) {
    return undefined;
  }
  if (route.formatInQuery && extension === undefined) {
    const asked = formatInQuery(rawQuery);
    // Never a 406: what is there may be a file, which comes as what it is.
    return offers.find(({ format }) => format === asked) ?? chooseOffer(offers, headers.accept) ?? offers[0];
  }
  if (route.method === 'GET') {
    refuseSentExtension(route, offers, extension);
    return negotiateRead(withRenditions(offers, route.renditions, headers.accept), extension, headers.accept);
  }
  const { takes } = route;
  return takes?.kind === 'upload'
    ? (negotiateNamed(offers, headers.accept) ?? offers.find(({ format }) => format === takes.otherwise))
    : negotiateWrite(offers, documentFormat(extension), headers.accept, bodyFormatOf(headers));
}

/** What a path may end with when a file is sent to it is not always something that can be had there. */
function refuseSentExtension<S>(
  { formats: documents, renditions }: Route<S>,
  offers: readonly Offer<Format>[],
  extension: string | undefined,
): void {
  const isOffered =
    documents.some((format) => format === extension) || renditions.some((each) => each.extension === extension);
  if (extension !== undefined && !isOffered) {
    throw problem('not-acceptable', { accept: `.${extension}`, offered: offers.map(({ mediaType }) => mediaType) });
  }
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

/** A path that is no valid text leads nowhere, but that is only for those to hear who may ask. */
function matchOrProblem<S>(router: Router<S>, rawPath: string): Match<S> | Problem | undefined {
  try {
    return router.match(rawPath);
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
}

/** An exact resource name wins over taking a format's extension off it. */
async function settleName<S>(services: S, match: Match<S>, method: string): Promise<Match<S>> {
  const { resource, wholeName } = match;
  const route = resource.methods.get(method) ?? [...resource.methods.values()][0];
  if (wholeName !== undefined && (await route?.exactName?.(services, wholeName))) {
    return { resource, params: wholeName };
  }
  return match;
}

async function takeBody<S>(options: AppOptions<S>, takes: Takes, request: FastifyRequest): Promise<unknown> {
  if (takes.kind === 'upload') {
    return uploadOf(request.raw, request.raw.headers, options.limits);
  }
  if (takes.kind === 'text') {
    const text = await readText(request.raw, request.raw.headers, options.limits);
    if (text === undefined) {
      throw problem('document-missing', { root: takes.what });
    }
    return text;
  }
  if (takes.kind === 'document or file') {
    const file = uploadOf(request.raw, request.raw.headers, options.limits);
    return isFile(takes, file.mediaType)
      ? { kind: 'file', file }
      : { kind: 'document', document: await takeDocument(options, takes, request) };
  }
  return takeDocument(options, takes, request);
}

async function takeDocument<S>(
  options: AppOptions<S>,
  takes: Extract<Takes, { document: unknown }>,
  request: FastifyRequest,
): Promise<unknown> {
  const input = await readDocument(request.raw, request.raw.headers, options.limits, takes.document.maxBytes);
  if (input === undefined) {
    throw problem('document-missing', { root: takes.document.root });
  }
  const { trail } = request;
  return takes.document.read(input, takes.purpose, (at, name, known) => {
    trail.unknown ??= new UnknownNames();
    trail.unknown.addField(at, name, known);
  });
}

const documentTypes: readonly string[] = [...formats.xml.mediaTypes, ...formats.json.mediaTypes];

/** What could be several things must say which it is. */
function isFile(takes: Extract<Takes, { kind: 'document or file' }>, mediaType: string | undefined): boolean {
  const expected = [...documentTypes, ...takes.mediaTypes];
  if (mediaType === undefined) {
    throw problem('body-type-missing', { expected });
  }
  if (documentTypes.includes(mediaType)) {
    return false;
  }
  if (!takes.isFile(mediaType)) {
    throw problem('body-type-unknown', { found: mediaType, expected });
  }
  return true;
}

function factsOf(raw: IncomingMessage): Parameters<typeof originOf>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80 } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}` };
}
