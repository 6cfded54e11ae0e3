/** Lists the first contents of a workspace, limited in number. */
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
  /** By name, like the other fields. */
  readonly layers: readonly string[];
  readonly layerGroups: readonly string[];
  readonly styles: readonly string[];
  readonly stores: readonly Store[];
}

/** Lists at most `limit` of each kind, also of each kind of store. */
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
    stores: stores.flat(),
  };
}
