/** Links between resources, as defined by OGC APIs. */

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
  readonly [member: string]: unknown;
}

/** Escapes one path segment. Colons are kept, because `topp:states` is more readable. */
export function encodePathPart(name: string): string {
  return encodeURIComponent(name).replaceAll('%3A', ':');
}
