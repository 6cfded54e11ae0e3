/**
 * Serves a request as one transaction: the response stays in memory until the commit, and inner operations can join.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, type Principal } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { WholeBody } from './body/whole-body.ts';
import type { AppContext, RequestContext } from './context/app-options.ts';
import { createDisconnectSignal } from './context/disconnect-signal.ts';
import { type Exchange, type HttpRequest, type HttpRequestBody, RecordedResponse } from './context/exchange.ts';
import { ReplayableBody } from './context/replayable-body.ts';
import { splitUrl } from './request/request-head.ts';
import { readReturnPreference, sendReply, wantsStrict } from './response/reply.ts';
import { toReportedProblem } from './response/send-problem.ts';
import type { BatchContext, InnerOperation, OperationResult } from './routes/route.ts';
import { type Match, matchOrProblem } from './routes/router.ts';
import { runCommand } from './run-command.ts';
import { finalizeReply } from './session/final-reply.ts';
import type { RecordedReply } from './session/recorded-reply.ts';
import type { TransactionSession } from './session/session.ts';
import { createPrincipalReader } from './steps/authenticate-again.ts';
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
      const transaction = createOpenTransaction(exchange, session);
      const done = await executeRoute(app, {
        match,
        rawQuery,
        session,
        request: again,
        signal: transaction.signal,
        ...(isBatch ? { batchContext: createBatchContext(transaction) } : {}),
      });
      if ('allowed' in done) {
        throw new Error('A route without a handler was executed in a transaction');
      }
      return {
        recorded: await recordReply(transaction, again, done),
        request: key === undefined ? '' : await computeFingerprint(request, body),
      };
    },
  );
  context.change = change?.sequence;
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
  transaction: OpenTransaction<S>,
  request: HttpRequest,
  done: RouteResult<S>,
): Promise<RecordedReply> {
  const { app, session } = transaction;
  const recording = new RecordedResponse(request, MAX_REPLY_BYTES);
  const broken = await sendRouteResult({ app, request, reply: recording }, done, session);
  if (broken !== undefined) throw broken.reason;
  const isWanted = readReturnPreference(request.raw.headers, request.method) === 'representation';
  return isWanted && done.buildChange === undefined && canReturnResource(done.route)
    ? replaceBodyWithResource(
        recording.reply,
        done.outcome,
        { request, restRoot: app.restRoot, getRenames: async () => session.getRenames() },
        (operation) => performOperation(transaction, operation),
      )
    : recording.reply;
}

/** A transaction whose operations run on behalf of the client of a request. */
interface OpenTransaction<S> {
  readonly app: AppContext<S>;
  readonly session: TransactionSession<S>;
  readonly request: HttpRequest;
  /** The client with the permissions and the password that it has after the previous operations. */
  readonly readPrincipal: () => Promise<Principal>;
  readonly signal: () => AbortSignal;
}

function createOpenTransaction<S>(
  { app, request, reply }: Exchange<S>,
  session: TransactionSession<S>,
): OpenTransaction<S> {
  const readPrincipal = createPrincipalReader(app, session, request);
  return { app, session, request, readPrincipal, signal: () => createDisconnectSignal(reply) };
}

function createBatchContext<S>(transaction: OpenTransaction<S>): BatchContext {
  const { app, session, request, readPrincipal, signal } = transaction;
  const baseUrl = request.context.origin?.baseUrl ?? '';
  return {
    setChangeName: (what) => session.setChangeName(what),
    findPattern(path) {
      const [rawPath] = splitUrl(`${app.restRoot}${path}`);
      const match = matchOrProblem(app.router, rawPath);
      return match === undefined || match instanceof Problem
        ? undefined
        : match.resource.pattern.slice(app.restRoot.length);
    },
    perform: (operation) => performOperation(transaction, operation),
    run: (command, unverified) =>
      attemptOperation(transaction, request, (principal) =>
        runCommand(app, { session, principal, baseUrl, signal, unverified }, command),
      ),
    readPrincipal,
  };
}

/** Authorizes and executes an operation; if it fails, its changes are rolled back and earlier changes stay. */
async function attemptOperation<S, T>(
  { session, readPrincipal }: OpenTransaction<S>,
  request: Pick<HttpRequest, 'id' | 'log'>,
  work: (principal: Principal) => Promise<T>,
): Promise<T> {
  try {
    const principal = await readPrincipal();
    return await session.attempt(() => work(principal));
  } catch (error) {
    throw toReportedProblem(error, request);
  }
}

async function performOperation<S>(
  transaction: OpenTransaction<S>,
  operation: InnerOperation,
): Promise<OperationResult> {
  const { app, session, request: outer, signal } = transaction;
  const request = createInnerRequest(app, session, operation, outer);
  const context = request.context as RequestContext<S>;
  const [rawPath, rawQuery] = splitUrl(request.originalUrl);
  const done = await attemptOperation(transaction, request, async (principal) => {
    context.principal = principal;
    const match = matchOrProblem(app.router, rawPath) ?? problem('path-unknown', { path: rawPath });
    if (match instanceof Problem) throw match;
    context.match = match;
    const result = await executeRoute(app, { session, match, rawQuery, request, signal });
    if ('allowed' in result) {
      throw problem('method-not-allowed', { method: operation.method, allowed: result.allowed });
    }
    return result;
  });
  return {
    outcome: done.outcome,
    reply: () =>
      recordReply(transaction, request, done).catch((error: unknown) => {
        throw toReportedProblem(error, request);
      }),
  };
}

function createInnerRequest<S>(
  app: AppContext<S>,
  session: TransactionSession<S>,
  operation: InnerOperation,
  outer: HttpRequest,
): HttpRequest {
  const { method, path } = operation;
  const sent = { accept: 'application/json', ...operation.headers, ...toContentTypeHeader(operation) };
  const content = Buffer.from(operation.content ?? '');
  const raw: HttpRequestBody = new WholeBody(content, { headers: sent, socket: outer.raw.socket });
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

function toContentTypeHeader({ content, contentType }: InnerOperation): Pick<IncomingHttpHeaders, 'content-type'> {
  return content === undefined || contentType === undefined ? {} : { 'content-type': contentType };
}
