/** Finishes a request: writes one log line and updates the metrics. */
import type { AppOptions, LoggedRequest } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { splitUrl } from '../request/query.ts';
import { formatLogMessage } from '../response/log-message.ts';

/** The logged status if the client disconnected before the response; nginx uses the same number. */
export const CLIENT_GONE = 499;

export function finishRequest<S>(options: AppOptions<S>, request: HttpRequest, status: number): void {
  // Some connections close without a finish event, others emit both events.
  if (request.context.isFinished) {
    return;
  }
  request.context.isFinished = true;
  const durationMs = performance.now() - request.context.startedAtMs;
  options.logger.logRequest(createLogLine(request, status, durationMs));
  options.onFinished?.({
    pattern: request.context.match?.resource.pattern,
    method: request.method,
    status,
    durationMs,
  });
}

/**
 * Formats one line per request, with the problem of a rejected request. Paths contain names but no secrets; queries,
 * headers and bodies are never logged.
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
