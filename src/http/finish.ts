/** What is done with every request once it is over: one line in the log, and a word to whoever counts. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppOptions } from './app-options.ts';
import { loggedSentence } from './logged-sentence.ts';
import { splitUrl } from './target.ts';

/** Stands in the log for the reply that nobody waited for; other servers use the same number. */
export const CLIENT_GONE = 499;

export function finish<S>(options: AppOptions<S>, request: FastifyRequest, reply: FastifyReply, status: number): void {
  // Some connections close without ever telling that the last byte went out; the reply before that was the end.
  if (request.trail.isFinished) {
    return;
  }
  request.trail.isFinished = true;
  logRequest(request, reply, status);
  options.finished?.({
    pattern: request.trail.match?.resource.pattern,
    method: request.method,
    status,
    durationMs: reply.elapsedTime,
  });
}

/**
 * One line a request, with what the client was told where it was refused. Paths hold names and no secrets; queries,
 * headers and bodies are never logged.
 */
function logRequest(request: FastifyRequest, reply: FastifyReply, status: number): void {
  const { trail } = request;
  const [path] = splitUrl(request.originalUrl);
  request.log.info(
    {
      requestId: request.id,
      method: request.method,
      path,
      route: trail.match?.resource.pattern ?? '-',
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: trail.principal?.name ?? '-',
      ...(trail.problem === undefined ? {} : { code: trail.problem.code, reason: loggedSentence(trail.problem, path) }),
      ...(status === CLIENT_GONE ? { note: 'the client hung up' } : {}),
    },
    'request',
  );
}
