/** Lets layer rules follow the names they speak of: a rename must neither open what has a name, nor lock its people out. */
import { problem } from '../../lib/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { type LayerKey, parseLayerKey, printLayerKey } from './layer-rules.ts';
import { ruleSetKind } from './rule-records.ts';
import { type OpenRuleSet, withRuleSet } from './rule-set.ts';

export async function renameLayerInRules(
  transaction: CatalogTransaction,
  workspace: string,
  name: { readonly from: string; readonly to: string },
): Promise<void> {
  await followLayers(transaction, ({ workspace: owner, layer, mode }) =>
    owner === workspace && layer === name.from ? { workspace, layer: name.to, mode } : undefined,
  );
}

/** For layers that move with their store; rules for all layers of a workspace stay with the workspace. */
export async function moveLayersInRules(
  transaction: CatalogTransaction,
  layers: ReadonlySet<string>,
  workspace: { readonly from: string; readonly to: string },
): Promise<void> {
  await followLayers(transaction, ({ workspace: owner, layer, mode }) =>
    owner === workspace.from && layers.has(layer) ? { workspace: workspace.to, layer, mode } : undefined,
  );
}

/** A rule that waits under the new name was for a workspace that is no more. */
export async function renameWorkspaceInRules(transaction: CatalogTransaction, from: string, to: string): Promise<void> {
  await changeLayerRules(transaction, async (set) => {
    for (const rule of await set.all()) {
      const key = parseLayerKey(rule.name);
      if (key.workspace === from) {
        const renamed = printLayerKey({ ...key, workspace: to });
        const leftOver = await set.find(renamed);
        if (leftOver !== undefined) {
          await set.remove(leftOver);
        }
        await set.remove(rule);
        await set.add({ key: renamed, roles: rule.roles });
      }
    }
  });
}

/**
 * For a workspace that is deleted: a later one of the same name must not fall to its administrators. Rules for reading
 * and writing stay: without them, what is published under the name again would be open to all.
 */
export async function dismissAdministratorsOf(transaction: CatalogTransaction, workspace: string): Promise<void> {
  await changeLayerRules(transaction, async (set) => {
    for (const rule of await set.all()) {
      const key = parseLayerKey(rule.name);
      if (key.workspace === workspace && key.mode === 'admin') {
        await set.remove(rule);
      }
    }
  });
}

/** A rule that stands under the new key already was meant for something: which of both holds, people have to say. */
async function followLayers(
  transaction: CatalogTransaction,
  follow: (key: LayerKey) => LayerKey | undefined,
): Promise<void> {
  await changeLayerRules(transaction, async (set) => {
    for (const rule of await set.all()) {
      const followed = follow(parseLayerKey(rule.name));
      if (followed === undefined) {
        continue;
      }
      const key = printLayerKey(followed);
      if ((await set.find(key)) !== undefined) {
        throw problem('layer-rule-exists', { key, from: rule.name });
      }
      await set.remove(rule);
      await set.add({ key, roles: rule.roles });
    }
  });
}

/** No initial rule names a workspace or a layer, so there is nothing to do before the first change. */
async function changeLayerRules(
  transaction: CatalogTransaction,
  change: (set: OpenRuleSet) => Promise<void>,
): Promise<void> {
  if ((await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'layers', { layers: [], services: [], rest: [] }, change);
}
