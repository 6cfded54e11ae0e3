/**
 * Updates the layer names in data rules after a rename or move. The rules of deleted layers stay: without them, a layer
 * published later under the same name would be unrestricted.
 */
import type { CatalogTransaction } from '../../records/catalog.ts';
import type { NameFollower } from '../../records/references.ts';
import { incrementRevision } from '../core/security-state.ts';
import { ANY, dataRuleKind, dataRuleSet, dataRuleSetKind } from './data-rule.ts';

export const updateNamesInDataRules: NameFollower = async (transaction, changes) => {
  const renames = changes.filter(({ to }) => to !== null);
  if (renames.length === 0 || (await transaction.find(dataRuleSetKind, null, dataRuleSet.name)) === undefined) return;
  let hasChanged = false;
  // All rules are read before any is written, because names can be exchanged.
  const updates = new Map<string, { readonly id: string; readonly layer: string }>();
  for (const { kind, from, to } of renames) {
    for (const rule of await findRules(transaction, kind, from)) {
      const [workspace = '', layer = ANY] = [to?.[0], kind === 'workspace' ? rule.layer.split(':')[1] : to?.[1]];
      if (kind === 'layer' || !updates.has(rule.id)) {
        updates.set(rule.id, { id: rule.id, layer: `${workspace}:${layer}` });
      }
    }
  }
  for (const { id, layer } of updates.values()) {
    const rule = await transaction.get(dataRuleKind, id);
    if (rule === undefined || rule.layer === layer) continue;
    await transaction.update(dataRuleKind, { ...rule, layer });
    hasChanged = true;
  }
  if (hasChanged) await incrementRevision(transaction, dataRuleSet);
};

async function findRules(transaction: CatalogTransaction, kind: 'workspace' | 'layer', from: readonly string[]) {
  if (kind === 'layer') return transaction.findByKey(dataRuleKind, 'layer', from.join(':'), Number.MAX_SAFE_INTEGER);
  const rules = await transaction.list(dataRuleKind, null);
  return rules.filter(({ layer }) => layer.startsWith(`${from[0]}:`));
}
