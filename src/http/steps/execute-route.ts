/** Executes the route of a request: authorises it, chooses a format, reads the body and calls the handler. */

import { anonymous } from '../../lib/identity/principal.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { authorize, checkCrossSite, isAmbient } from '../auth/auth.ts';
import { readAnyText } from '../body/body.ts';
import type { AppContext, RequestContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { acceptsChange, chooseRouteOffer, findDocumentFormat, type Offer } from '../negotiate/negotiation.ts';
import { checkDryRun, readQuery, splitUrl } from '../request/request-head.ts';
import { UnknownNames } from '../request/unknown-names.ts';
import { parsePrecondition } from '../response/reply.ts';
import type { AnyReadResult, Outcome } from '../routes/outcome.ts';
import { type BatchContext, type Call, findAccepted, isVersioned, type Route } from '../routes/route.ts';
import type { Match } from '../routes/router.ts';
import type { SentRequest } from '../session/service-reply.ts';
import type { ChangeDocument, Session } from '../session/session.ts';
import { readBody } from './read-body.ts';

/** The result of a route. */
export interface RouteResult<S> {
  readonly outcome: Outcome;
  readonly route: Route<S>;
  readonly offer: Offer | undefined;
  /** Builds the change document, for clients that request it instead of the usual body. */
  readonly buildChange: (() => Promise<ChangeDocument>) | undefined;
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

/** The response to OPTIONS. */
export interface AllowedMethods {
  readonly allowed: readonly string[];
}

/** Returns the allowed methods for OPTIONS. */
export async function executeRoute<S>(
  options: AppContext<S>,
  input: RouteInput<S>,
): Promise<RouteResult<S> | AllowedMethods> {
  const { session, match, rawQuery, request, signal, batchContext } = input;
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
  const authorizing = authorizeRequest(options, session, settled, request);
  if (authorizing !== undefined) {
    await authorizing;
  }

  checkDryRun(request.method, rawQuery);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = match.resource.methods.get(method);
  if (route === undefined) {
    const allowed = await listAllowedMethods(options, input, settled);
    if (method === 'OPTIONS') {
      return { allowed };
    }
    throw problem('method-not-allowed', { method, allowed });
  }
  context.route = route;
  // An anonymous request to a service has no permissions that a foreign page could abuse, and a token is its own.
  if (route.kind !== 'service' || isAmbient(context.credentials, context.principal)) {
    checkCrossSite(method, headers, origin.baseUrl);
  }

  const reserving = reserveRoom(options.room, route);
  if (reserving !== undefined) {
    await reserving;
  }

  const offer = chooseRouteOffer(route, options.dialect, { extension, headers, rawQuery });
  const format = findDocumentFormat(offer?.format);
  collectUnknownQuery(context, rawQuery, route);
  const query = route.kind === 'service' ? {} : readQuery(route.query, rawQuery);
  const accepted = method === 'GET' ? undefined : findAccepted(route);
  const body = accepted === undefined ? undefined : await readBody(options, accepted, request);
  const isStrict = context.isStrict === true;
  const rejectsUnknown = isStrict || (route.kind !== 'service' && route.rejectsUnknownQuery);
  const refused = rejectsUnknown ? context.unknown?.findProblem({ isStrict }) : undefined;
  if (refused !== undefined) {
    throw refused;
  }

  const principal = context.principal ?? anonymous;
  const returnsChange =
    method !== 'GET' && ((route.kind === 'write' && route.returns.kind === 'change') || acceptsChange(headers));
  const buildChange = returnsChange ? await session.prepareChangeDocument(principal) : undefined;
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
    sent: createSentRequest(options, { request, rawQuery, baseUrl: origin.baseUrl }),
    precondition: method !== 'GET' && isVersioned(route) ? parsePrecondition(headers) : noPrecondition,
  });

  const result = handled instanceof Promise ? await handled : handled;
  return { outcome: 'kind' in result ? result : toReadOutcome(result), route, offer, buildChange };
}

