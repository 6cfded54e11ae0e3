/** The common headers of responses, including warnings. */

import { isAnonymous } from '../../lib/identity/principal.ts';
import { addCors } from '../auth/cors.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { splitUrl } from '../request/query.ts';
import type { Outcome } from '../routes/outcome.ts';
import { formatContentType } from '../serialization/format.ts';
import { contentSecurityPolicy } from '../serialization/html-page.ts';
import { STRICT_HANDLING } from './conditions.ts';
import type { HeaderList } from './send.ts';

export const plainTextType = formatContentType('text/plain');

/** The options that responses depend on. */
export type ReplyOptions<S> = Pick<
  AppContext<S>,
  'restRoot' | 'dialect' | 'limits' | 'families' | 'isDraining' | 'sessions' | 'cors'
>;

/** Disables content sniffing. Data that cannot be a page needs no other headers. */
const dataGuardHeaders = ['x-content-type-options', 'nosniff'];

/** For everything that a browser can render as a page: no framing, no loading, no scripts, no referrer. */
const pageGuardHeaders = [
  ...dataGuardHeaders,
  ...Object.entries({
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }).flat(),
];

/** Raster images and vector tiles contain no executable content; SVG can. */
function isData(mediaType: string): boolean {
  return mediaType === MVT || (mediaType.startsWith('image/') && !mediaType.startsWith('image/svg'));
}

const MVT = 'application/vnd.mapbox-vector-tile';

interface CommonHeaders {
  readonly cacheControl?: string;
  readonly vary?: string;
  readonly mediaType?: string;
}

export function createReplyHeaders<S>(
  request: HttpRequest,
  options: ReplyOptions<S>,
  { cacheControl = 'private, no-cache', vary = 'Accept', mediaType = '' }: CommonHeaders = {},
): HeaderList {
  const guards = isData(mediaType) ? dataGuardHeaders : pageGuardHeaders;
  const headers = ['x-request-id', request.id, 'cache-control', cacheControl, ...guards, 'vary', vary];
  const { principal, session, isDryRun, isStrict, unknown, match } = request.context;
  if (match?.resource.errors.style === 'service') {
    addCors(options.cors, principal, request.raw.headers, headers);
  }
  if (principal !== undefined && !isAnonymous(principal)) {
    headers.push('graticule-position', String(session?.position() ?? options.sessions.position()));
  }
  if (isDryRun) {
    headers.push('graticule-dry-run', 'true');
  }
  if (isStrict) {
    headers.push('preference-applied', STRICT_HANDLING);
  } else {
    addWarnings(unknown?.listWarnings(), headers);
  }
  // A kept-alive connection would delay the shutdown until the drain timeout.
  if (options.isDraining()) {
    headers.push('connection', 'close');
  }
  return headers;
}

/** Sandboxes uploaded content, which can be a page or an SVG with scripts. */
export function addSandbox(headers: HeaderList): void {
  const at = headers.indexOf('content-security-policy') + 1;
  headers[at] = `${contentSecurityPolicy}; sandbox`;
}

/** Allows the form of a page, which is sent to this server only. */
export function allowForm(headers: HeaderList): void {
  const at = headers.indexOf('content-security-policy') + 1;
  headers[at] = contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'");
}

export function addWarnings(warnings: readonly string[] = [], headers: HeaderList): void {
  for (const warning of warnings) {
    headers.push('warning', formatWarning(warning));
  }
}

/** RFC 7234, 5.5: visible ASCII only, without quotes. */
function formatWarning(warning: string): string {
  return `199 - "${toAscii(warning.replaceAll('"', "'").replaceAll('\\', '/'))}"`;
}

/** The limit for added characters: clients accept some kilobytes of headers, and there can be twenty warnings. */
const MAX_ADDED_CHARACTERS = 240;

/** Percent-encodes as in URLs: `Stra%C3%9Fe`. If the result is too long, each such character becomes `?`. */
function toAscii(text: string): string {
  const shown = text.toWellFormed().replaceAll('…', '...');
  const encoded = shown.replaceAll(/%(?=[\dA-Fa-f]{2})|[^ -~]+/g, encodeURIComponent);
  return encoded.length - shown.length <= MAX_ADDED_CHARACTERS ? encoded : shown.replaceAll(/[^ -~]/gu, '?');
}

/** Adds the number of the change, the warnings and headers of the handler, and the link to the next page. */
export function addOutcomeHeaders(outcome: Outcome, request: HttpRequest, headers: HeaderList): void {
  const change = request.context.session?.changeNumber() ?? null;
  if (change !== null) {
    headers.push('graticule-change', String(change));
  }
  if ('warnings' in outcome) {
    addWarnings(outcome.warnings, headers);
  }
  if ('headers' in outcome) {
    headers.push(...Object.entries(outcome.headers ?? {}).flat());
  }
  const next = outcome.kind === 'printed' ? outcome.list.next : 'next' in outcome ? outcome.next : undefined;
  if (next !== undefined) {
    headers.push('link', `<${buildUrlWith(next, request)}>; rel="next"`);
  }
}

/** Returns the URL of the same request with some parameters replaced. */
function buildUrlWith(parameters: Readonly<Record<string, string>>, request: HttpRequest): string {
  const [path, query] = splitUrl(request.originalUrl);
  const wanted = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) wanted.set(name, value);
  return `${request.context.origin?.baseUrl ?? ''}${path}?${wanted}`;
}
