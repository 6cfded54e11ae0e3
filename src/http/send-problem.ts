/** A problem -> the reply that tells of it, in the format that was asked for. */

import { diskProblemOf } from '../lib/disk-problem.ts';
import { parseFlag } from '../lib/flag.ts';
import { Problem, problem } from '../lib/problem.ts';
import { challenge } from './authentication.ts';
import { bodyFormatOf } from './body.ts';
import type { Answer, Asked } from './exchange.ts';
import type { Format } from './formats/format.ts';
import { rootUrl } from './print-document.ts';
import { errorOffer, errorReply } from './problems.ts';
import { documentFormat, formatInQuery } from './rendition.ts';
import { headersFor, plainTextType, type ReplyOptions } from './reply-headers.ts';
import { send } from './send.ts';
import type { ProblemContext } from './service-reply.ts';
import { splitUrl } from './target.ts';

export function sendProblem<S>(problem: Problem, request: Asked, reply: Answer, options: ReplyOptions<S>): void {
  const { dialect } = options;
  request.trail.problem = problem;
  const status = dialect.statuses[problem.code] ?? problem.status;
  const headers = headersFor(request, options);
  if (status === 401) {
    headers.push('www-authenticate', challenge);
  }
  if (problem.details['retryAfterSeconds'] !== undefined) {
    headers.push('retry-after', String(problem.details['retryAfterSeconds']));
  }
  if (problem.code === 'method-not-allowed') {
    headers.push('allow', (request.trail.match?.resource.allowed ?? []).join(', '));
  }
  if (status === 404 && isQuiet(request.originalUrl)) {
    headers.push('content-type', plainTextType);
    send(reply, status, headers, '');
    return;
  }
  const explain = request.trail.match?.resource.explain;
  if (explain !== undefined) {
    const explained = explain(problem, contextOf(request));
    headers.push('content-type', explained.contentType);
    send(reply, explained.status, headers, explained.body);
    return;
  }
  const style = request.trail.match?.resource.errorStyle ?? 'asked';
  const isPlain = dialect.errorBodies === 'plain text' && style === 'asked';
  const offer = offerFor(problem, isPlain, { ...errorContext(request), style });
  const error = errorReply(problem, status, offer, `${rootUrl(request, options)}.html`);
  headers.push('content-type', error.contentType);
  send(reply, status, headers, error.body);
}

/** What holds another problem can only be told as a document. */
function offerFor(
  { details }: Problem,
  isPlain: boolean,
  context: Parameters<typeof errorOffer>[0],
): ReturnType<typeof errorOffer> {
  if (details.answeredAs !== undefined) {
    return { format: 'problem', mediaType: 'application/problem+json' };
  }
  return isPlain ? plainText : errorOffer(context);
}

function contextOf(request: Asked): ProblemContext {
  const [, rawQuery = ''] = splitUrl(request.originalUrl);
  return { rawQuery, headers: request.raw.headers, baseUrl: request.trail.origin?.baseUrl ?? '' };
}

function isQuiet(url: string): boolean {
  const query = new URLSearchParams(url.split('?')[1]);
  return parseFlag(query.get('quietOnNotFound') ?? '') ?? false;
}

const plainText = { format: 'text', mediaType: 'text/plain' } as const;

function errorContext(request: Asked): Omit<Parameters<typeof errorOffer>[0], 'style'> {
  const { headers } = request.raw;
  const bodyFormat = bodyFormatOf(headers);
  const extension = formatOf(request);
  return {
    ...(extension === undefined ? {} : { extension }),
    ...(headers.accept === undefined ? {} : { accept: headers.accept }),
    ...(bodyFormat === undefined ? {} : { bodyFormat }),
  };
}

/** The format that the URL names. */
function formatOf({ trail, originalUrl }: Asked): Format | undefined {
  const [path, rawQuery] = splitUrl(originalUrl);
  if (trail.route?.formatInQuery) {
    return formatInQuery(rawQuery);
  }
  // Where nothing is served, nobody has taken an extension off the path.
  return documentFormat(trail.match ? trail.match.extension : /\.(\w+)$/.exec(path)?.[1]?.toLowerCase());
}

/** What the client is told; the log has what is not its business. */
export function toldOf(error: unknown, request: Pick<Asked, 'id' | 'log'>): Problem {
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
