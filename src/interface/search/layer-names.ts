/** The names and titles of all layers, prepared for searches and kept while no change occurs. */
import { layerKind } from '../../catalog/kinds/layer.ts';
import { splitQualifiedKey, splitTitleKey } from '../../catalog/kinds/resource.ts';
import { resourceKinds } from '../../catalog/kinds/resource-kinds.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Catalog } from '../../records/catalog.ts';
import { keepWhileUnchanged } from '../../records/keep-while-unchanged.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { type FoldedNames, foldNames } from './matches.ts';

export interface LayerName {
  readonly workspace: string;
  readonly name: string;
  readonly title: string | null;
  readonly folded: FoldedNames;
}

/**
 * By workspace and name. Typing sends a search for every few letters. Reading and folding 100,000 names for each would take
 * most of its time.
 */
export function createLayerNames(): (catalog: Catalog) => Promise<readonly LayerName[]> {
  return keepWhileUnchanged(readLayerNames);
}

async function readLayerNames(catalog: Catalog): Promise<readonly LayerName[]> {
  const workspaces = await catalog.list(workspaceKind, null);
  const titles = await readTitles(catalog);
  const found = new Map(workspaces.map(({ id, name }) => [id, { workspace: name, layers: [] as LayerName[] }]));
  for (const key of await catalog.listKeyValues(layerKind, 'qualifiedName')) {
    const [id, name] = splitQualifiedKey(key);
    const home = found.get(id);
    const title = titles.get(key) ?? null;
    if (home !== undefined) {
      const { workspace } = home;
      home.layers.push({ workspace, name, title, folded: foldNames({ workspace, name, title }) });
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return [...found.values()].flatMap(({ layers }) => layers);
}

/** The titles that differ from the names, by the qualified key of the layer. */
async function readTitles(catalog: Catalog): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (const kind of resourceKinds) {
    for (const key of await catalog.listKeyValues(kind, 'title')) {
      const [qualifiedKey, title] = splitTitleKey(key);
      titles.set(qualifiedKey, title);
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
  }
  return titles;
}
