/** Builds the Fastify application from the route tables. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AppContext, AppOptions, RequestContext } from './context/app-options.ts';
import { watchSilentConnections } from './request/silent-connections.ts';
import { watchUnreadBodies } from './request/unread-bodies.ts';
import { sendClientError } from './response/client-error.ts';
import { abortWhenStalled, runAtEndOfTurn } from './response/send.ts';
import { sendProblem, toReportedProblem } from './response/send-problem.ts';
import type { Route } from './routes/route.ts';
import { buildRouter } from './routes/router.ts';
import { serveRequest } from './serve.ts';
import { CLIENT_GONE, finishRequest } from './steps/finish-request.ts';

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
      serveRequest(context, request, reply).then(() => runAtEndOfTurn(watchStall), failed);
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
