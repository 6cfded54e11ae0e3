/** Keys of remembered answers that others would get; the part behind the mark is not sent. */
const MARK = '#as:';

export function addViewAs(path: string, viewAs: string | undefined): string {
  return viewAs === undefined ? path : `${path}${MARK}${viewAs}`;
}

export function splitViewAs(key: string): { readonly path: string; readonly viewAs: string | undefined } {
  const [path = '', viewAs] = key.split(MARK);
  return { path, viewAs };
}
