/** Lets the rules of a layer follow it to another name or workspace: neither must open it, or lock its people out. */

import { problem } from '../../lib/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { type LayerKey, parseLayerKey, printLayerKey } from './layer-rules.ts';
import { ruleSetKind } from './rule-records.ts';
import { withRuleSet } from './rule-set.ts';

/** No initial rule names a layer, so there is nothing to do before the first change. */
const noInitialRules = { layers: [], services: [], rest: [] };

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

/** A rule that stands under the new key already was meant for something: which of both holds, people have to say. */
async function followLayers(
  transaction: CatalogTransaction,
  follow: (key: LayerKey) => LayerKey | undefined,
): Promise<void> {
  if ((await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'layers', noInitialRules, async (set) => {
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
