/** The paths of layer groups and their members. */
import type { VisiblePart } from '../../catalog/layer-groups/layer-groups.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';

/** A global group has no workspace. */
export function getLayerGroupPath(name: string, workspace: string | null): ResourcePath {
  return workspace === null ? ['layergroups', name] : ['workspaces', workspace, 'layergroups', name];
}

/** Every layer belongs to a workspace. */
export function getPartPath({ of, name, workspace }: Pick<VisiblePart, 'of' | 'name' | 'workspace'>): ResourcePath {
  return of === 'layerGroup' ? getLayerGroupPath(name, workspace) : ['workspaces', workspace ?? '', 'layers', name];
}
