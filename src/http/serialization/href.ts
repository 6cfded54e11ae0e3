/** Builds the link to a resource in one format. */
import type { OutputObject, ResourcePath, WriteContext } from './output-tree.ts';

/**
 * Usually the extension follows the name. If a sibling has exactly that name, `/workspaces/a.xml` is the sibling, and a
 * slash before the extension selects `a`.
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
