/** Finds the layer groups that a requested name can refer to. */
import { type LayerGroup, layerGroupKind } from '../../catalog/kinds/layer-group.ts';
import { findGroupIn } from '../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../catalog/workspaces/workspaces.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';

interface GroupCandidate {
  readonly group: LayerGroup;
  readonly workspace: Workspace | null;
}

/** The maximum number of groups with the same name that are compared. */
const MAX_NAMESAKES = 100;

/** Finds the groups that a name can refer to, by preference: global, in the default workspace, the only one. */
export async function findGroupCandidates(
  catalog: CatalogReader,
  within: Workspace | undefined,
  name: string,
): Promise<readonly GroupCandidate[]> {
  const colon = name.indexOf(':');
  const [prefix, local] = colon < 0 ? [undefined, name] : [name.slice(0, colon), name.slice(colon + 1)];
  const listGroupCandidatesIn = async (workspace: Workspace | null) =>
    (await findGroupIn(catalog, workspace, local)) ?? [];
  if (within !== undefined) {
    return prefix === undefined || prefix === within.name ? [await listGroupCandidatesIn(within)].flat() : [];
  }
  if (prefix !== undefined) {
    const workspace = await catalog.find(workspaceKind, null, prefix);
    return workspace === undefined || workspace.isolated ? [] : [await listGroupCandidatesIn(workspace)].flat();
  }
  const preferred = await getDefaultWorkspace(catalog).catch(() => undefined);
  const near = [
    await listGroupCandidatesIn(null),
    preferred === undefined ? [] : await listGroupCandidatesIn(preferred.workspace),
  ].flat();
  if (near.length > 0) return near;
  const groups = await catalog.findByKey(layerGroupKind, 'name', local, MAX_NAMESAKES);
  const placed: GroupCandidate[] = [];
  for (const group of groups) {
    const workspace = group.parent === null ? undefined : await catalog.get(workspaceKind, group.parent);
    if (workspace !== undefined && !workspace.isolated) placed.push({ group, workspace });
  }
  return placed.length === 1 ? placed : [];
}
