/** The headers that every reply begins with, and warnings among them. */

import { isAnonymous } from '../../lib/identity/principal.ts';
import { addCors } from '../auth/cors.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { STRICT_HANDLING } from '../request/prefer.ts';
import { formatContentType } from '../serialization/format.ts';
import { contentSecurityPolicy } from '../serialization/html-page.ts';
import type { HeaderList } from './send.ts';

export const plainTextType = formatContentType('text/plain');

/** What a reply depends on beside its request. */
export type ReplyOptions<S> = Pick<
  AppContext<S>,
  'restRoot' | 'dialect' | 'limits' | 'families' | 'isDraining' | 'sessions' | 'cors'
>;

/** Nothing may be sniffed: what is no page cannot be taken for one, and needs no other guard. */
const dataGuardHeaders = ['x-content-type-options', 'nosniff'];

/** Of what a browser may show as a page: it may not be framed, load or run anything, nor tell where people come from. */
const pageGuardHeaders = [
  ...dataGuardHeaders,
  ...Object.entries({
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }).flat(),
];

/** Pictures of samples and vector tiles hold nothing that could be run; drawings (SVG) might. */
function isData(mediaType: string): boolean {
  return mediaType === MVT || (mediaType.startsWith('image/') && !mediaType.startsWith('image/svg'));
}

const MVT = 'application/vnd.mapbox-vector-tile';

export function createReplyHeaders<S>(
  request: HttpRequest,
  options: ReplyOptions<S>,
  cacheControl = 'private, no-cache',
  vary = 'Accept',
  mediaType = '',
): HeaderList {
  const guards = isData(mediaType) ? dataGuardHeaders : pageGuardHeaders;
  const headers = ['x-request-id', request.id, 'cache-control', cacheControl, ...guards, 'vary', vary];
  const { principal, session, isDryRun, isStrict, unknown, match } = request.trail;
  if (match?.resource.explain !== undefined) {
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
  // A connection that a client keeps for more would hold up the end of the server until the drain timeout.
  if (options.isDraining()) {
    headers.push('connection', 'close');
  }
  return headers;
}

/** What clients have put there may be a page or a drawing with programs in it: a browser runs nothing of it, whoever asks. */
export function addSandbox(headers: HeaderList): void {
  const at = headers.indexOf('content-security-policy') + 1;
  headers[at] = `${contentSecurityPolicy}; sandbox`;
}

export function addWarnings(warnings: readonly string[] = [], headers: HeaderList): void {
  for (const warning of warnings) {
    headers.push('warning', formatWarning(warning));
  }
}

/** RFC 7234, 5.5: a header holds visible ASCII only, and quotes end the text. */
function formatWarning(warning: string): string {
  return `199 - "${toAscii(warning.replaceAll('"', "'").replaceAll('\\', '/'))}"`;
}

/** How much longer a text may become by that: clients take some kilobytes of headers, and there may be twenty warnings. */
const MAX_ADDED_CHARACTERS = 240;

/** As in an address, where the same names stand: `Stra%C3%9Fe`. What would become too long has `?` for each such character. */
function toAscii(text: string): string {
  const shown = text.toWellFormed().replaceAll('…', '...');
  const encoded = shown.replaceAll(/%(?=[\dA-Fa-f]{2})|[^ -~]+/g, encodeURIComponent);
  return encoded.length - shown.length <= MAX_ADDED_CHARACTERS ? encoded : shown.replaceAll(/[^ -~]/gu, '?');
}
