/** Builds the Fastify application from the route tables, and runs the pipeline of each request. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { redactTokens } from '../lib/identity/credentials.ts';
import { anonymous, isAnonymous } from '../lib/identity/principal.ts';
import { getTracer } from '../lib/measure/tracer.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { authenticateRequest, isPublic } from './auth/auth.ts';
import { readCredentials, takeQueryKey } from './auth/credentials.ts';
import { createSender } from './auth/sender.ts';
import { runAfterEarlierReplies, watchConnections, watchUnreadBodies } from './connections.ts';
import type { AccessEntry, AppContext, AppOptions, LoggedRequest, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import type { HttpRequest, HttpRequestBody, HttpResponse } from './context/exchange.ts';
import { buildClientKey, readSessionKind, resolveOrigin, splitUrl } from './request/request-head.ts';
import { createAuditEntry } from './response/audit-entry.ts';
import { sendClientError } from './response/client-error.ts';
import { endSpan } from './response/end-span.ts';
import { formatLogMessage } from './response/log-message.ts';
import { nameOperation } from './response/name-operation.ts';
import { abortWhenStalled, readReturnPreference, runAtEndOfTurn, wantsStrict } from './response/reply.ts';
import type { SendFailure } from './response/send.ts';
import { sendProblem, toReportedProblem } from './response/send-problem.ts';
import type { Route } from './routes/route.ts';
import { buildRouter, isBelow, type Match, matchOrProblem } from './routes/router.ts';
import { serveInTransaction } from './serve-in-transaction.ts';
import type { SessionKind } from './session/session.ts';
import { authorizeRequest, executeRoute, resolveExactName } from './steps/execute-route.ts';
import { readRetryKey } from './steps/retries.ts';
import { canReturnResource } from './steps/return-preference.ts';
import { sendAllowedMethods, sendRouteResult } from './steps/send-result.ts';
import { createSecureOptions, watchSecureStreams } from './tls/secure-connections.ts';

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>([
    ...options.outside.flatMap((table): readonly Route<S>[] => table.routes),
    ...options.families.flatMap((table) =>
      table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
    ),
  ]);

  // Node's defaults, shortened if necessary: Node checks connections every 30 seconds, and the headers timeout must not
  // exceed the request timeout.
  const connectionLimits = {
    // URLs contain filters with polygons: feature services accept request lines of 64 KB.
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: Math.min(30_000, options.limits.requestTimeoutMs),
    headersTimeout: Math.min(60_000, options.limits.requestTimeoutMs),
    requestTimeout: options.limits.requestTimeoutMs,
  };
  const app = Fastify({
    // We log one line per request with data of the route tables. With a logger, Fastify would listen to each response
    // and create a child logger for it, which costs more than the line itself.
    logger: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: options.limits.requestTimeoutMs,
    ...(options.certificate === undefined
      ? { http: connectionLimits }
      : createSecureOptions(options.certificate, connectionLimits)),
    // We parse and serialize documents ourselves. Creating Fastify's compilers takes a tenth of the start-up time.
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: sendClientError,
    // Our router matches the whole path: only it knows which extensions are formats and which belong to names.
    rewriteUrl: () => '/',
  });

  app.decorateRequest('context');
  let isDraining = false;
  const context: AppContext<S> = { ...options, router, isDraining: () => isDraining, keysUnderWay: new Set() };
  const connections = watchConnections(app.server);
  if (options.certificate !== undefined) {
    watchSecureStreams(app.server, options.limits.requestTimeoutMs);
    // Node has no such method for servers with HTTP/2.
    app.server.closeAllConnections = connections.closeAll;
  }
  const unreadBodies = watchUnreadBodies();
  app.addHook('preClose', async () => {
    isDraining = true;
    // Right after this hook the server stops accepting connections.
    setImmediate(connections.closeSilent);
    unreadBodies.end();
  });
  app.addHook('onRequest', (request, reply, failed) => {
    const raw: FastifyReply['raw'] & Pick<HttpResponse['raw'], 'sentBytes'> = reply.raw;
    request.log = options.logger;
    request.context = { startedAtMs: performance.now() };
    options.metrics?.start();
    const span = getTracer()?.startRequest(readTraceparent(request.raw.headers));
    request.context.span = span;
    if (options.logAccess !== undefined) request.context.sentBefore = readSentBytes(request.raw.socket);
    raw.on('finish', () => {
      // HTTP/2 emits this event also if the client disconnects.
      finishRequest(options, request, raw.writableEnded ? raw.statusCode : CLIENT_GONE, raw.sentBytes);
      // Injected requests of tests have no connection and leave `complete` undefined.
      if (request.raw.complete === false) unreadBodies.drain(request.raw);
      // The response may have promised keep-alive before draining began.
      if (isDraining) {
        setImmediate(() => app.server.closeIdleConnections());
      }
    });
    raw.on('close', () => finishRequest(options, request, CLIENT_GONE, raw.sentBytes));
    // Respond here, before Fastify reads Content-Type or body, so that callers without permission learn nothing else.
    const startServing = () => {
      const watchStall = () => abortWhenStalled(raw, options.limits.sendTimeoutMs);
      const serve = () => serveRequest(context, request, reply);
      (span === undefined ? serve() : span.run(serve)).then((broken) => {
        if (broken !== undefined) {
          abortReply(context, request, reply, broken.reason);
        }
        runAtEndOfTurn(watchStall);
      }, failed);
    };
    // One request at a time per connection: responses to pipelined requests would wait in memory for the first.
    if (raw.socket === null) {
      runAfterEarlierReplies(request, reply, startServing, () =>
        finishRequest(options, request, CLIENT_GONE, undefined),
      );
    } else {
      startServing();
    }
  });

  // Hooks run only on routes. These handlers, for methods known and unknown to Fastify, are never reached.
  const throwUnreached = () => {
    throw new Error('The onRequest hook did not respond to a request');
  };
  app.all('/', throwUnreached);
  app.setNotFoundHandler(throwUnreached);
  app.setErrorHandler((error, request, reply) => {
    sendProblem(toReportedProblem(error, request), request, reply, context);
    abortWhenStalled(reply.raw, options.limits.sendTimeoutMs);
    const { route } = request.context as RequestContext<S>;
    // Service routes and nested problems return statuses that the route tables do not declare.
    if (route !== undefined && route.kind !== 'service' && request.context.problem?.details.answeredAs === undefined) {
      options.observe?.(route, reply.statusCode);
    }
  });
  return app;
}

/** A request line of 64 KB plus Node's default for headers. */
const MAX_HEADER_BYTES = 81_920;

