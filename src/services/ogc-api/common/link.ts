/** Links between resources, as OGC APIs write them. */

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
  readonly [member: string]: unknown;
}

/** One part of a path; a colon may stand as it is, which reads better in `topp:states`. */
export function encodePathPart(name: string): string {
  return encodeURIComponent(name).replaceAll('%3A', ':');
}
