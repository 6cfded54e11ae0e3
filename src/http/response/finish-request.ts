/** Ends the record of a request: its log lines, its span and its metrics. */
import type { FastifyRequest } from 'fastify';
import { redactTokens } from '../../lib/identity/credentials.ts';
import type { AccessEntry, AppOptions, LoggedRequest } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { splitUrl } from '../request/request-head.ts';
import { createAuditEntry } from './audit-entry.ts';
import { endSpan } from './end-span.ts';
import { formatLogMessage } from './log-message.ts';
import { nameOperation } from './name-operation.ts';

/** The logged status if the client disconnected before the response; nginx uses the same number. */
export const CLIENT_GONE = 499;

/** Finishes a request: writes one log line and updates the metrics. */
export function finishRequest<S>(
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
    user: (context.principal?.preview?.viewer ?? context.principal)?.name ?? '-',
    client: context.origin?.clientAddress ?? '-',
    ...(context.operation === undefined
      ? {}
      : { operation: context.operation.operation, layers: context.operation.layers }),
  };
  if (context.principal?.preview !== undefined) Object.assign(line, { viewAs: context.principal.preview.as });
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

/** Connections of injected requests count nothing. */
export function readSentBytes(socket: { readonly bytesWritten?: number }): number {
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