/** The logged status if the client disconnected before the response; nginx uses the same number. */
const CLIENT_GONE = 499;

/** Finishes a request: writes one log line and updates the metrics. */
function finishRequest<S>(
  options: AppOptions<S>,
  request: FastifyRequest,
  status: number,
  /** Undefined for HTTP/1.1, where the bytes of the connection are counted. */
  sentBytes: number | undefined,
): void {
  // Some connections close without a finish event, others emit both events.
  if (request.context.isFinished) {
    return;
  }
  request.context.isFinished = true;
  request.context.releaseClient?.();
  const durationMs = performance.now() - request.context.startedAtMs;
  const line = createLogLine(request, status, durationMs);
  endSpan(request.context, line);
  options.logger.logRequest(line);
  options.logAccess?.(createAccessEntry(request, line, sentBytes));
  if (options.logAudit !== undefined) {
    const entry = createAuditEntry(request.context, line);
    if (entry !== undefined) options.logAudit(entry);
  }
  options.metrics?.count({
    pattern: request.context.match?.resource.pattern,
    method: request.method,
    ...nameOperation(request.context, request.method),
    status,
    durationMs,
  });
}

/**
 * Formats one line per request, with the problem of a rejected request. Paths contain names but no secrets; of queries
 * and bodies, only the operation and the layers of a service are logged.
 */
function createLogLine(
  { context, id, method, originalUrl }: HttpRequest,
  status: number,
  durationMs: number,
): LoggedRequest {
  const [sentPath = ''] = splitUrl(originalUrl);
  const path = redactTokens(sentPath);
  const line = {
    requestId: id,
    method,
    path,
    route: context.match?.resource.pattern ?? '-',
    status,
    ms: Math.round(durationMs * 10) / 10,
    user: context.principal?.name ?? '-',
    client: context.origin?.clientAddress ?? '-',
    ...(context.operation === undefined
      ? {}
      : { operation: context.operation.operation, layers: context.operation.layers }),
  };
  if (context.span !== undefined) {
    Object.assign(line, { traceId: context.span.traceId, spanId: context.span.spanId });
  }
  if (context.problem === undefined && status !== CLIENT_GONE) {
    return line;
  }
  return {
    ...line,
    ...(context.problem === undefined
      ? {}
      : { code: context.problem.code, reason: redactTokens(formatLogMessage(context.problem, path)) }),
    ...(status === CLIENT_GONE ? { note: 'the client disconnected' } : {}),
  };
}

function readTraceparent(headers: IncomingHttpHeaders): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** Connections of injected requests count nothing. */
function readSentBytes(socket: { readonly bytesWritten?: number }): number {
  return socket.bytesWritten ?? 0;
}

function createAccessEntry(
  { context, originalUrl, raw }: FastifyRequest,
  { method, status, ms, user, client }: LoggedRequest,
  sentBytes: number | undefined,
): AccessEntry {
  return {
    method,
    status,
    ms,
    user,
    client,
    target: originalUrl,
    httpVersion: raw.httpVersion,
    bytes: sentBytes ?? readSentBytes(raw.socket) - (context.sentBefore ?? 0),
    referrer: raw.headers.referer ?? '-',
    agent: raw.headers['user-agent'] ?? '-',
  };
}

/** Closes the connection: the status is already sent, so there is no other way to report the failure. */
function abortReply<S>(options: AppContext<S>, request: FastifyRequest, { raw }: FastifyReply, reason: unknown): void {
  // A client that disconnects aborts the read, which is not a failure.
  if (raw.destroyed) return;
  request.log.error({ requestId: request.id, err: reason }, 'a response was aborted');
  request.context.problem = problem('unexpected', { requestId: request.id });
  finishRequest(options, request, 500, (raw as HttpResponse['raw']).sentBytes);
  raw.destroy();
}

function rejectSchemas(): never {
  throw new Error('Routes must not have Fastify schemas');
}

/** Returns the failure if a response broke off after its status was sent. */
async function serveRequest<S>(
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

  if (context.match === undefined || !isPublic(context.match.resource, request.method)) {
    context.credentials = readCredentials(request.raw, key);
    if (key !== undefined) {
      if (context.match?.resource.errors.style !== 'service') throw problem('authkey-refused', {});
      context.queryKey = key;
    }
    const found = authenticateRequest(
      options.authenticate,
      context.credentials,
      createSender(request.raw, context.origin, options.origin.proxies),
    );
    context.principal = found instanceof Promise ? await found : found;
  }
  const client = buildClientKey(context.origin.clientAddress, context.principal);
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
    if (done === undefined) {
      sendAllowedMethods({ app: options, request, reply }, match.resource.allowed);
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
