/** How rules are kept: a record a rule, in a record for their family whose version tells whether any of them changed. */
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { CatalogMode } from './catalog-mode.ts';

/** Its name is that of the family. It is made with the first change; until then the initial rules hold. */
export interface RuleSetRecord extends RecordBase {
  readonly kind: 'ruleSet';
  /** How often its rules were changed, so that each change gives it a new version. */
  readonly changes: number;
  /** The position of the next rule to be added. */
  readonly nextPosition: number;
}

/** Its name is the key, and its parent the set. */
export interface RuleRecord extends RecordBase {
  readonly kind: 'accessRule';
  readonly roles: readonly string[];
  readonly position: number;
}

export interface AccessSettingsRecord extends RecordBase {
  readonly kind: 'accessSettings';
  readonly catalogMode: CatalogMode;
}

export const ruleSetKind: RecordKind<RuleSetRecord> = { kind: 'ruleSet', keys: {}, secrets: {} };
export const ruleKind: RecordKind<RuleRecord> = { kind: 'accessRule', keys: {}, secrets: {} };
export const accessSettingsKind: RecordKind<AccessSettingsRecord> = {
  kind: 'accessSettings',
  keys: {},
  secrets: {},
};

export const ACCESS_SETTINGS = 'access';
