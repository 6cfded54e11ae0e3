/** Parses the Prefer header (RFC 7240). */
import type { IncomingHttpHeaders } from 'node:http';

/** The applied preference in the response to a strict request. */
export const STRICT_HANDLING = 'handling=strict';

/** Whether unknown names are errors: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  return findPreference(headers, 'handling') === STRICT_HANDLING;
}

/** What a write returns: the resource after the change, or no body. */
export type ReturnPreference = 'representation' | 'minimal';

export const returnMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Returns undefined for the default response. */
export function readReturnPreference(headers: IncomingHttpHeaders, method: string): ReturnPreference | undefined {
  const wanted = returnMethods.has(method) ? findPreference(headers, 'return')?.slice('return='.length) : undefined;
  return wanted === 'representation' || wanted === 'minimal' ? wanted : undefined;
}

/** Returns the preference with its name, such as `handling=strict`. */
function findPreference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  if (prefer === undefined) {
    return undefined;
  }
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : prefer).toLowerCase().split(',');
  // Only the first of repeated preferences counts (RFC 7240, 2); parameters after a semicolon are ignored.
  return preferences
    .map((preference) => (preference.split(';')[0] ?? '').replaceAll(/[\s"]/g, ''))
    .find((preference) => preference.startsWith(`${name}=`));
}
