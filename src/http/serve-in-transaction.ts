/**
 * Serves a request as one transaction: the response stays in memory until the commit, and inner operations can join.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, type Principal } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { readCredentials } from './auth/authentication.ts';
import { WholeBody, type WholeContent } from './body/whole-body.ts';
import type { AppContext, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import { type Exchange, type HttpRequest, type HttpRequestBody, RecordedResponse } from './context/exchange.ts';
import { ReplayableBody } from './context/replayable-body.ts';
import { splitUrl } from './request/query.ts';
import { readReturnPreference, wantsStrict } from './response/conditions.ts';
import { sendReply } from './response/send.ts';
import { toReportedProblem } from './response/send-problem.ts';
import type { BatchContext, InnerOperation, OperationResult } from './routes/route.ts';
import type { Match } from './routes/router.ts';
import { matchOrProblem } from './routes/router.ts';
import { finalizeReply } from './session/final-reply.ts';
import type { RecordedReply } from './session/recorded-reply.ts';
import type { TransactionSession } from './session/session.ts';
import { executeRoute, type RouteResult } from './steps/execute-route.ts';
import {
  computeFingerprint,
  formatStoredReply,
  type RetryKey,
  runOncePerKey,
  sendStoredReply,
} from './steps/retries.ts';
import { canReturnResource, replaceBodyWithResource } from './steps/return-preference.ts';
import { sendRouteResult } from './steps/send-result.ts';

export interface TransactionRequest<S> {
  readonly match: Match<S>;
  readonly rawQuery: string;
  readonly isDryRun: boolean;
  /** The idempotency key. */
  readonly key?: RetryKey | undefined;
}

/** The limit for a response held in memory. */
const MAX_REPLY_BYTES = 268_435_456;

/** Serves requests that are one transaction, and requests with an idempotency key. */
export async function serveInTransaction<S>(exchange: Exchange<S>, target: TransactionRequest<S>): Promise<void> {
  const { app, request, reply } = exchange;
  const { key } = target;
  const body = new ReplayableBody(request.raw, app.createSpoolFile);
  const serveOnce = () => serveReplayable(exchange, target, body);
  try {
    if (key === undefined) {
      await serveOnce();
      return;
    }
    const sendEarlierReply = () => sendStoredReply(exchange, key, body);
    await runOncePerKey(app, key, async () => {
      if (await sendEarlierReply()) return;
      try {
        await serveOnce();
      } catch (error) {
        // Another node may have executed it meanwhile, and the error is its consequence.
        await app.sessions.refresh();
        if (reply.raw.headersSent || !(await sendEarlierReply())) throw error;
      }
    });
  } finally {
    await body.discard();
  }
}

async function serveReplayable<S>(
  exchange: Exchange<S>,
  { match, rawQuery, isDryRun, key }: TransactionRequest<S>,
  body: ReplayableBody,
): Promise<void> {
  const { app, request, reply } = exchange;
  const context = request.context as RequestContext<S>;
  const isBatch = match.resource.methods.get(request.method)?.kind === 'batch';
  const getPosition = () => app.sessions.position();
  const { result, change } = await app.sessions.runInTransaction<RecordedResult>(
    {
      isDryRun,
      principal: context.principal ?? anonymous,
      ...(key === undefined
        ? {}
        : {
            reply: ({ recorded, request: sent }, made) => ({
              who: key.who,
              key: key.key,
              request: sent,
              reply: formatStoredReply(finalizeReply(recorded, made, getPosition())),
            }),
          }),
    },
    async (session) => {
      context.session = session;
      context.unknown = undefined;
      const again: HttpRequest = { ...copyRequestFields(request), raw: body.open() };
      const done = await executeRoute(app, {
        match,
        rawQuery,
        session,
        request: again,
        signal: () => createDisconnectSignal(reply),
        ...(isBatch ? { batchContext: createBatchContext(exchange, session) } : {}),
      });
      if (done === undefined) {
        throw new Error('A route without a handler was executed in a transaction');
      }
      return {
        recorded: await recordReply(exchange, session, again, done),
        request: key === undefined ? '' : await computeFingerprint(request, body),
      };
    },
  );
  const { status, headers, body: text } = finalizeReply(result.recorded, change, getPosition());
  sendReply(reply, status, headers, text);
}

interface RecordedResult {
  readonly recorded: RecordedReply;
  /** The fingerprint of the request. */
  readonly request: string;
}

function copyRequestFields({ method, originalUrl, id, log, context }: HttpRequest): Omit<HttpRequest, 'raw'> {
  return { method, originalUrl, id, log, context };
}

