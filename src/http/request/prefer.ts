/** What a client prefers: how strictly its request is read, and what it is told after a write (RFC 7240). */
import type { IncomingHttpHeaders } from 'node:http';

/** What a reply says to who asked for strictness and got it. */
export const STRICT_HANDLING = 'handling=strict';

/** Whether what is not understood shall be refused instead of passed over: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  return findPreference(headers, 'handling') === STRICT_HANDLING;
}

/** What a write shall answer with: the resource as it is then, or nothing. */
export type ReturnPreference = 'representation' | 'minimal';

export const returnMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Undefined for the usual reply. */
export function readReturnPreference(headers: IncomingHttpHeaders, method: string): ReturnPreference | undefined {
  const wanted = returnMethods.has(method) ? findPreference(headers, 'return')?.slice('return='.length) : undefined;
  return wanted === 'representation' || wanted === 'minimal' ? wanted : undefined;
}

/** With its name, such as `handling=strict`. */
function findPreference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  if (prefer === undefined) {
    return undefined;
  }
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : prefer).toLowerCase().split(',');
  // Of one that is sent twice the first counts; parameters behind a semicolon say nothing here.
  return preferences
    .map((preference) => (preference.split(';')[0] ?? '').replaceAll(/[\s"]/g, ''))
    .find((preference) => preference.startsWith(`${name}=`));
}
