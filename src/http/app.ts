/** Builds the Fastify app from the families' route tables. */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { diskProblemOf } from '../lib/disk-problem.ts';
import { Problem, problem } from '../lib/problem.ts';
import type { AppOptions, Door, Trail } from './app-options.ts';
import { answerClientError } from './client-error.ts';
import { CLIENT_GONE, finish } from './finish.ts';
import { sendProblem } from './reply.ts';
import { buildRouter } from './router.ts';
import { serve } from './serve.ts';

export function buildApp<S>(options: AppOptions<S>): FastifyInstance {
  const router = buildRouter<S>([
    ...options.outside.flatMap((table) => table.routes),
    ...options.families.flatMap((table) =>
      table.routes.map((route) => ({ ...route, path: `${options.restRoot}${route.path}` })),
    ),
  ]);

  const app = Fastify({
    loggerInstance: options.logger,
    // One line a request is written by us, with what the route tables know; Fastify's own would repeat it.
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child for each request costs more than the line it writes.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: options.limits.requestTimeoutMs,
    // Node's own numbers, unless they would make a shorter timeout longer: it looks every 30 seconds, and not at
    // requests at all before headers might be late.
    http: {
      connectionsCheckingInterval: Math.min(30_000, options.limits.requestTimeoutMs),
      headersTimeout: Math.min(60_000, options.limits.requestTimeoutMs),
    },
    // We read and write documents ourselves; making Fastify's own compilers takes a tenth of a start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
    // Our router looks at the whole path itself: it alone knows which endings are formats and which belong to names.
    rewriteUrl: () => '/',
  });

  app.decorateRequest('trail');
  let isDraining = false;
  const door: Door<S> = { ...options, isDraining: () => isDraining };
  app.addHook('preClose', async () => {
    isDraining = true;
  });
  app.addHook('onRequest', (request, reply, failed) => {
    request.trail = {};
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) {
        finish(options, request, reply, CLIENT_GONE);
      }
    });
    // Answered here, before Fastify looks at a Content-Type or a body: whoever may not ask is told so and nothing else.
    serve(door, router, request, reply).catch(failed);
  });
  app.addHook('onResponse', (request, reply, done) => {
    finish(options, request, reply, reply.statusCode);
    done();
  });

  // Hooks run on routes only. These two, for methods Fastify knows and for those it does not, are never reached.
  const unreached = () => {
    throw new Error('A request was not answered by the door');
  };
  app.all('/', unreached);
  app.setNotFoundHandler(unreached);
  app.setErrorHandler((error, request, reply) => {
    sendProblem(toldOf(error, request), request, reply, door);
    const { route } = request.trail as Trail<S>;
    if (route !== undefined) {
      options.observe?.(route, reply.statusCode);
    }
  });
  return app;
}

function noSchemas(): never {
  throw new Error('No route of ours has a schema that Fastify knows of');
}

/** What the client is told; the log has what is not its business. */
function toldOf(error: unknown, request: FastifyRequest): Problem {
  const known = error instanceof Problem ? error : diskProblemOf(error);
  if (known === undefined) {
    request.log.error({ requestId: request.id, err: error }, 'unexpected failure');
    return problem('unexpected', { requestId: request.id });
  }
  if (known.status >= 500 && known.cause !== undefined) {
    request.log.error({ requestId: request.id, err: known.cause }, 'the disk or the database failed');
  }
  return known;
}
