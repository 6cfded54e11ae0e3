/** Lists and changes the access rules and the catalog mode. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { enumerate, toPrintable } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { type InitialRules, type RuleEntry, type RuleFamilyName, toCanonicalKey } from './rule-families.ts';
import { ACCESS_SETTINGS, accessSettingsKind, type CatalogMode, parseCatalogMode } from './rule-records.ts';
import { parseRoles } from './rule-roles.ts';
import { getRuleSetVersion, type OpenRuleSet, withRuleSet } from './rule-set.ts';

/** A rule as a client writes it. */
export interface RuleDraft {
  readonly key: string;
  readonly roles: string;
}

interface RuleWriteContext {
  readonly catalog: Catalog;
  readonly initial: InitialRules;
  readonly principal: Principal;
  readonly family: RuleFamilyName;
  readonly precondition: Precondition;
}

/** Adds all of the rules, or none of them if one exists already. */
export async function addRules(writing: RuleWriteContext, drafts: readonly RuleDraft[]): Promise<void> {
  const rules = parseRuleEntries(writing.family, drafts);
  await writeRuleChange(writing, 'add', rules, async (set) => {
    const existing = await selectKeys(rules, async ({ key }) => (await set.find(key)) !== undefined);
    if (existing.length > 0) {
      throw problem('rules-exist', { keys: existing.map((each) => toPrintable(each)) });
    }
    for (const rule of rules) {
      await set.add(rule);
    }
  });
}

/** Replaces the roles of all of the rules, or of none of them if one does not exist. */
export async function changeRules(writing: RuleWriteContext, drafts: readonly RuleDraft[]): Promise<void> {
  const rules = parseRuleEntries(writing.family, drafts);
  await writeRuleChange(writing, 'change', rules, async (set) => {
    const unknown = await selectKeys(rules, async ({ key }) => (await set.find(key)) === undefined);
    if (unknown.length > 0) {
      throw problem('rules-unknown', { keys: unknown.map((each) => toPrintable(each)) });
    }
    for (const { key, roles } of rules) {
      const rule = await set.find(key);
      if (rule !== undefined) {
        await set.changeRoles(rule, roles);
      }
    }
  });
}

export async function removeRule(writing: RuleWriteContext, keyText: string): Promise<void> {
  const key = toCanonicalKey(writing.family, keyText);
  await writeRuleChange(writing, 'remove', [{ key, roles: [] }], async (set) => {
    const rule = await set.find(key);
    if (rule === undefined) {
      throw problem('rule-unknown', { key: toPrintable(key) });
    }
    await set.remove(rule);
  });
}

function writeRuleChange(
  { catalog, initial, principal, family, precondition }: RuleWriteContext,
  verb: string,
  rules: readonly RuleEntry[],
  work: (set: OpenRuleSet) => Promise<void>,
): Promise<void> {
  const keys = enumerate(
    rules.map(({ key }) => toPrintable(key)),
    rules.length,
  );
  return catalog.change(principal, `${verb} ${family} rules: ${keys}`, async (transaction) => {
    checkPrecondition(precondition, await getRuleSetVersion(transaction, family));
    if (rules.length > 0) {
      await withRuleSet(transaction, family, initial, work);
    }
  });
}

function parseRuleEntries(family: RuleFamilyName, drafts: readonly RuleDraft[]): readonly RuleEntry[] {
  const rules = drafts.map(({ key, roles }) => ({ key: toCanonicalKey(family, key), roles: parseRoles(key, roles) }));
  const keys = new Set<string>();
  for (const { key } of rules) {
    if (keys.has(key)) {
      throw problem('rule-malformed', { key: toPrintable(key), reason: 'it occurs more than once in this document' });
    }
    keys.add(key);
  }
  return rules;
}

async function selectKeys(
  rules: readonly RuleEntry[],
  test: (rule: RuleEntry) => Promise<boolean>,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const rule of rules) {
    if (await test(rule)) {
      keys.push(rule.key);
    }
  }
  return keys;
}

export async function readCatalogMode(
  catalog: CatalogReader,
): Promise<{ readonly mode: CatalogMode; readonly version: number }> {
  const settings = await catalog.find(accessSettingsKind, null, ACCESS_SETTINGS);
  return { mode: settings?.catalogMode ?? 'HIDE', version: settings?.version ?? 0 };
}

export async function changeCatalogMode(
  catalog: Catalog,
  principal: Principal,
  text: string | null,
  precondition: Precondition,
): Promise<void> {
  if (text === null || text.trim() === '') {
    throw problem('catalog-mode-missing', { field: 'catalog.mode' });
  }
  const catalogMode = parseCatalogMode(text.trim());
  if (catalogMode === undefined) {
    throw problem('catalog-mode-unknown', { mode: toPrintable(text), field: 'catalog.mode' });
  }
  await catalog.change(principal, `set the catalog mode to ${catalogMode}`, async (transaction) => {
    const settings = await transaction.find(accessSettingsKind, null, ACCESS_SETTINGS);
    checkPrecondition(precondition, settings?.version ?? 0);
    if (settings === undefined) {
      await transaction.insert(accessSettingsKind, { parent: null, name: ACCESS_SETTINGS, catalogMode });
    } else {
      await transaction.update(accessSettingsKind, { ...settings, catalogMode });
    }
  });
}
