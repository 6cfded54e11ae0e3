/** Lets the rules of a layer follow its name: a rename must neither open a layer nor lock its people out. */
import type { CatalogTransaction } from '../../catalog/catalog.ts';
import { parseLayerKey, printLayerKey } from './layer-key.ts';
import { ruleSetKind } from './rule-records.ts';
import { withRuleSet } from './rule-set.ts';

/** No initial rule names a layer, so there is nothing to do before the first change. */
const noInitialRules = { layers: [], services: [], rest: [] };

export async function renameLayerInRules(
  transaction: CatalogTransaction,
  workspace: string,
  name: { readonly from: string; readonly to: string },
): Promise<void> {
  if ((await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'layers', noInitialRules, async (set) => {
    for (const rule of await set.all()) {
      const key = parseLayerKey(rule.name);
      if (key.workspace === workspace && key.layer === name.from) {
        const renamed = printLayerKey({ ...key, layer: name.to });
        // A rule that waited under the new name was for a layer that is no more.
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
