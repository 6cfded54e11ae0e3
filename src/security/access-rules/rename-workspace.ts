/** Lets the layer rules of a workspace follow its name: a rename must neither open a workspace nor lock its people out. */
import type { CatalogTransaction } from '../../records/catalog.ts';
import { parseLayerKey, printLayerKey } from './layer-rules.ts';
import { ruleSetKind } from './rule-records.ts';
import { withRuleSet } from './rule-set.ts';

/** No initial rule names a workspace, so there is nothing to do before the first change. */
const noInitialRules = { layers: [], services: [], rest: [] };

export async function renameWorkspaceInRules(transaction: CatalogTransaction, from: string, to: string): Promise<void> {
  if ((await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'layers', noInitialRules, async (set) => {
    for (const rule of await set.all()) {
      const key = parseLayerKey(rule.name);
      if (key.workspace === from) {
        const renamed = printLayerKey({ ...key, workspace: to });
        // A rule that waited under the new name was for a workspace that is no more.
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
