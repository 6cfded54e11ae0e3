/**
 * CORS headers: pages of other origins can read public responses of services, but no responses to authenticated users.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

/** All origins, or a list of origins. */
export type CorsOrigins = '*' | readonly string[];

/** Headers that scripts can read in addition to those that browsers always expose. */
const EXPOSED_HEADERS = 'Content-Crs, Content-Disposition, ETag, Link, Location, Retry-After, Warning, X-Request-Id';

/** Excludes Authorization: pages of other origins read anonymously. */
const ALLOWED_HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, Prefer';

/** POST is for long filters. */
const ALLOWED_METHODS = 'GET, HEAD, POST, OPTIONS';

/** How long browsers cache a preflight response. */
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
