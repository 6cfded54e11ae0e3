/** The request pipeline; each step is a file in this folder. */
import { anonymous, isAnonymous } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { isPublic } from './auth/authorization.ts';
import type { AppContext, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import type { HttpRequest, HttpRequestBody, HttpResponse } from './context/exchange.ts';
import { buildClientKey } from './request/client-key.ts';
import { resolveOrigin } from './request/origin.ts';
import { readReturnPreference, wantsStrict } from './request/prefer.ts';
import { splitUrl } from './request/target.ts';
import { sendAllowedMethods } from './response/reply.ts';
import type { Route } from './routes/route.ts';
import type { Match } from './routes/router.ts';
import { serveInTransaction } from './serve-in-transaction.ts';
import { readSessionKind, type SessionKind } from './session/session.ts';
import { authenticateRequest } from './steps/authenticate-request.ts';
import { authorizeOnly } from './steps/authorize-match.ts';
import { executeRoute } from './steps/execute-route.ts';
import { finishRequest } from './steps/finish-request.ts';
import { matchOrProblem } from './steps/match-path.ts';
import { readRetryKey } from './steps/retries.ts';
import { canReturnResource } from './steps/return-preference.ts';
import { sendRouteResult } from './steps/send-result.ts';

export async function serveRequest<S>(
  options: AppContext<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<void> {
  const context = request.context as RequestContext<S>;
  const [rawPath = '/', rawQuery = ''] = splitUrl(request.originalUrl);
  context.origin = resolveOrigin(readOriginInput(request.raw), options.origin);
  const sessionKind = readSessionKind(request.method, rawQuery);
  // Set it first, so that every response reports the dry run, including errors.
  context.isDryRun = sessionKind === 'dry run';
  context.isStrict = wantsStrict(request.raw.headers);
  const match = matchOrProblem(options.router, rawPath);
  if (match !== undefined && !(match instanceof Problem)) {
    context.match = match;
  }
  const refreshed = findReadRoute(context.match, request.method)?.standsAlone ? undefined : options.sessions.refresh();
  if (refreshed !== undefined) {
    await refreshed;
  }

  if (context.match === undefined || !isPublic(context.match.resource, request.method)) {
    const found = authenticateRequest(options, request, context.origin);
    context.principal = found instanceof Promise ? await found : found;
  }
  const client = buildClientKey(context.origin.clientAddress, context.principal);
  const work = () => serveIdentified(options, { match, rawPath, rawQuery, sessionKind }, request, reply);
  await (options.runForClient?.(client, work) ?? work());
}

/** The second part of the pipeline, once the client is known. */
async function serveIdentified<S>(
  options: AppContext<S>,
  { match, rawPath, rawQuery, sessionKind }: RequestTarget<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<void> {
  const context = request.context as RequestContext<S>;
  if (match === undefined || match instanceof Problem) {
    const notFound = match ?? problem('path-unknown', { path: rawPath });
    throw isAnonymous(context.principal ?? anonymous) ? problem('credentials-required', {}) : notFound;
  }
  const route = sessionKind === 'read' ? undefined : match.resource.methods.get(request.method);
  if (route !== undefined && route.explain === undefined) {
    const isDryRun = sessionKind === 'dry run';
    // Dry runs are not idempotent: each one is executed.
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
  const session = options.sessions.open(chooseSessionKind(sessionKind, match, request.method));
  context.session = session;
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
  readonly sessionKind: SessionKind;
}

/**
 * Some requests with the method of a change only read a snapshot. Event streams and routes without storage access need
 * no snapshot.
 */
function chooseSessionKind<S>(sessionKind: SessionKind, match: Match<S>, method: string): SessionKind {
  const route = findReadRoute(match, method);
  if (sessionKind === 'write' && route?.readsOneState === true) {
    return 'read';
  }
  return sessionKind === 'read' && (route?.follows === true || route?.standsAlone === true) ? 'write' : sessionKind;
}

function findReadRoute<S>(match: Match<S> | undefined, method: string): Route<S> | undefined {
  return match?.resource.methods.get(method === 'HEAD' ? 'GET' : method);
}

/** Closes the connection: the status is already sent, so there is no other way to report the failure. */
function abortReply<S>(options: AppContext<S>, request: HttpRequest, reply: HttpResponse, reason: unknown): void {
  // A client that disconnects aborts the read, which is not a failure.
  if (reply.raw.destroyed) return;
  request.log.error({ requestId: request.id, err: reason }, 'a response was aborted');
  request.context.problem = problem('unexpected', { requestId: request.id });
  finishRequest(options, request, 500);
  reply.raw.destroy();
}

function readOriginInput(raw: HttpRequestBody): Parameters<typeof resolveOrigin>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80 } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}` };
}
