/** Executes a route: authorization, negotiation, body, handler and response. */
import type { IncomingMessage } from 'node:http';
import { anonymous, isAnonymous } from '../lib/identity/principal.ts';
import { noPrecondition } from '../lib/problems/precondition.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { authorize } from './auth/authorization.ts';
import { isStillAuthorized } from './authenticate-request.ts';
import { guessBodyFormat, readAnyText, readDocument, readJsonTree, readText } from './body/body.ts';
import { createUpload } from './body/uploads.ts';
import type { AppContext, AppOptions, RequestContext } from './context/app-options.ts';
import { type HttpRequest, type HttpResponse, RecordedResponse } from './context/exchange.ts';
import {
  chooseOffer,
  listOffers,
  negotiateNamed,
  negotiateRead,
  negotiateWrite,
  type Offer,
} from './negotiate/negotiation.ts';
import { addRenditionOffers, findDocumentFormat, findQueryFormat } from './negotiate/rendition.ts';
import type { WireDialect } from './negotiate/wire-dialect.ts';
import { checkCrossSite } from './request/cross-site.ts';
import { readReturnPreference } from './request/prefer.ts';
import { readQuery } from './request/query.ts';
import { UnknownNames } from './request/unknown-names.ts';
import { parsePrecondition } from './response/conditional.ts';
import { sendChange, sendOutcome } from './response/reply.ts';
import { createReplyHeaders } from './response/reply-headers.ts';
import { type SendFailure, sendReply } from './response/send.ts';
import { removeBody } from './return-preference.ts';
import type { BatchContext, Call, Outcome, RequestBodySpec, Route } from './routes/route.ts';
import type { Match, Router } from './routes/router.ts';
import { type Format, formats } from './serialization/format.ts';
import { acceptsChange, type ChangeDocument, checkDryRun, type Session } from './session/session.ts';
import { sendLive } from './stream/send-live.ts';
import { sendService } from './stream/send-service.ts';

/** The result of a route. */
export interface RouteResult<S> {
  readonly outcome: Outcome;
  readonly route: Route<S>;
  readonly offer: Offer | undefined;
  /** Builds the change document, for clients that request it instead of the usual body. */
  readonly tellChange: (() => Promise<ChangeDocument>) | undefined;
}

/** The input of a route. */
export interface RouteInput<S> {
  readonly session: Session<S>;
  readonly match: Match<S>;
  readonly rawQuery: string;
  readonly request: HttpRequest;
  readonly signal: () => AbortSignal;
  readonly batchContext?: BatchContext;
}

/** Returns undefined for OPTIONS. */
export async function executeRoute<S>(
  options: AppContext<S>,
  { session, match, rawQuery, request, signal, batchContext }: RouteInput<S>,
): Promise<RouteResult<S> | undefined> {
  const context = request.context as RequestContext<S>;
  const { headers } = request.raw;
  const { origin } = context;
  if (origin === undefined) {
    throw new Error('The origin of the request is not resolved');
  }
  // Await only where necessary: in a small read, each await costs as much as a processing step.
  const settled =
    match.wholeName === undefined ? match : await resolveExactName(session.services, match, request.method);
  const { params, extension } = settled;
  context.match = settled;
  const authorizing = authorizeMatch(options, session.services, settled, request);
  if (authorizing !== undefined) {
    await authorizing;
  }

  checkDryRun(request.method, rawQuery);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = match.resource.methods.get(method);
  if (route === undefined) {
    if (method === 'OPTIONS') {
      return undefined;
    }
    throw problem('method-not-allowed', { method, allowed: match.resource.allowed });
  }
  context.route = route;
  // An anonymous request to a service has no permissions that a foreign page could abuse.
  if (route.explain === undefined || !isAnonymous(context.principal ?? anonymous)) {
    checkCrossSite(method, headers, origin.baseUrl);
  }

  const reserving = reserveRoom(options.room, route);
  if (reserving !== undefined) {
    await reserving;
  }

  const offers = listRouteOffers(route, options.dialect);
  const offer = chooseRouteOffer(route, offers, extension, headers, rawQuery);
  const format = findDocumentFormat(offer?.format);
  collectUnknownQuery(context, rawQuery, route);
  const query = readQuery(route.query, rawQuery);
  const body = route.takes === undefined ? undefined : await readBody(options, route.takes, request);
  const isStrict = context.isStrict === true;
  const refused = isStrict || route.refusesUnknownQuery ? context.unknown?.findProblem({ isStrict }) : undefined;
  if (refused !== undefined) {
    throw refused;
  }

  const principal = context.principal ?? anonymous;
  const returnsChange = route.answersChange === true || (method !== 'GET' && acceptsChange(headers));
  const tellChange = returnsChange ? await session.prepareChangeDocument(principal) : undefined;
  const handled = route.handle({
    services: session.services,
    principal,
    params,
    query,
    body,
    restUrl: `${origin.baseUrl}${options.restRoot}`,
    format,
    rendition: format === undefined ? offer?.format : undefined,
    hasItem: createItemCheck(route, session.services, params),
    isStrict,
    signal,
    batchContext,
    sent: {
      method,
      rawQuery,
      headers,
      baseUrl: origin.baseUrl,
      text: () => readAnyText(request.raw, headers, options.limits),
    },
    precondition: route.versioned && method !== 'GET' ? parsePrecondition(headers) : noPrecondition,
  });

  const outcome = handled instanceof Promise ? await handled : handled;
  return { outcome, route, offer, tellChange };
}

