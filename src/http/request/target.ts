/** Splits the target of a request line into path and query. */

export function splitUrl(url: string): [path: string, query: string] {
  // A proxy can send an absolute URL with a password, which must not reach the log.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
