/** How rules are kept: a record a rule, in a record for their family whose version tells whether any of them changed. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

/**
 * What becomes of what somebody may not read. HIDE: it vanishes. MIXED: it is in no listing, but whoever asks for it is challenged. CHALLENGE: it is listed, and
 * whoever asks for it is challenged.
 */
export type CatalogMode = 'HIDE' | 'MIXED' | 'CHALLENGE';

export const catalogModes: readonly CatalogMode[] = ['HIDE', 'MIXED', 'CHALLENGE'];

export function parseCatalogMode(text: string): CatalogMode | undefined {
  return catalogModes.find((mode) => mode === text);
}

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

export const ruleSetKind: RecordKind<RuleSetRecord> = { kind: 'ruleSet', keys: {}, secrets: {}, counter: 'changes' };
export const ruleKind: RecordKind<RuleRecord> = { kind: 'accessRule', keys: {}, secrets: {} };
export const accessSettingsKind: RecordKind<AccessSettingsRecord> = {
  kind: 'accessSettings',
  keys: {},
  secrets: {},
};

export const ACCESS_SETTINGS = 'access';