/** Services check the disk space themselves, because most of their POST requests only read. */
function reserveRoom<S>(
  room: AppContext<S>['room'],
  { method, explain, readsOneState }: Route<S>,
): Promise<void> | undefined {
  if (method === 'GET' || explain !== undefined || readsOneState) {
    return undefined;
  }
  return method === 'DELETE' ? room.prepareDeletion() : room.checkStoring();
}

/** Checks the permissions of a request with invalid headers, so that callers without permission learn nothing else. */
export async function authorizeOnly<S>(options: AppContext<S>, match: Match<S>, request: HttpRequest): Promise<void> {
  const session = options.sessions.open('read');
  try {
    const settled =
      match.wholeName === undefined ? match : await resolveExactName(session.services, match, request.method);
    await authorizeMatch(options, session.services, settled, request);
  } finally {
    session.close();
  }
}

function authorizeMatch<S>(
  options: AppContext<S>,
  services: S,
  match: Match<S>,
  { context: { principal }, method }: HttpRequest,
): Promise<void> | undefined {
  if (principal === undefined) {
    return undefined;
  }
  return authorize(options.authorize(services), principal, match, method, options.restRoot);
}

/** Sends the result as fast as the client reads it; returns a failure if sending broke off. */
export function sendRouteResult<S>(
  options: AppContext<S>,
  done: RouteResult<S>,
  session: Session<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> | SendFailure | undefined {
  const { outcome, route, tellChange } = done;
  const observeSent = (broken: SendFailure | undefined) => {
    if (outcome.kind !== 'service' || tellChange !== undefined) {
      options.observe?.(route, reply.statusCode);
    }
    return broken;
  };
  if (tellChange !== undefined) {
    return tellChange()
      .then((change) => sendChange(outcome, change, route, request, reply, options))
      .then(observeSent);
  }
  // Everything shown has been read. Close the session, so that a slow client does not keep an old snapshot alive.
  session.close();
  const isBare = outcome.kind !== 'service' && readReturnPreference(request.raw.headers, request.method) === 'minimal';
  const sending = isBare
    ? sendWithoutBody(options, done, request, reply)
    : sendRouteOutcome(options, done, request, reply);
  return sending instanceof Promise ? sending.then(observeSent) : observeSent(sending);
}

/** Sends the response without its body. */
async function sendWithoutBody<S>(
  options: AppContext<S>,
  reserving: Omit<RouteResult<S>, 'tellChange'>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> {
  const recorded = new RecordedResponse(request, MAX_DISCARDED_BODY_BYTES);
  const broken = await sendRouteOutcome(options, reserving, request, recorded);
  const { status, headers } = removeBody(recorded.reply);
  sendReply(reply, status, [...headers], '');
  return broken;
}

/** The discarded body is created nevertheless; no response of a write is larger. */
const MAX_DISCARDED_BODY_BYTES = 268_435_456;

function sendRouteOutcome<S>(
  options: AppContext<S>,
  { outcome, route, offer }: Omit<RouteResult<S>, 'tellChange'>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> | undefined {
  switch (outcome.kind) {
    case 'service':
      return sendService(outcome.reply, request, reply, options);
    case 'live': {
      const { match, origin } = request.context as RequestContext<S>;
      const headers = createReplyHeaders(request, options, 'no-store');
      headers.push('content-type', outcome.mediaType);
      const { sendTimeoutMs: timeoutMs, rightsCheckMs: everyMs } = options.limits;
      const canContinue = async () =>
        match !== undefined && origin !== undefined && (await isStillAuthorized(options, request, match, origin));
      return sendLive(reply, headers, outcome, { timeoutMs, everyMs, canContinue: canContinue });
    }
    default:
      return sendOutcome(outcome, route, offer, request, reply, options);
  }
}

function createItemCheck<S>({ items }: Route<S>, services: S, params: Match<S>['params']): Call<S>['hasItem'] {
  return items && ((name) => items.exists(services, { ...params, [items.variable]: name }));
}

function collectUnknownQuery<S>(context: RequestContext<S>, rawQuery: string, route: Route<S>): void {
  // Clients probe for services that do not exist, so unknown parameters are not reported there.
  if (rawQuery !== '' && route.errorStyle !== 'service') {
    context.unknown ??= new UnknownNames();
    context.unknown.addQuery(rawQuery, route.query);
  }
}

function chooseRouteOffer<S>(
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
    const requested = findQueryFormat(rawQuery);
    // Never a 406: the resource may be a file, which has its own type.
    return offers.find(({ format }) => format === requested) ?? chooseOffer(offers, headers.accept) ?? offers[0];
  }
  if (route.method === 'GET') {
    checkExtension(route, offers, extension);
    return negotiateRead(addRenditionOffers(offers, route.renditions, headers.accept), extension, headers.accept);
  }
  const { takes } = route;
  return takes?.kind === 'upload'
    ? (negotiateNamed(offers, headers.accept) ?? offers.find(({ format }) => format === takes.otherwise))
    : negotiateWrite(offers, findDocumentFormat(extension), headers.accept, guessBodyFormat(headers));
}

/** Rejects extensions that are valid for uploads only. */
function checkExtension<S>(
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

/** Offers by route, computed once. */
const offersByRoute = new WeakMap<object, readonly Offer<Format>[]>();

function listRouteOffers<S>(route: Route<S>, dialect: WireDialect): readonly Offer<Format>[] {
  let offers = offersByRoute.get(route);
  if (offers === undefined) {
    offers = listOffers(route.formats, dialect.defaultFormat[route.formatGroup]);
    offersByRoute.set(route, offers);
  }
  return offers;
}

/** An exact resource name takes precedence over a format extension. */
async function resolveExactName<S>(services: S, match: Match<S>, method: string): Promise<Match<S>> {
  const { resource, wholeName } = match;
  const route = resource.methods.get(method) ?? [...resource.methods.values()][0];
  if (wholeName !== undefined && (await route?.exactName?.(services, wholeName))) {
    return { resource, params: wholeName };
  }
  return match;
}

async function readBody<S>(options: AppOptions<S>, takes: RequestBodySpec, request: HttpRequest): Promise<unknown> {
  if (takes.kind === 'upload') {
    return createUpload(request.raw, request.raw.headers, options.limits);
  }
  if (takes.kind === 'json') {
    const tree = await readJsonTree(request.raw, request.raw.headers, options.limits);
    if (tree === undefined) {
      throw problem('document-missing', { root: takes.shape.root });
    }
    return tree;
  }
  if (takes.kind === 'text') {
    const text = await readText(request.raw, request.raw.headers, options.limits);
    if (text === undefined) {
      throw problem('document-missing', { root: takes.what });
    }
    return text;
  }
  if (takes.kind === 'document or file') {
    const file = createUpload(request.raw, request.raw.headers, options.limits);
    return isFileBody(takes, file.mediaType)
      ? { kind: 'file', file }
      : { kind: 'document', document: await readBodyDocument(options, takes, request) };
  }
  return readBodyDocument(options, takes, request);
}

async function readBodyDocument<S>(
  options: AppOptions<S>,
  takes: Extract<RequestBodySpec, { document: unknown }>,
  request: HttpRequest,
): Promise<unknown> {
  const input = await readDocument(request.raw, request.raw.headers, options.limits, takes.document.maxBytes);
  if (input === undefined) {
    throw problem('document-missing', { root: takes.document.root });
  }
  const { context } = request;
  return takes.document.read(input, takes.purpose, (at, name, known) => {
    context.unknown ??= new UnknownNames();
    context.unknown.addField(at, name, known);
  });
}

const documentTypes: readonly string[] = [...formats.xml.mediaTypes, ...formats.json.mediaTypes];

/** Requires a content type where the body can be a document or a file. */
function isFileBody(
  takes: Extract<RequestBodySpec, { kind: 'document or file' }>,
  mediaType: string | undefined,
): boolean {
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

/** Returns the problem of an invalid path instead of throwing it, because only authorized callers may see it. */
export function matchOrProblem<S>(router: Router<S>, rawPath: string): Match<S> | Problem | undefined {
  try {
    return router.match(rawPath);
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
}
