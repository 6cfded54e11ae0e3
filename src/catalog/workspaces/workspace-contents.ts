/** The first of what is in a workspace, however much that is. */
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import { layerKind } from '../kinds/layer.ts';
import { layerGroupKind } from '../kinds/layer-group.ts';
import { createQualifiedKeyRange, splitQualifiedKey } from '../kinds/resource.ts';
import type { Store } from '../kinds/store.ts';
import { storeKinds } from '../kinds/store-kinds.ts';
import { styleKind } from '../kinds/style.ts';

export interface WorkspaceContents {
  readonly workspace: Workspace;
  /** By name, as everything in it. */
  readonly layers: readonly string[];
  readonly layerGroups: readonly string[];
  readonly styles: readonly string[];
  readonly stores: readonly Store[];
}

/** As many of each as `limit`. */
export async function listWorkspaceContents(
  catalog: CatalogReader,
  workspace: Workspace,
  limit: number,
): Promise<WorkspaceContents> {
  const [layers, layerGroups, styles, ...stores] = await Promise.all([
    catalog.listKeyValues(layerKind, 'qualifiedName', createQualifiedKeyRange(workspace.id, { limit })),
    catalog.list(layerGroupKind, workspace.id, { limit }),
    catalog.list(styleKind, workspace.id, { limit }),
    ...storeKinds.map((kind) => catalog.list(kind, workspace.id, { limit })),
  ]);
  return {
    workspace,
    layers: layers.map((key) => splitQualifiedKey(key)[1]),
    layerGroups: layerGroups.map(({ name }) => name),
    styles: styles.map(({ name }) => name),
    stores: stores.flat().slice(0, limit),
  };
}