/**
 * Records the response, with the written resource if the client prefers that. Throws if the response breaks off, because
 * nothing was sent yet.
 */
async function recordReply<S>(
  outer: Exchange<S>,
  session: TransactionSession<S>,
  request: HttpRequest,
  done: RouteResult<S>,
): Promise<RecordedReply> {
  const { app } = outer;
  const recording = new RecordedResponse(request, MAX_REPLY_BYTES);
  const broken = await sendRouteResult({ app, request, reply: recording }, done, session);
  if (broken !== undefined) throw broken.reason;
  const isWanted = readReturnPreference(request.raw.headers, request.method) === 'representation';
  return isWanted && done.buildChange === undefined && canReturnResource(done.route)
    ? replaceBodyWithResource(
        recording.reply,
        done.outcome,
        { request, restRoot: app.restRoot, getRenames: async () => session.getRenames() },
        (operation) => performOperation(outer, session, operation),
      )
    : recording.reply;
}

function createBatchContext<S>(exchange: Exchange<S>, session: TransactionSession<S>): BatchContext {
  const { app } = exchange;
  return {
    setChangeName: (what) => session.setChangeName(what),
    findPattern(path) {
      const [rawPath] = splitUrl(`${app.restRoot}${path}`);
      const match = matchOrProblem(app.router, rawPath);
      return match === undefined || match instanceof Problem
        ? undefined
        : match.resource.pattern.slice(app.restRoot.length);
    },
    perform: (operation) => performOperation(exchange, session, operation),
  };
}

async function performOperation<S>(
  exchange: Exchange<S>,
  session: TransactionSession<S>,
  operation: InnerOperation,
): Promise<OperationResult> {
  const { app, request: outer, reply } = exchange;
  const request = createInnerRequest(app, session, operation, outer);
  const context = request.context as RequestContext<S>;
  const [rawPath, rawQuery] = splitUrl(request.originalUrl);
  try {
    context.principal = await readCurrentPrincipal(app, session, outer);
    const match = matchOrProblem(app.router, rawPath) ?? problem('path-unknown', { path: rawPath });
    if (match instanceof Problem) throw match;
    context.match = match;
    const done = await session.attempt(() =>
      executeRoute(app, { session, match, rawQuery, request, signal: () => createDisconnectSignal(reply) }),
    );
    if (done === undefined) {
      throw problem('method-not-allowed', { method: operation.method, allowed: match.resource.allowed });
    }
    return {
      outcome: done.outcome,
      reply: () =>
        recordReply(exchange, session, request, done).catch((error: unknown) => {
          throw toReportedProblem(error, request);
        }),
    };
  } catch (error) {
    throw toReportedProblem(error, request);
  }
}

/**
 * Authenticates and authorizes each operation again, with the permissions and passwords after the previous operations.
 */
async function readCurrentPrincipal<S>(
  app: AppContext<S>,
  session: TransactionSession<S>,
  outer: HttpRequest,
): Promise<Principal> {
  const { principal = anonymous } = outer.context;
  const credentials = readCredentials(outer.raw.socket, outer.raw.headers);
  if (credentials === undefined) return principal;
  const now = await app.authenticateAgain(session.services, principal, credentials);
  if (now === undefined) throw problem('credentials-required', {});
  return now;
}

function createInnerRequest<S>(
  app: AppContext<S>,
  session: TransactionSession<S>,
  operation: InnerOperation,
  outer: HttpRequest,
): HttpRequest {
  const { method, path } = operation;
  const sent = { accept: 'application/json', ...operation.headers, ...toContentTypeHeader(operation) };
  const raw: HttpRequestBody = new WholeBody(toBodyContent(operation), { headers: sent, socket: outer.raw.socket });
  const { startedAtMs, origin, isDryRun } = outer.context;
  return {
    method,
    originalUrl: `${app.restRoot}${path}`,
    id: outer.id,
    log: outer.log,
    raw,
    context: {
      startedAtMs,
      session,
      isStrict: wantsStrict(sent),
      ...(origin === undefined ? {} : { origin }),
      ...(isDryRun === undefined ? {} : { isDryRun }),
    },
  };
}

function toBodyContent({ content = '', document }: InnerOperation): WholeContent {
  return document === undefined ? Buffer.from(content) : { document };
}

function toContentTypeHeader({
  content,
  contentType,
  document,
}: InnerOperation): Pick<IncomingHttpHeaders, 'content-type'> {
  if (document !== undefined) {
    return { 'content-type': 'application/json' };
  }
  return content === undefined || contentType === undefined ? {} : { 'content-type': contentType };
}
