/** The target of a request line: its path and its query. */

export function splitUrl(url: string): [path: string, query: string] {
  // A proxy may send the whole URL, and with it even a password, which must not get into the log.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
