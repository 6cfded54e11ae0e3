/** What is done with every request once it is over: one line in the log, and a word to whoever counts. */
import type { AppOptions, LoggedRequest } from './context/app-options.ts';
import type { HttpRequest } from './context/exchange.ts';
import { splitUrl } from './request/target.ts';
import { formatLogMessage } from './response/log-message.ts';

/** Stands in the log for the reply that nobody waited for; other servers use the same number. */
export const CLIENT_GONE = 499;

export function finishRequest<S>(options: AppOptions<S>, request: HttpRequest, status: number): void {
  // Some connections close without ever telling that the last byte went out; the reply before that was the end.
  if (request.trail.isFinished) {
    return;
  }
  request.trail.isFinished = true;
  const durationMs = performance.now() - request.trail.startedAtMs;
  options.logger.logRequest(createLogLine(request, status, durationMs));
  options.onFinished?.({
    pattern: request.trail.match?.resource.pattern,
    method: request.method,
    status,
    durationMs,
  });
}

/**
 * One line a request, with what the client was told where it was refused. Paths hold names and no secrets; queries,
 * headers and bodies are never logged.
 */
function createLogLine(
  { trail, id, method, originalUrl }: HttpRequest,
  status: number,
  durationMs: number,
): LoggedRequest {
  const [path = ''] = splitUrl(originalUrl);
  const line = {
    requestId: id,
    method,
    path,
    route: trail.match?.resource.pattern ?? '-',
    status,
    ms: Math.round(durationMs * 10) / 10,
    user: trail.principal?.name ?? '-',
  };
  if (trail.problem === undefined && status !== CLIENT_GONE) {
    return line;
  }
  return {
    ...line,
    ...(trail.problem === undefined ? {} : { code: trail.problem.code, reason: formatLogMessage(trail.problem, path) }),
    ...(status === CLIENT_GONE ? { note: 'the client hung up' } : {}),
  };
}
