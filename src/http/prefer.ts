/** What a client prefers, as far as a request can be read strictly or leniently (RFC 7240). */
import type { IncomingHttpHeaders } from 'node:http';

/** What a reply says to who asked for strictness and got it. */
export const strictApplied = 'handling=strict';

/** Whether what is not understood shall be refused instead of passed over: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  const { prefer } = headers;
  if (prefer === undefined) {
    return false;
  }
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : prefer).toLowerCase().split(',');
  // Of one that is sent twice the first counts; parameters behind a semicolon say nothing here.
  const handling = preferences
    .map((preference) => (preference.split(';')[0] ?? '').replaceAll(/[\s"]/g, ''))
    .find((preference) => preference.startsWith('handling='));
  return handling === strictApplied;
}
