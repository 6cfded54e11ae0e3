/** The address of a resource in one format, as it stands in links. */
import type { OutputObject, ResourcePath, WriteContext } from './output-tree.ts';

/**
 * Usually the extension just follows the name. But where a sibling has exactly that name, `/workspaces/a.xml` means the
 * sibling, and a slash before the extension says that `a` is meant.
 */
export function buildHref(
  path: ResourcePath,
  extension: string,
  context: WriteContext,
  siblings: OutputObject['siblings'] = [],
): string {
  const url = context.buildUrl(path);
  return siblings.includes(`${path.at(-1)}.${extension}`) ? `${url}/.${extension}` : `${url}.${extension}`;
}
