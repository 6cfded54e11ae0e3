/** Finds the layers that a name can refer to, before access is checked. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Layer, layerKind } from '../../catalog/kinds/layer.ts';
import { createQualifiedKeyRange, formatQualifiedKey, splitQualifiedKey } from '../../catalog/kinds/resource.ts';
import { getDefaultWorkspace } from '../../catalog/workspaces/workspaces.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';

export interface LayerCandidate {
  readonly layer: Layer;
  readonly workspace: Workspace;
}

/** The maximum number of layers with the same name that are checked for visibility. */
const MAX_NAMESAKES = 100;

/**
 * Returns the layers that a name can refer to, in groups by preference: the layer of the default workspace, then the
 * only layer with that name. The caller ignores hidden layers in both groups.
 */
export async function findLayerCandidates(
  catalog: CatalogReader,
  within: Workspace | undefined,
  name: string,
): Promise<readonly (readonly LayerCandidate[])[]> {
  const colon = name.indexOf(':');
  const [prefix, local] = colon < 0 ? [undefined, name] : [name.slice(0, colon), name.slice(colon + 1)];
  if (within !== undefined) {
    return prefix === undefined || prefix === within.name ? [await findLayerInWorkspace(catalog, within, local)] : [];
  }
  if (prefix !== undefined) {
    const workspace = await catalog.find(workspaceKind, null, prefix);
    return workspace === undefined || workspace.isolated ? [] : [await findLayerInWorkspace(catalog, workspace, local)];
  }
  const preferred = await getDefaultWorkspace(catalog).catch(() => undefined);
  const layers = await catalog.findByKey(layerKind, 'name', local, MAX_NAMESAKES);
  const namesakes = layers.map(async (layer): Promise<readonly LayerCandidate[]> => {
    const workspace = await catalog.get(workspaceKind, layer.workspace);
    return workspace === undefined || workspace.isolated ? [] : [{ layer, workspace }];
  });
  return [
    preferred === undefined ? [] : await findLayerInWorkspace(catalog, preferred.workspace, local),
    (await Promise.all(namesakes)).flat(),
  ];
}

export async function findLayerInWorkspace(
  catalog: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<readonly LayerCandidate[]> {
  const [layer] = await catalog.findByKey(layerKind, 'qualifiedName', formatQualifiedKey(workspace.id, name), 1);
  return layer === undefined ? [] : [{ layer, workspace }];
}

/** Names are read in pages, and other requests run between turns, because there may be very many names. */
const NAME_BATCH_SIZE = 500;
const NAMES_PER_TURN = 20;

/** Iterates over the layer names of a workspace in order, from the start or after a name. */
export async function* listLayerNames(
  catalog: CatalogReader,
  { id }: Workspace,
  from?: string,
): AsyncGenerator<string> {
  let after = from;
  do {
    const range = createQualifiedKeyRange(id, { limit: NAME_BATCH_SIZE, ...(after === undefined ? {} : { after }) });
    const keys = await catalog.listKeyValues(layerKind, 'qualifiedName', range);
    after = undefined;
    for (const [index, key] of keys.entries()) {
      const [, name] = splitQualifiedKey(key);
      if (index % NAMES_PER_TURN === 0) await othersFirst();
      yield name;
      if (index === NAME_BATCH_SIZE - 1) after = name;
    }
  } while (after !== undefined);
}
