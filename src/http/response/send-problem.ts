/** Sends a problem in the negotiated format. */

import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { findChallenge } from '../auth/challenge.ts';
import { guessBodyFormat } from '../body/body.ts';
import type { HttpRequest, HttpResponse } from '../context/exchange.ts';
import { findDocumentFormat, findQueryFormat } from '../negotiate/negotiation.ts';
import { splitUrl } from '../request/request-head.ts';
import type { Format } from '../serialization/format.ts';
import type { ProblemContext } from '../session/service-reply.ts';
import { buildRootUrl } from './print-document.ts';
import { chooseErrorOffer, createErrorReply } from './problems.ts';
import { createReplyHeaders, plainTextType, type ReplyOptions, sendReply } from './reply.ts';

export function sendProblem<S>(
  problem: Problem,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): void {
  const { dialect } = options;
  request.context.problem = problem;
  const status = dialect.statuses[problem.code] ?? problem.status;
  const headers = createReplyHeaders(request, options);
  const authenticate = findChallenge(problem, status, request.context.credentials);
  if (authenticate !== undefined) {
    headers.push('www-authenticate', authenticate);
  }
  if (problem.details['retryAfterSeconds'] !== undefined) {
    headers.push('retry-after', String(problem.details['retryAfterSeconds']));
  }
  if (problem.code === 'method-not-allowed') {
    headers.push('allow', (problem.details['allowed'] as readonly string[]).join(', '));
  }
  if (status === 404 && isQuiet(request.originalUrl)) {
    headers.push('content-type', plainTextType);
    sendReply(reply, status, headers, '');
    return;
  }
  const errors = request.context.match?.resource.errors ?? { style: 'negotiated' };
  if (errors.style === 'service') {
    const explained = errors.explain(problem, createProblemContext(request));
    headers.push('content-type', explained.contentType);
    sendReply(reply, explained.status, headers, explained.body);
    return;
  }
  const { style } = errors;
  const isPlain = dialect.errorBodies === 'plain text' && style === 'negotiated';
  const offer = chooseProblemOffer(problem, isPlain, { ...createErrorContext(request), style });
  const error = createErrorReply(problem, status, offer, `${buildRootUrl(request, options)}.html`);
  headers.push('content-type', error.contentType);
  sendReply(reply, status, headers, error.body);
}

/** A problem that contains another problem needs a document. */
function chooseProblemOffer(
  { details }: Problem,
  isPlain: boolean,
  context: Parameters<typeof chooseErrorOffer>[0],
): ReturnType<typeof chooseErrorOffer> {
  if (details.answeredAs !== undefined) {
    return { format: 'problem', mediaType: 'application/problem+json' };
  }
  return isPlain ? plainText : chooseErrorOffer(context);
}

function createProblemContext(request: HttpRequest): ProblemContext {
  const [, sentQuery = ''] = splitUrl(request.originalUrl);
  const rawQuery = sentQuery
    .split('&')
    .filter((part) => !/^authkey=/i.test(part))
    .join('&');
  return { rawQuery, headers: request.raw.headers, baseUrl: request.context.origin?.baseUrl ?? '' };
}

function isQuiet(url: string): boolean {
  const query = new URLSearchParams(url.split('?')[1]);
  return parseFlag(query.get('quietOnNotFound') ?? '') ?? false;
}

const plainText = { format: 'text', mediaType: 'text/plain' } as const;

function createErrorContext(request: HttpRequest): Omit<Parameters<typeof chooseErrorOffer>[0], 'style'> {
  const { headers } = request.raw;
  const bodyFormat = guessBodyFormat(headers);
  const extension = findUrlFormat(request);
  return {
    ...(extension === undefined ? {} : { extension }),
    ...(headers.accept === undefined ? {} : { accept: headers.accept }),
    ...(bodyFormat === undefined ? {} : { bodyFormat }),
  };
}

/** Returns the format in the URL. */
function findUrlFormat({ context, originalUrl }: HttpRequest): Format | undefined {
  const [path, rawQuery] = splitUrl(originalUrl);
  if (context.route?.kind === 'file') {
    return findQueryFormat(rawQuery);
  }
  // The router strips extensions only from matched paths.
  return findDocumentFormat(context.match ? context.match.extension : /\.(\w+)$/.exec(path)?.[1]?.toLowerCase());
}

/** Returns the problem for the client, and logs the cause, which clients must not see. */
export function toReportedProblem(error: unknown, request: Pick<HttpRequest, 'id' | 'log'>): Problem {
  const known = error instanceof Problem ? error : findDiskProblem(error);
  if (known === undefined) {
    request.log.error({ requestId: request.id, err: error }, 'unexpected failure');
    return problem('unexpected', { requestId: request.id });
  }
  if (known.status >= 500 && known.cause !== undefined) {
    request.log.error({ requestId: request.id, err: known.cause }, 'the disk, the database or the object store failed');
  }
  return known;
}
