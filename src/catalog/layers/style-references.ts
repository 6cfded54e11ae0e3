/** Finds the layers that use a style, and the styles that a layer refers to. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { type Layer, layerKind, listLayerStyleReferences, removeStyles } from '../kinds/layer.ts';
import { references } from '../kinds/references.ts';
import { type Style, type StyleReference, styleKind } from '../kinds/style.ts';

export function toStyleReference(style: Style): StyleReference {
  return style.parent === null && isBuiltInName(style.name) ? style.name : style.id;
}

export function resolveStyle(catalog: CatalogReader, reference: StyleReference): Promise<Style | undefined> {
  return isBuiltInName(reference) ? catalog.find(styleKind, null, reference) : catalog.get(styleKind, reference);
}

/** Lists the first layers that use a style, by name. References to built-in styles are not indexed. */
export async function listLayersByStyle(
  catalog: CatalogReader,
  style: Style,
  limit: number,
): Promise<readonly { readonly name: string; readonly workspace: string }[]> {
  const layers = await catalog.findByKey(layerKind, 'style', toStyleReference(style), limit);
  const placed = layers.map(async ({ name, workspace: id }) => {
    const workspace = await catalog.get(workspaceKind, id);
    return workspace === undefined ? [] : [{ name, workspace: workspace.name }];
  });
  return (await Promise.all(placed)).flat();
}

/** Throws if layers or groups use the style; the filter restricts which of them count. */
export async function checkStyleUnused(
  catalog: CatalogReader,
  style: Style,
  counts?: (user: RecordBase) => boolean,
): Promise<void> {
  const { first: blockers, total } = await references.findBlockers(catalog, style, counts);
  if (total > 0) {
    throw problem('style-in-use', { name: style.name, blockers, total });
  }
}

/** Throws if the caller lacks permission to change any layer that uses the style, without naming the layers. */
export async function checkMayDetach(
  catalog: CatalogReader,
  style: Style,
  checkMayWrite: (workspaceName: string) => void,
): Promise<void> {
  for (const { workspace } of await listLayersByStyle(catalog, style, Number.MAX_SAFE_INTEGER)) {
    checkMayWrite(workspace);
  }
}

/**
 * Layers and groups of a workspace use its styles and global ones, and global groups use any. Rejects moving a style to
 * a workspace where some of its users could not see it.
 */
export async function checkUsersInWorkspace(
  catalog: CatalogReader,
  style: Style,
  home: Workspace | null,
): Promise<void> {
  if (home !== null) {
    const isInWorkspace = (user: RecordBase) =>
      'workspace' in user ? user.workspace === home.id : user.parent === home.id || user.parent === null;
    await checkStyleUnused(catalog, style, (user) => !isInWorkspace(user));
  }
}

/** Removes the styles of the old workspace from a layer that moves to another one. */
export async function removeWorkspaceStyles(transaction: CatalogTransaction, layer: Layer): Promise<Layer> {
  const local = new Set<StyleReference>();
  for (const reference of listLayerStyleReferences(layer)) {
    if ((await resolveStyle(transaction, reference))?.parent === layer.workspace) {
      local.add(reference);
    }
  }
  return local.size === 0 ? layer : removeStyles(transaction, layer, (reference) => local.has(reference));
}
