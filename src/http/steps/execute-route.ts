import { anonymous, isAnonymous } from '../../lib/identity/principal.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { readAnyText } from '../body/body.ts';
import type { AppContext, RequestContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import type { Offer } from '../negotiate/negotiation.ts';
import { findDocumentFormat } from '../negotiate/rendition.ts';
import { checkCrossSite } from '../request/cross-site.ts';
import { readQuery } from '../request/query.ts';
import { UnknownNames } from '../request/unknown-names.ts';
import { parsePrecondition } from '../response/conditional.ts';
import type { BatchContext, Call, Outcome, Route } from '../routes/route.ts';
import type { Match } from '../routes/router.ts';
import { acceptsChange, type ChangeDocument, checkDryRun, type Session } from '../session/session.ts';

import { authorizeMatch, resolveExactName } from './authorize-match.ts';
import { chooseRouteOffer, listRouteOffers } from './negotiate-route.ts';
import { readBody } from './read-body.ts';

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
