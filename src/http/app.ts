/** Builds the Fastify application from the route tables. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { problem } from '../lib/problems/problem.ts';
import type { AccessEntry, AppContext, AppOptions, LoggedRequest, RequestContext } from './context/app-options.ts';
import type { HttpRequest } from './context/exchange.ts';
import { splitUrl } from './request/request-head.ts';
import { sendClientError } from './response/client-error.ts';
import { formatLogMessage } from './response/log-message.ts';
import { abortWhenStalled, runAtEndOfTurn } from './response/reply.ts';
import { sendProblem, toReportedProblem } from './response/send-problem.ts';
import type { Route } from './routes/route.ts';
import { buildRouter } from './routes/router.ts';
import { serveRequest } from './serve.ts';

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>([
    ...options.outside.flatMap((table): readonly Route<S>[] => table.routes),
    ...options.families.flatMap((table) =>
      table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
    ),
  ]);

  const app = Fastify({
    // We log one line per request with data of the route tables. With a logger, Fastify would listen to each response
    // and create a child logger for it, which costs more than the line itself.
    logger: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: options.limits.requestTimeoutMs,
    // Node's defaults, shortened if necessary: Node checks connections every 30 seconds, and the headers timeout must
    // not exceed the request timeout.
    http: {
      // URLs contain filters with polygons: feature services accept request lines of 64 KB.
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(30_000, options.limits.requestTimeoutMs),
      headersTimeout: Math.min(60_000, options.limits.requestTimeoutMs),
    },
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
  const closeSilent = watchSilentConnections(app.server);
  const unreadBodies = watchUnreadBodies();
  app.addHook('preClose', async () => {
    isDraining = true;
    // Right after this hook the server stops accepting connections.
    setImmediate(closeSilent);
    unreadBodies.end();
  });
  app.addHook('onRequest', (request, reply, failed) => {
    const { raw } = reply;
    request.log = options.logger;
    request.context = { startedAtMs: performance.now() };
    const { socket } = request.raw;
    // Undefined for injected requests.
    const sentBefore = socket.bytesWritten ?? 0;
    request.context.countSentBytes = () => (socket.bytesWritten ?? 0) - sentBefore;
    raw.on('finish', () => {
      finishRequest(options, request, raw.statusCode);
      unreadBodies.markAnswered(request.raw);
      // The response may have promised keep-alive before draining began.
      if (isDraining) {
        setImmediate(() => app.server.closeIdleConnections());
      }
    });
    raw.on('close', () => finishRequest(options, request, CLIENT_GONE));
    // Respond here, before Fastify reads Content-Type or body, so that callers without permission learn nothing else.
    const startServing = () => {
      const watchStall = () => abortWhenStalled(raw, options.limits.sendTimeoutMs);
      serveRequest(context, request, reply).then((broken) => {
        if (broken !== undefined) {
          abortReply(context, request, reply, broken.reason);
        }
        runAtEndOfTurn(watchStall);
      }, failed);
    };
    // One request at a time per connection: responses to pipelined requests would wait in memory for the first.
    if (raw.socket === null) {
      runAfterEarlierReplies(request, reply, startServing, () => finishRequest(options, request, CLIENT_GONE));
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
function finishRequest<S>(options: AppOptions<S>, request: FastifyRequest, status: number): void {
  // Some connections close without a finish event, others emit both events.
  if (request.context.isFinished) {
    return;
  }
  request.context.isFinished = true;
  const durationMs = performance.now() - request.context.startedAtMs;
  const line = createLogLine(request, status, durationMs);
  options.logger.logRequest(line);
  options.logAccess?.(createAccessEntry(request, line));
  options.onFinished?.({
    pattern: request.context.match?.resource.pattern,
    method: request.method,
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
  const [path = ''] = splitUrl(originalUrl);
  const line = {
    requestId: id,
    method,
    path,
    route: context.match?.resource.pattern ?? '-',
    status,
    ms: Math.round(durationMs * 10) / 10,
    user: context.principal?.name ?? '-',
    client: context.origin?.clientAddress ?? '-',
    ...context.operation,
  };
  if (context.problem === undefined && status !== CLIENT_GONE) {
    return line;
  }
  return {
    ...line,
    ...(context.problem === undefined
      ? {}
      : { code: context.problem.code, reason: formatLogMessage(context.problem, path) }),
    ...(status === CLIENT_GONE ? { note: 'the client disconnected' } : {}),
  };
}

function createAccessEntry(
  { context, originalUrl, raw }: FastifyRequest,
  { method, status, ms, user, client }: LoggedRequest,
): AccessEntry {
  return {
    method,
    status,
    ms,
    user,
    client,
    target: originalUrl,
    httpVersion: raw.httpVersion,
    bytes: context.countSentBytes?.() ?? 0,
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
  finishRequest(options, request, 500);
  raw.destroy();
}

/** Waits for its turn on the connection, after the earlier responses are sent. */
function runAfterEarlierReplies(
  request: FastifyRequest,
  { raw }: FastifyReply,
  answer: () => void,
  gone: () => void,
): void {
  raw.once('socket', (socket: Socket) => {
    request.raw.off('close', gone);
    // Clear the stall timeout of the previous response while this one is computed.
    socket.setTimeout(0);
    answer();
  });
  request.raw.once('close', gone);
}

function rejectSchemas(): never {
  throw new Error('Routes must not have Fastify schemas');
}

/**
 * Returns a function that destroys connections without any bytes so far; call it once the server accepts no more
 * connections. Node treats them as active to enforce the headers timeout, so a closing server would wait for them.
 */
function watchSilentConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

interface UnreadBodies {
  /** Call it when the response to a request is written. */
  markAnswered(request: IncomingMessage): void;
  /** From now on, closes such connections soon after their response. */
  end(): void;
}

/** Time for the client to read its response: closing a connection with unread bytes discards the response. */
const LINGER_MS = 500;

/**
 * Drains the bodies of requests that were answered before the body was read completely, such as an upload to a full
 * disk. Many clients read the response only after they have sent everything. Node drains only bodies of which nothing
 * was read. A server that stops does not wait for the rest.
 */
function watchUnreadBodies(): UnreadBodies {
  const unread = new Set<IncomingMessage>();
  let isEnding = false;

  function closeSoon({ socket }: IncomingMessage): void {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return {
    markAnswered(request) {
      // Injected requests of tests have no connection and leave `complete` undefined.
      if (request.complete !== false || request.destroyed) return;
      unread.add(request);
      request.once('close', () => unread.delete(request));
      request.resume();
      if (isEnding) closeSoon(request);
    },
    end() {
      isEnding = true;
      for (const each of unread) closeSoon(each);
    },
  };
}