function createSentRequest<S>(
  { limits }: AppContext<S>,
  { request, rawQuery, baseUrl }: Pick<RouteInput<S>, 'request' | 'rawQuery'> & { readonly baseUrl: string },
): SentRequest {
  const { headers } = request.raw;
  return {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    isHead: request.method === 'HEAD',
    path: splitUrl(request.originalUrl)[0],
    rawQuery,
    headers,
    baseUrl,
    text: () => readAnyText(request.raw, headers, limits),
    describe: (operation) => {
      request.context.operation = operation;
    },
  };
}

/** The methods of the path, or those of them that the service offers to the caller. */
async function listAllowedMethods<S>(
  options: AppContext<S>,
  { session, rawQuery, request, signal }: RouteInput<S>,
  { resource, params }: Match<S>,
): Promise<readonly string[]> {
  const { context } = request;
  const service = [...resource.methods.values()].find((route) => route.kind === 'service' && route.listOffered);
  if (service?.kind !== 'service' || service.listOffered === undefined) return resource.allowed;
  const baseUrl = context.origin?.baseUrl ?? '';
  const offered: readonly string[] = await service.listOffered({
    services: session.services,
    principal: context.principal ?? anonymous,
    params,
    signal,
    sent: createSentRequest(options, { request, rawQuery, baseUrl }),
  });
  return resource.allowed.filter((method) => method === 'OPTIONS' || method === 'HEAD' || offered.includes(method));
}

function toReadOutcome(found: AnyReadResult<unknown>): Outcome {
  if ('resource' in found) {
    return { kind: 'found', ...found };
  }
  if ('list' in found) {
    return { kind: 'printed', ...found };
  }
  if ('live' in found) {
    return { kind: 'live', ...found.live };
  }
  if ('file' in found) {
    const { file, ...rest } = found;
    return { kind: 'file', ...rest, ...file };
  }
  const { openFile, ...rest } = found;
  return { kind: 'open file', ...rest, ...openFile };
}

/** An exact resource name takes precedence over a format extension. */
export async function resolveExactName<S>(services: S, match: Match<S>, method: string): Promise<Match<S>> {
  const { resource, wholeName } = match;
  const route = resource.methods.get(method) ?? [...resource.methods.values()][0];
  const exactName = route === undefined || route.kind === 'service' ? undefined : route.exactName;
  if (wholeName !== undefined && (await exactName?.(services, wholeName))) {
    return { resource, params: wholeName };
  }
  return match;
}

/** Public routes have no principal and need no check. */
export function authorizeRequest<S>(
  { restRoot }: AppContext<S>,
  session: Session<S>,
  match: Match<S>,
  { context: { principal }, method }: HttpRequest,
): Promise<void> | undefined {
  return principal === undefined ? undefined : authorize(session.authorize, { principal, match, method, restRoot });
}

/** Services check the disk space themselves, because most of their POST requests only read. */
export function reserveRoom<S>(
  room: AppContext<S>['room'],
  { kind, method, access }: Route<S>,
): Promise<void> | undefined {
  if (kind === 'service' || access !== 'write') {
    return undefined;
  }
  return method === 'DELETE' ? room.prepareDeletion() : room.checkStoring();
}

function createItemCheck<S>(route: Route<S>, services: S, params: Match<S>['params']): Call<S>['hasItem'] {
  const items = route.kind === 'collection' ? route.items : undefined;
  return items && ((name) => items.exists(services, { ...params, [items.variable]: name }));
}

function collectUnknownQuery<S>(context: RequestContext<S>, rawQuery: string, route: Route<S>): void {
  // Clients probe for services that do not exist, so unknown parameters are not reported there.
  if (rawQuery !== '' && route.kind !== 'service') {
    context.unknown ??= new UnknownNames();
    context.unknown.addQuery(rawQuery, route.query);
  }
}
