/** Dismisses the administrators of a deleted workspace: a later one of the same name must not fall to them. */
import type { CatalogTransaction } from '../../records/catalog.ts';
import { parseLayerKey } from './layer-rules.ts';
import { ruleSetKind } from './rule-records.ts';
import { withRuleSet } from './rule-set.ts';

/** No initial rule names a workspace, so there is nothing to do before the first change. */
const noInitialRules = { layers: [], services: [], rest: [] };

/** Rules for reading and writing stay: without them, what is published under the name again would be open to all. */
export async function dismissAdministratorsOf(transaction: CatalogTransaction, workspace: string): Promise<void> {
  if ((await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'layers', noInitialRules, async (set) => {
    for (const rule of await set.all()) {
      const key = parseLayerKey(rule.name);
      if (key.workspace === workspace && key.mode === 'admin') {
        await set.remove(rule);
      }
    }
  });
}
