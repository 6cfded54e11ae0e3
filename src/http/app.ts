/** Builds the Fastify app from the families' route tables. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AppContext, AppOptions, RequestContext } from './context/app-options.ts';
import { CLIENT_GONE, finishRequest } from './finish-request.ts';
import { watchSilentConnections } from './request/silent-connections.ts';
import { watchUnreadBodies } from './request/unread-bodies.ts';
import { sendClientError } from './response/client-error.ts';
import { runAtEndOfTurn } from './response/end-of-turn.ts';
import { abortWhenStalled } from './response/send.ts';
import { sendProblem, toReportedProblem } from './response/send-problem.ts';
import { buildRouter } from './routes/router.ts';
import { serveRequest } from './serve.ts';

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>([
    ...options.outside.flatMap((table) => table.routes),
    ...options.families.flatMap((table) =>
      table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
    ),
  ]);

  const app = Fastify({
    // One line a request is written by us, with what the route tables know: with a logger Fastify would listen to each
    // reply and make a child of the logger for it, which costs more than the line.
    logger: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: options.limits.requestTimeoutMs,
    // Node's own numbers, unless they would make a shorter timeout longer: it looks every 30 seconds, and not at
    // requests at all before headers might be late.
    http: {
      // Filters travel in URLs, and so do polygons in them: services of features take request lines of 64 KB.
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(30_000, options.limits.requestTimeoutMs),
      headersTimeout: Math.min(60_000, options.limits.requestTimeoutMs),
    },
    // We read and write documents ourselves; making Fastify's own compilers takes a tenth of a start.
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: sendClientError,
    // Our router looks at the whole path itself: it alone knows which endings are formats and which belong to names.
    rewriteUrl: () => '/',
  });

  app.decorateRequest('trail');
  let isDraining = false;
  const door: AppContext<S> = { ...options, router, isDraining: () => isDraining, keysUnderWay: new Set() };
  const closeSilent = watchSilentConnections(app.server);
  const unreadBodies = watchUnreadBodies();
  app.addHook('preClose', async () => {
    isDraining = true;
    // Right after this hook no more connections are taken.
    setImmediate(closeSilent);
    unreadBodies.end();
  });
  app.addHook('onRequest', (request, reply, failed) => {
    const { raw } = reply;
    request.log = options.logger;
    request.trail = { startedAtMs: performance.now() };
    raw.on('finish', () => {
      finishRequest(options, request, raw.statusCode);
      unreadBodies.markAnswered(request.raw);
      // The client was told that it may keep the connection, when nobody knew of the end.
      if (isDraining) {
        setImmediate(() => app.server.closeIdleConnections());
      }
    });
    raw.on('close', () => finishRequest(options, request, CLIENT_GONE));
    // Answered here, before Fastify looks at a Content-Type or a body: whoever may not ask is told so and nothing else.
    const startServing = () => {
      const watchStall = () => abortWhenStalled(raw, options.limits.sendTimeoutMs);
      serveRequest(door, request, reply).then(() => runAtEndOfTurn(watchStall), failed);
    };
    // One at a time on each connection: replies to many requests sent at once would all wait in memory for the first.
    if (raw.socket === null) {
      runAfterEarlierReplies(request, reply, startServing, () => finishRequest(options, request, CLIENT_GONE));
    } else {
      startServing();
    }
  });

  // Hooks run on routes only. These two, for methods Fastify knows and for those it does not, are never reached.
  const throwUnreached = () => {
    throw new Error('A request was not answered by the door');
  };
  app.all('/', throwUnreached);
  app.setNotFoundHandler(throwUnreached);
  app.setErrorHandler((error, request, reply) => {
    sendProblem(toReportedProblem(error, request), request, reply, door);
    abortWhenStalled(reply.raw, options.limits.sendTimeoutMs);
    const { route } = request.trail as RequestContext<S>;
    // Services have more statuses than rows tell, and so has what holds another problem.
    if (route !== undefined && route.explain === undefined && request.trail.problem?.details.answeredAs === undefined) {
      options.observe?.(route, reply.statusCode);
    }
  });
  return app;
}

/** A request line of 64 KB and as many headers as Node takes otherwise. */
const MAX_HEADER_BYTES = 81_920;

/** Waits until the replies before this one are sent: then it is given the connection. */
function runAfterEarlierReplies(
  request: FastifyRequest,
  { raw }: FastifyReply,
  answer: () => void,
  gone: () => void,
): void {
  raw.once('socket', (socket: Socket) => {
    request.raw.off('close', gone);
    // That of the reply before this one: nobody has stalled while this one is worked on.
    socket.setTimeout(0);
    answer();
  });
  request.raw.once('close', gone);
}

function rejectSchemas(): never {
  throw new Error('No route of ours has a schema that Fastify knows of');
}
