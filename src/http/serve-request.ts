/** Runs the pipeline of one request, from the match of its path to the sent result. */
import { anonymous, isAnonymous } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { authenticateRequest, isPublic } from './auth/auth.ts';
import { readCredentials, takeQueryKey } from './auth/credentials.ts';
import { createSender } from './auth/sender.ts';
import { findPreview } from './auth/view-as.ts';
import type { AppContext, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import type { HttpRequest, HttpRequestBody, HttpResponse } from './context/exchange.ts';
import { buildClientKey, readSessionKind, resolveOrigin, splitUrl } from './request/request-head.ts';
import { readReturnPreference, wantsStrict } from './response/reply.ts';
import type { SendFailure } from './response/send.ts';
import type { Route } from './routes/route.ts';
import { isBelow, type Match, matchOrProblem } from './routes/router.ts';
import { serveInTransaction } from './serve-in-transaction.ts';
import type { SessionKind } from './session/session.ts';
import { authorizeRequest, executeRoute, resolveExactName } from './steps/execute-route.ts';
import { readRetryKey } from './steps/retries.ts';
import { canReturnResource } from './steps/return-preference.ts';
import { sendAllowedMethods, sendRouteResult } from './steps/send-result.ts';

/** Returns the failure if a response broke off after its status was sent. */
export async function serveRequest<S>(
  options: AppContext<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> {
  const context = request.context as RequestContext<S>;
  const [rawPath = '/', sentQuery = ''] = splitUrl(request.originalUrl);
  const { key, isRepeated, rest: rawQuery } = takeQueryKey(sentQuery);
  context.origin = resolveOrigin(readOriginInput(request.raw), options.origin);
  const sessionKind = readSessionKind(request.method, rawQuery);
  // Set it first, so that every response reports the dry run, including errors.
  context.isDryRun = sessionKind === 'dry run';
  context.isStrict = wantsStrict(request.raw.headers);
  const match = matchOrProblem(options.router, rawPath);
  if (match !== undefined && !(match instanceof Problem)) context.match = match;
  // Limit first: every later step, such as checking a password, costs more.
  limitClient(options, context, context.origin.clientAddress);
  if (isRepeated) throw problem('credentials-ambiguous', {});
  if (context.match === undefined && !isBelow(rawPath, options.restRoot)) {
    // Browsers would open a login dialog for a challenge, although no user can read the address.
    throw match ?? problem('path-unknown', { path: rawPath });
  }
  const refreshed =
    findRoute(context.match, request.method)?.access === 'none' ? undefined : options.sessions.refresh();
  if (refreshed !== undefined) {
    await refreshed;
  }

  if (key !== undefined && context.match?.resource.errors.style !== 'service') throw problem('authkey-refused', {});
  if (context.match === undefined || !isPublic(context.match.resource, request.method)) {
    context.credentials = readCredentials(request.raw, key);
    if (key !== undefined) context.queryKey = key;
    const found = authenticateRequest(
      options.authenticate,
      context.credentials,
      createSender(request.raw, context.origin, options.origin.proxies),
    );
    context.principal = found instanceof Promise ? await found : found;
  }
  const client = buildClientKey(context.origin.clientAddress, context.principal);
  if (context.principal !== undefined) {
    const isService = context.match?.resource.errors.style === 'service';
    const preview = findPreview(options.createPreview, context.principal, request.raw, {
      method: request.method,
      isService,
    });
    if (preview !== undefined) context.principal = await preview;
  }
  const work = () => serveIdentified(options, { match, rawPath, rawQuery, sessionKind }, request, reply);
  return options.runForClient?.(client, work) ?? work();
}

function limitClient<S>({ clientLimits }: AppContext<S>, context: RequestContext<S>, address: string): void {
  if (clientLimits === undefined || clientLimits.exemptPaths.has(context.match?.resource.pattern ?? '')) return;
  context.releaseClient = clientLimits.limits.admit(address);
}

/** Checks the permissions of a request with invalid headers, so that callers without permission learn nothing else. */
async function authorizeOnly<S>(options: AppContext<S>, match: Match<S>, request: HttpRequest): Promise<void> {
  const session = options.sessions.open('read');
  try {
    const settled =
      match.wholeName === undefined ? match : await resolveExactName(session.services, match, request.method);
    await authorizeRequest(options, session, settled, request);
  } finally {
    session.close();
  }
}

/** The second part of the pipeline, once the client is known. */
async function serveIdentified<S>(
  options: AppContext<S>,
  { match, rawPath, rawQuery, sessionKind }: RequestTarget<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> {
  const context = request.context as RequestContext<S>;
  if (match === undefined || match instanceof Problem) {
    const notFound = match ?? problem('path-unknown', { path: rawPath });
    throw isAnonymous(context.principal ?? anonymous) ? problem('credentials-required', {}) : notFound;
  }
  const route = sessionKind === 'read' ? undefined : match.resource.methods.get(request.method);
  if (route !== undefined && route.kind !== 'service') {
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
    if (route.kind === 'batch' || key !== undefined || showsResource) {
      await serveInTransaction({ app: options, request, reply }, { match, rawQuery, isDryRun, key });
      return undefined;
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
    if ('allowed' in done) {
      sendAllowedMethods({ app: options, request, reply }, done.allowed);
      return undefined;
    }
    const sending = sendRouteResult({ app: options, request, reply }, done, session);
    return sending instanceof Promise ? await sending : sending;
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
  const access = findRoute(match, method)?.access;
  if (sessionKind === 'write' && access === 'snapshot') {
    return 'read';
  }
  return sessionKind === 'read' && (access === 'live' || access === 'none') ? 'write' : sessionKind;
}

function findRoute<S>(match: Match<S> | undefined, method: string): Route<S> | undefined {
  return match?.resource.methods.get(method === 'HEAD' ? 'GET' : method);
}

function readOriginInput(raw: HttpRequestBody): Parameters<typeof resolveOrigin>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80, encrypted = false } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}`, isSecure: encrypted };
}
