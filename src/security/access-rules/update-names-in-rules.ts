/** Updates the workspace and layer names in rules after a rename or move, so that permissions stay as they were. */
import { problem } from '../../lib/problems/problem.ts';
import type { NameChange, NameFollower } from '../../records/references.ts';
import { formatLayerKey, type LayerKey, parseLayerKey } from './layer-rules.ts';
import { formatRestKey, parseRestKey } from './rest-rules.ts';
import { type RuleRecord, ruleSetKind } from './rule-records.ts';
import { type OpenRuleSet, withRuleSet } from './rule-set.ts';

/** No initial rule names a workspace or a layer, so nothing needs updating before the first change. */
const noInitialRules = { layers: [], services: [], rest: [] };

export const updateNamesInRules: NameFollower = async (transaction, changes) => {
  await updateLayerRules(transaction, changes);
  await updateRestRules(transaction, changes);
};

const updateLayerRules: NameFollower = async (transaction, changes) => {
  if (changes.length === 0 || (await transaction.find(ruleSetKind, null, 'layers')) === undefined) {
    return;
  }
  // Names never contain a slash.
  const byName = new Map(changes.map((change) => [change.from.join('/'), change]));
  await withRuleSet(transaction, 'layers', noInitialRules, async (set) => {
    for (const rule of await set.list()) {
      const key = parseLayerKey(rule.name);
      const layer = byName.get(`${key.workspace}/${key.layer}`);
      const workspace = byName.get(key.workspace);
      if (layer !== undefined) {
        await updateLayerName(set, rule, key, layer);
      } else if (workspace !== undefined) {
        await updateWorkspaceName(set, rule, key, workspace);
      }
    }
  });
};

/** Updates only patterns that name the workspace literally: a segment with a star also matches other workspaces. */
const updateRestRules: NameFollower = async (transaction, changes) => {
  // REST patterns are stored in lower case.
  const renamed = new Map<string, string>();
  for (const { kind, from, to } of changes) {
    const [[old = ''], [next] = []] = [from, to ?? undefined];
    if (kind === 'workspace' && next !== undefined) renamed.set(old.toLowerCase(), next.toLowerCase());
  }
  if (renamed.size === 0 || (await transaction.find(ruleSetKind, null, 'rest')) === undefined) {
    return;
  }
  await withRuleSet(transaction, 'rest', noInitialRules, async (set) => {
    for (const rule of await set.list()) {
      const { path, methods } = parseRestKey(rule.name);
      const [root, collection, workspace = '', ...rest] = path;
      const next = renamed.get(workspace);
      const isOfWorkspace = root === 'rest' && (collection === 'workspaces' || collection === 'namespaces');
      if (!isOfWorkspace || next === undefined || next === workspace) {
        continue;
      }
      const followed = formatRestKey({ path: [root, collection, next, ...rest], methods });
      const leftOver = await set.find(followed);
      if (leftOver !== undefined) {
        await set.remove(leftOver);
      }
      await set.changeKey(rule, followed);
    }
  });
};

/**
 * The rules of a deleted layer stay: without them, a layer published later under the same name would be open to all
 * users.
 */
async function updateLayerName(set: OpenRuleSet, rule: RuleRecord, key: LayerKey, { to }: NameChange): Promise<void> {
  if (to === null) {
    return;
  }
  const [workspace = '', layer = ''] = to;
  const followed = formatLayerKey({ workspace, layer, mode: key.mode });
  // The existing rule may have another purpose, so an administrator has to choose which of the two applies.
  if ((await set.find(followed)) !== undefined) {
    throw problem('layer-rule-exists', { key: followed, from: rule.name });
  }
  await set.remove(rule);
  await set.add({ key: followed, roles: rule.roles });
}

/**
 * Deletes only the admin rules of a deleted workspace: a later workspace of the same name must get its own
 * administrators.
 */
async function updateWorkspaceName(
  set: OpenRuleSet,
  rule: RuleRecord,
  key: LayerKey,
  { to }: NameChange,
): Promise<void> {
  const [workspace] = to ?? [];
  if (workspace === undefined) {
    if (key.mode === 'admin') {
      await set.remove(rule);
    }
    return;
  }
  const followed = formatLayerKey({ ...key, workspace });
  // A rule under the new name belonged to a workspace that was deleted earlier.
  const leftOver = await set.find(followed);
  if (leftOver !== undefined) {
    await set.remove(leftOver);
  }
  await set.remove(rule);
  await set.add({ key: followed, roles: rule.roles });
}
