/**
 * CORS headers: pages of other origins can read responses of services to anonymous requests and to tokens that they
 * send themselves, but no responses to credentials that browsers add.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderList } from '../session/recorded-reply.ts';

/** All origins, or a list of origins. */
export type CorsOrigins = '*' | readonly string[];

/** Headers that scripts can read in addition to those that browsers always expose. */
const EXPOSED_HEADERS = 'Content-Crs, Content-Disposition, ETag, Link, Location, Retry-After, Warning, X-Request-Id';

/** Pages of other origins can send tokens, which browsers never add by themselves. */
const ALLOWED_HEADERS = 'Accept, Accept-Language, Authorization, Content-Type, If-None-Match, Prefer';

/** POST is for long filters. */
const ALLOWED_METHODS = 'GET, HEAD, POST, OPTIONS';

/** How long browsers cache a preflight response. */
const PREFLIGHT_SECONDS = 600;

export function addCors(
  origins: CorsOrigins,
  { isAmbient, sent }: { readonly isAmbient: boolean; readonly sent: IncomingHttpHeaders },
  headers: HeaderList,
): void {
  if (origins !== '*') {
    headers.push('vary', 'Origin');
  }
  const { origin } = sent;
  if (isAmbient || origin === undefined) {
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
