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
import { type HttpRequest, type HttpRequestBody, type HttpResponse, RecordedResponse } from './context/exchange.ts';
import { ReplayableBody } from './context/replayable-body.ts';
import { readReturnPreference, wantsStrict } from './request/prefer.ts';
import { splitUrl } from './request/target.ts';
import { sendReply } from './response/send.ts';
import { toReportedProblem } from './response/send-problem.ts';
import type { BatchContext, InnerOperation, OperationResult } from './routes/route.ts';
import type { Match } from './routes/router.ts';
import { finalizeReply } from './session/final-reply.ts';
import type { RecordedReply } from './session/recorded-reply.ts';
import type { TransactionSession } from './session/session.ts';
import { executeRoute, type RouteResult } from './steps/execute-route.ts';
import { matchOrProblem } from './steps/match-path.ts';
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
export async function serveInTransaction<S>(
  app: AppContext<S>,
  target: TransactionRequest<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<void> {
  const { key } = target;
  const body = new ReplayableBody(request.raw, app.createSpoolFile);
  const serveOnce = () => serveReplayable(app, target, request, body, reply);
  try {
    if (key === undefined) {
      await serveOnce();
      return;
    }
    const sendEarlierReply = () => sendStoredReply(app, key, request, body, reply);
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
  app: AppContext<S>,
  { match, rawQuery, isDryRun, key }: TransactionRequest<S>,
  request: HttpRequest,
  body: ReplayableBody,
  reply: HttpResponse,
): Promise<void> {
  const context = request.context as RequestContext<S>;
  const isTogether = match.resource.methods.get(request.method)?.isOneChange === true;
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
      const recording = new RecordedResponse(request, MAX_REPLY_BYTES);
      const done = await executeRoute(app, {
        match,
        rawQuery,
        session,
        request: again,
        signal: () => createDisconnectSignal(reply),
        ...(isTogether ? { batchContext: createBatchContext(app, session, request, reply) } : {}),
      });
      if (done === undefined) {
        throw new Error('A route without a handler was executed in a transaction');
      }
      await recordReply(app, done, session, again, recording);
      return {
        recorded: await applyReturnPreference(app, done, session, recording.reply, again, (operation) =>
          performOperation(app, session, operation, request, reply),
        ),
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

/** Throws if the response breaks off, because nothing was sent yet. */
async function recordReply<S>(
  app: AppContext<S>,
  done: RouteResult<S>,
  session: TransactionSession<S>,
  request: HttpRequest,
  recorded: RecordedResponse,
): Promise<void> {
  const broken = await sendRouteResult(app, done, session, request, recorded);
  if (broken !== undefined) throw broken.reason;
}

/** Adds the written resource if the client prefers that. */
async function applyReturnPreference<S>(
  { restRoot }: AppContext<S>,
  done: RouteResult<S>,
  session: TransactionSession<S>,
  reply: RecordedReply,
  request: HttpRequest,
  show: (operation: InnerOperation) => Promise<OperationResult>,
): Promise<RecordedReply> {
  const isWanted = readReturnPreference(request.raw.headers, request.method) === 'representation';
  const returnsChange = done.tellChange !== undefined || done.route.isOneChange === true;
  return isWanted && !returnsChange && canReturnResource(done.route)
    ? replaceBodyWithResource(
        reply,
        done.outcome,
        { request, restRoot, getRenames: async () => session.getRenames() },
        show,
      )
    : reply;
}

function createBatchContext<S>(
  app: AppContext<S>,
  session: TransactionSession<S>,
  request: HttpRequest,
  reply: HttpResponse,
): BatchContext {
  return {
    setChangeName: (what) => session.setChangeName(what),
    findPattern(path) {
      const [rawPath] = splitUrl(`${app.restRoot}${path}`);
      const match = matchOrProblem(app.router, rawPath);
      return match === undefined || match instanceof Problem
        ? undefined
        : match.resource.pattern.slice(app.restRoot.length);
    },
    perform: (operation) => performOperation(app, session, operation, request, reply),
  };
}

async function performOperation<S>(
  app: AppContext<S>,
  session: TransactionSession<S>,
  operation: InnerOperation,
  outer: HttpRequest,
  reply: HttpResponse,
): Promise<OperationResult> {
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
      async reply() {
        const recorded = new RecordedResponse(request, MAX_REPLY_BYTES);
        await recordReply(app, done, session, request, recorded).catch((error: unknown) => {
          throw toReportedProblem(error, request);
        });
        return applyReturnPreference(app, done, session, recorded.reply, request, (inner) =>
          performOperation(app, session, inner, outer, reply),
        );
      },
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
