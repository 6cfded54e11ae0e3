/** Builds the Fastify application from the route tables. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { getTracer } from '../lib/measure/tracer.ts';
import { problem } from '../lib/problems/problem.ts';
import { runAfterEarlierReplies, watchConnections, watchUnreadBodies } from './connections.ts';
import type { AppContext, AppOptions, RequestContext } from './context/app-options.ts';
import type { HttpResponse } from './context/exchange.ts';
import { sendClientError } from './response/client-error.ts';
import { CLIENT_GONE, finishRequest, readSentBytes } from './response/finish-request.ts';
import { abortWhenStalled, runAtEndOfTurn } from './response/reply.ts';
import { sendProblem, toReportedProblem } from './response/send-problem.ts';
import type { Route } from './routes/route.ts';
import { buildRouter } from './routes/router.ts';
import { serveRequest } from './serve-request.ts';
import { createSecureOptions, watchIdleSessions, watchSecureStreams } from './tls/secure-connections.ts';

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>(
    [
      ...options.outside.flatMap((table): readonly Route<S>[] => table.routes),
      ...options.families.flatMap((table) =>
        table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
      ),
    ],
    options.secondPaths,
  );

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
    watchIdleSessions(app.server);
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

function readTraceparent(headers: IncomingHttpHeaders): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
}
