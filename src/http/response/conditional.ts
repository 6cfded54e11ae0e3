/** Record versions as ETags: `"17.json"` is version 17 of a resource, in JSON. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '../../lib/problems/precondition.ts';

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
