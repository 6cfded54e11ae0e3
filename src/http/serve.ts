/** The way of a request, step by step: each step is a file beside this one. */
import { anonymous, isAnonymous } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { isPublic } from './auth/authorization.ts';
import { authenticateRequest } from './authenticate-request.ts';
import type { AppContext, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import type { HttpRequest, HttpRequestBody, HttpResponse } from './context/exchange.ts';
import { authorizeOnly, executeRoute, matchOrProblem, sendRouteResult } from './execute-route.ts';
import { finishRequest } from './finish-request.ts';
import { buildClientKey } from './request/client-key.ts';
import { resolveOrigin } from './request/origin.ts';
import { readReturnPreference, wantsStrict } from './request/prefer.ts';
import { splitUrl } from './request/target.ts';
import { sendAllowedMethods } from './response/reply.ts';
import { readRetryKey } from './retries.ts';
import { canReturnResource } from './return-preference.ts';
import type { Route } from './routes/route.ts';
import type { Match } from './routes/router.ts';
import { serveInTransaction } from './serve-in-transaction.ts';
import { readSessionKind, type SessionKind } from './session/session.ts';

export async function serveRequest<S>(
  options: AppContext<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<void> {
  const trail = request.trail as RequestContext<S>;
  const [rawPath = '/', rawQuery = ''] = splitUrl(request.originalUrl);
  trail.origin = resolveOrigin(readOriginInput(request.raw), options.origin);
  const asked = readSessionKind(request.method, rawQuery);
  // Whatever becomes of it, the reply says so: also to who may not ask, and where nothing is.
  trail.isDryRun = asked === 'dry run';
  trail.isStrict = wantsStrict(request.raw.headers);
  const match = matchOrProblem(options.router, rawPath);
  if (match !== undefined && !(match instanceof Problem)) {
    trail.match = match;
  }
  const refreshed = findReadRoute(trail.match, request.method)?.standsAlone ? undefined : options.sessions.refresh();
  if (refreshed !== undefined) {
    await refreshed;
  }

  if (trail.match === undefined || !isPublic(trail.match.resource, request.method)) {
    const found = authenticateRequest(options, request, trail.origin);
    trail.principal = found instanceof Promise ? await found : found;
  }
  const client = buildClientKey(trail.origin.clientAddress, trail.principal);
  const work = () => serveIdentified(options, { match, rawPath, rawQuery, asked }, request, reply);
  await (options.runForClient?.(client, work) ?? work());
}

/** The rest of the way, once it is known which client is served. */
async function serveIdentified<S>(
  options: AppContext<S>,
  { match, rawPath, rawQuery, asked }: RequestTarget<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<void> {
  const trail = request.trail as RequestContext<S>;
  if (match === undefined || match instanceof Problem) {
    const nowhere = match ?? problem('path-unknown', { path: rawPath });
    throw isAnonymous(trail.principal ?? anonymous) ? problem('credentials-required', {}) : nowhere;
  }
  const route = asked === 'read' ? undefined : match.resource.methods.get(request.method);
  if (route !== undefined && route.explain === undefined) {
    const isDryRun = asked === 'dry run';
    // What is only tried is tried each time.
    const sent = readRetryKey(request);
    if (sent instanceof Problem) {
      await authorizeOnly(options, match, request);
      throw sent;
    }
    const key = isDryRun ? undefined : sent;
    const showsResource =
      readReturnPreference(request.raw.headers, request.method) === 'representation' && canReturnResource(route);
    if (route.isOneChange || key !== undefined || showsResource) {
      await serveInTransaction(options, { match, rawQuery, isDryRun, key }, request, reply);
      return;
    }
  }
  const session = options.sessions.open(chooseSessionKind(asked, match, request.method));
  trail.session = session;
  try {
    const done = await executeRoute(options, {
      session,
      match,
      rawQuery,
      request,
      signal: () => createDisconnectSignal(reply),
    });
    if (done === undefined) {
      sendAllowedMethods(match.resource.allowed, request, reply, options);
      return;
    }
    const sending = sendRouteResult(options, done, session, request, reply);
    const broken = sending instanceof Promise ? await sending : sending;
    if (broken !== undefined) {
      abortReply(options, request, reply, broken.reason);
    }
  } finally {
    session.close();
  }
}

interface RequestTarget<S> {
  readonly match: Match<S> | Problem | undefined;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly asked: SessionKind;
}

/**
 * Some that are asked with the method of a change work with one state; whoever follows changes works with none, nor does
 * who asks nothing of the storage.
 */
function chooseSessionKind<S>(asked: SessionKind, match: Match<S>, method: string): SessionKind {
  const route = findReadRoute(match, method);
  if (asked === 'write' && route?.readsOneState === true) {
    return 'read';
  }
  return asked === 'read' && (route?.follows === true || route?.standsAlone === true) ? 'write' : asked;
}

function findReadRoute<S>(match: Match<S> | undefined, method: string): Route<S> | undefined {
  return match?.resource.methods.get(method === 'HEAD' ? 'GET' : method);
}

/** The client has the status already: all that can still tell it of the failure is the end of the connection. */
function abortReply<S>(options: AppContext<S>, request: HttpRequest, reply: HttpResponse, reason: unknown): void {
  // What is read for a client ends when it goes, which is no failure.
  if (reply.raw.destroyed) return;
  request.log.error({ requestId: request.id, err: reason }, 'a reply broke off');
  request.trail.problem = problem('unexpected', { requestId: request.id });
  finishRequest(options, request, 500);
  reply.raw.destroy();
}

function readOriginInput(raw: HttpRequestBody): Parameters<typeof resolveOrigin>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80 } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}` };
}
