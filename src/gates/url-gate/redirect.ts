/** Where a reply sends us, as a URL that is to be judged like the first one. */
import type { IncomingMessage } from 'node:http';
import type { PlainUrl } from './plain-url.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Undefined for a reply that is no redirect. */
export function redirectTarget(response: IncomingMessage, from: PlainUrl): string | undefined {
  const { statusCode = 0, headers } = response;
  if (!redirects.has(statusCode) || headers.location === undefined) {
    return undefined;
  }
  // Node hands over each byte of a header as one character.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8');
  if (/^[a-z][a-z0-9+.-]*:/i.test(location) || /[\\\p{Cc}\p{Z}]/u.test(location)) {
    return location;
  }
  // A relative one is completed here; `//other/path` keeps its host as it is written, to be looked at.
  return location.startsWith('//') ? `${from.scheme}:${location}` : (URL.parse(location, from.href)?.href ?? location);
}
