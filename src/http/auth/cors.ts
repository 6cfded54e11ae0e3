/** Which pages of other sites may read what services give to anybody; never what they give to somebody. */
import type { IncomingHttpHeaders } from 'node:http';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

/** All of them, or those of these origins. */
export type CorsOrigins = '*' | readonly string[];

/** What a script may read of a reply beside what browsers always show it. */
const EXPOSED_HEADERS = 'Content-Crs, Content-Disposition, ETag, Link, Location, Retry-After, Warning, X-Request-Id';

/** Credentials are not among them: a page of another site reads as nobody. */
const ALLOWED_HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, Prefer';

/** Read with GET, or with POST where a filter is long. */
const ALLOWED_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Browsers ask no more often than this. */
const PREFLIGHT_SECONDS = 600;

export function addCors(
  origins: CorsOrigins,
  principal: Principal | undefined,
  sent: IncomingHttpHeaders,
  headers: HeaderList,
): void {
  if (origins !== '*') {
    headers.push('vary', 'Origin');
  }
  const { origin } = sent;
  if ((principal !== undefined && !isAnonymous(principal)) || origin === undefined) {
    return;
  }
  if (origins !== '*' && !origins.includes(origin)) {
    return;
  }
  headers.push('access-control-allow-origin', origins === '*' ? '*' : origin);
  if (sent['access-control-request-method'] === undefined) {
    headers.push('access-control-expose-headers', EXPOSED_HEADERS);
    return;
  }
  headers.push('access-control-allow-methods', ALLOWED_METHODS, 'access-control-allow-headers', ALLOWED_HEADERS);
  headers.push('access-control-max-age', String(PREFLIGHT_SECONDS));
}
