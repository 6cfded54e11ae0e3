/** Reads the rules of one family, and changes them within a transaction. */
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { type InitialRules, type RuleEntry, type RuleFamilyName, sortRules } from './rule-families.ts';
import { type RuleRecord, type RuleSetRecord, ruleKind, ruleSetKind } from './rule-records.ts';

/** The version of rules that were never changed. */
const INITIAL_VERSION = 0;

export interface RuleSet {
  readonly rules: readonly RuleEntry[];
  readonly version: number;
}

/** Reads only the version: one small read, regardless of the number of rules. */
export async function getRuleSetVersion(catalog: CatalogReader, family: RuleFamilyName): Promise<number> {
  return (await catalog.find(ruleSetKind, null, family))?.version ?? INITIAL_VERSION;
}

export async function readRuleSet(
  catalog: CatalogReader,
  family: RuleFamilyName,
  initial: InitialRules,
): Promise<RuleSet> {
  const set = await catalog.find(ruleSetKind, null, family);
  if (set === undefined) {
    return { rules: initial[family], version: INITIAL_VERSION };
  }
  const records = await catalog.list(ruleKind, set.id);
  const placed = records.map(({ name, roles, position }) => ({ key: name, roles, position }));
  const rules = sortRules(family, placed).map(({ key, roles }) => ({ key, roles }));
  return { rules, version: set.version };
}

/** The rules of a family within a transaction. */
export interface OpenRuleSet {
  find(key: string): Promise<RuleRecord | undefined>;
  add(rule: RuleEntry): Promise<void>;
  /** Keeps the position of the rule. */
  changeKey(rule: RuleRecord, key: string): Promise<void>;
  changeRoles(rule: RuleRecord, roles: readonly string[]): Promise<void>;
  remove(rule: RuleRecord): Promise<void>;
  list(): Promise<readonly RuleRecord[]>;
}

/** Runs the work on the rules of a family, and increments the version of the set if the work changed a rule. */
export async function withRuleSet(
  transaction: CatalogTransaction,
  family: RuleFamilyName,
  initial: InitialRules,
  work: (set: OpenRuleSet) => Promise<void>,
): Promise<void> {
  const set =
    (await transaction.find(ruleSetKind, null, family)) ?? (await createRuleSet(transaction, family, initial));
  let { nextPosition } = set;
  let changed = false;
  await work({
    find: (key) => transaction.find(ruleKind, set.id, key),
    list: () => transaction.list(ruleKind, set.id),
    async add({ key, roles }) {
      await transaction.insert(ruleKind, { parent: set.id, name: key, roles, position: nextPosition });
      nextPosition += 1;
      changed = true;
    },
    async changeKey(rule, key) {
      await transaction.update(ruleKind, { ...rule, name: key });
      changed = true;
    },
    async changeRoles(rule, roles) {
      const updated = await transaction.update(ruleKind, { ...rule, roles });
      changed ||= updated.version !== rule.version;
    },
    async remove(rule) {
      await transaction.removeDeep(rule.id);
      changed = true;
    },
  });
  if (changed) {
    await transaction.update(ruleSetKind, { ...set, nextPosition, changes: set.changes + 1 });
  }
}

async function createRuleSet(
  transaction: CatalogTransaction,
  family: RuleFamilyName,
  initial: InitialRules,
): Promise<RuleSetRecord> {
  const rules = initial[family];
  const set = await transaction.insert(ruleSetKind, {
    parent: null,
    name: family,
    changes: 0,
    nextPosition: rules.length,
  });
  for (const [position, { key, roles }] of rules.entries()) {
    await transaction.insert(ruleKind, { parent: set.id, name: key, roles, position });
  }
  return set;
}
