/** Record versions as ETags: `"17.json"` is version 17 of a resource, in JSON. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '../../lib/problems/precondition.ts';

/** Each format has its own tag, since their bytes differ; the number alone decides whether a change may go ahead. */
export function formatEntityTag(version: number, format: string): string {
  return `"${version}.${format}"`;
}

/** Whether a client's copy is still good (If-None-Match on a read). */
export function isFresh(headers: IncomingHttpHeaders, tag: string): boolean {
  const header = headers['if-none-match'];
  return (
    header !== undefined &&
    (header.trim() === '*' || parseTags(header).some((each) => each.replace(/^W\//, '') === tag))
  );
}

/** What a client says of the state it wants to read; its If-None-Match is a matter of freshness. */
export function parseReadPrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = headers['if-match'];
  return ifMatch === undefined ? {} : { ifMatch: parseVersions(ifMatch) };
}

/** What a client says of the state it wants to change. */
export function parsePrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifNoneMatch = headers['if-none-match'];
  return {
    ...parseReadPrecondition(headers),
    // Here a weak tag is as good as a strong one (RFC 9110, 13.1.2).
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseVersions(ifNoneMatch.replaceAll('W/"', '"')) }),
  };
}

function parseVersions(header: string): ReadonlySet<number> | 'any' {
  if (header.trim() === '*') {
    return 'any';
  }
  // A weak tag never satisfies If-Match; one that is not ours names no version of ours.
  return new Set(
    parseTags(header)
      .flatMap((tag) => /^"(\d{1,15})(?:\.\w+)?"$/.exec(tag)?.[1] ?? [])
      .map(Number),
  );
}

function parseTags(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
