/** Storage of rules: one record per rule, below a record for the family whose version changes with every rule. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

/**
 * How resources without read permission are treated. HIDE: they appear not to exist. MIXED: listings omit them, but a
 * direct request is challenged. CHALLENGE: listings include them, and a direct request is challenged.
 */
export type CatalogMode = 'HIDE' | 'MIXED' | 'CHALLENGE';

export const catalogModes: readonly CatalogMode[] = ['HIDE', 'MIXED', 'CHALLENGE'];

export function parseCatalogMode(text: string): CatalogMode | undefined {
  return catalogModes.find((mode) => mode === text);
}

/** Named after the family. It is created with the first change; until then the initial rules apply. */
export interface RuleSetRecord extends RecordBase {
  readonly kind: 'ruleSet';
  /** The number of changes of its rules, so that each change creates a new version. */
  readonly changes: number;
  /** The position of the next rule. */
  readonly nextPosition: number;
}

/** Its name is the key, and its parent is the rule set. */
export interface RuleRecord extends RecordBase {
  readonly kind: 'accessRule';
  readonly roles: readonly string[];
  readonly position: number;
}

export interface AccessSettingsRecord extends RecordBase {
  readonly kind: 'accessSettings';
  readonly catalogMode: CatalogMode;
}

export const ruleSetKind: RecordKind<RuleSetRecord> = { kind: 'ruleSet', keys: {}, secrets: {}, counter: 'changes' };
export const ruleKind: RecordKind<RuleRecord> = { kind: 'accessRule', keys: {}, secrets: {} };
export const accessSettingsKind: RecordKind<AccessSettingsRecord> = {
  kind: 'accessSettings',
  keys: {},
  secrets: {},
};

export const ACCESS_SETTINGS = 'access';
