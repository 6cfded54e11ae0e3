/**
 * The request headers that decide how a response looks: If-Match and If-None-Match with record versions as ETags
 * (`"17.json"` is version 17 of a resource, in JSON), and Prefer (RFC 7240).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { HttpRequest } from '../context/exchange.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

/** Each format has its own tag, because the bytes differ; only the number decides whether a change may proceed. */
export function formatEntityTag(version: number, format: string): string {
  return `"${version}.${format}"`;
}

/** Whether the client's copy is current (If-None-Match on a read). */
export function isFresh(headers: IncomingHttpHeaders, tag: string): boolean {
  const header = headers['if-none-match'];
  return (
    header !== undefined &&
    (header.trim() === '*' || parseTags(header).some((each) => each.replace(/^W\//, '') === tag))
  );
}

/** Parses the precondition of a read; If-None-Match only affects freshness there. */
export function parseReadPrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = headers['if-match'];
  return ifMatch === undefined ? {} : { ifMatch: parseVersions(ifMatch) };
}

/** Parses the precondition of a write. */
export function parsePrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifNoneMatch = headers['if-none-match'];
  return {
    ...parseReadPrecondition(headers),
    // If-None-Match uses weak comparison (RFC 9110, 13.1.2).
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseVersions(ifNoneMatch.replaceAll('W/"', '"')) }),
  };
}

function parseVersions(header: string): ReadonlySet<number> | 'any' {
  if (header.trim() === '*') {
    return 'any';
  }
  // A weak tag never satisfies If-Match; a foreign tag matches no version.
  return new Set(
    parseTags(header)
      .flatMap((tag) => /^"(\d{1,15})(?:\.\w+)?"$/.exec(tag)?.[1] ?? [])
      .map(Number),
  );
}

function parseTags(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** Adds the ETag and returns whether the client's copy is current. */
export function addTagAndCheckFresh(
  request: HttpRequest,
  headers: HeaderList,
  version: number | undefined,
  format: string,
): boolean {
  if (version === undefined) {
    return false;
  }
  const requestHeaders = request.raw.headers;
  const tag = formatEntityTag(version, format);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && requestHeaders['if-match'] !== undefined) {
    checkPrecondition(parseReadPrecondition(requestHeaders), version);
  }
  // The result of a dry run has no version.
  if (!request.context.isDryRun) {
    headers.push('etag', tag);
  }
  return isRead && isFresh(requestHeaders, tag);
}

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
