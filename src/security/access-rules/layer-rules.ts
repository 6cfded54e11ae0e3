/**
 * Layer rules: their keys, such as `topp.states.r`, and the three levels they form (everything, workspace, layer). Keys
 * such as `base.r` are rules of global groups.
 */
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import { ANY, createMalformedRuleProblem, isPlainText } from './rule-key.ts';
import { ANY_ROLE, isPermittedByRoles } from './rule-roles.ts';

export type AccessMode = 'read' | 'write' | 'admin';

/** Stands for the workspace in rules of global groups. */
const NO_WORKSPACE = '';

export interface LayerKey {
  /** Empty for a global group. */
  readonly workspace: string;
  readonly layer: string;
  readonly mode: AccessMode;
}

const modes: Readonly<Record<string, AccessMode>> = { r: 'read', w: 'write', a: 'admin' };
const letters: Readonly<Record<AccessMode, string>> = { read: 'r', write: 'w', admin: 'a' };

/** Parses a key. A dot inside a name is escaped as `\.`; names never contain a backslash. */
export function parseLayerKey(text: string): LayerKey {
  const parts = text.trim().split(/(?<!\\)\./);
  const names = parts.map((part) => part.replaceAll('\\.', '.'));
  const isOfGroup = parts.length === 2;
  const [workspace = '', layer = '', letter = ''] = isOfGroup ? [NO_WORKSPACE, ...names] : names;
  const mode = Object.hasOwn(modes, letter) ? modes[letter] : undefined;
  if (!(isOfGroup || (parts.length === 3 && workspace !== '')) || layer === '') {
    throw createMalformedRuleProblem(
      text,
      "it must be '<workspace>.<layer>.<mode>', or '<group>.<mode>' for a global group, with a dot in a name written as '\\.'",
    );
  }
  if (mode === undefined) {
    throw createMalformedRuleProblem(text, `the access mode '${toPrintable(letter)}' is unknown. Use r, w or a`);
  }
  if ([workspace, layer].some((name) => name.includes('\\') || name.includes('/') || !isPlainText(name))) {
    throw createMalformedRuleProblem(text, 'it contains an invalid name');
  }
  if (isOfGroup && layer === ANY) {
    throw createMalformedRuleProblem(text, "it must name one global group, or be '*.*.<mode>' for everything");
  }
  if (workspace === ANY && layer !== ANY) {
    throw createMalformedRuleProblem(text, "a rule for all workspaces must apply to all layers: '*.*.<mode>'");
  }
  if (mode === 'admin' && layer !== ANY) {
    throw createMalformedRuleProblem(text, "admin rules apply to a whole workspace: '<workspace>.*.a'");
  }
  return { workspace, layer, mode };
}

export function formatLayerKey({ workspace, layer, mode }: LayerKey): string {
  const name = workspace === NO_WORKSPACE ? escapeDots(layer) : `${escapeDots(workspace)}.${escapeDots(layer)}`;
  return `${name}.${letters[mode]}`;
}

/** Sorts the global rule first, then by workspace and layer, and the modes as read, write, admin. */
export function compareLayerKeys(a: LayerKey, b: LayerKey): number {
  return (
    compareNames(a.workspace, b.workspace) ||
    compareNames(a.layer, b.layer) ||
    'rwa'.indexOf(letters[a.mode]) - 'rwa'.indexOf(letters[b.mode])
  );
}

function compareNames(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a === ANY || (b !== ANY && a < b) ? -1 : 1;
}

function escapeDots(name: string): string {
  return name.replaceAll('.', '\\.');
}

export interface LayerRule extends LayerKey {
  readonly roles: readonly string[];
}

export interface LayerRules {
  /**
   * Returns the roles of the most specific rule for a target and mode; levels are never merged. A layer without a
   * workspace is a global group: every user reads it if it has no rule, as far as they see its members.
   */
  getRoles(workspace: string | null, layer: string | null, mode: AccessMode): readonly string[];
  /** Returns the rule that `getRoles` applies; undefined for the default. */
  findRule(workspace: string | null, layer: string | null, mode: AccessMode): LayerRule | undefined;
  /** Returns whether a layer rule lets the principal read some layer of the workspace. */
  hasReadableLayer(workspace: string, principal: Principal): boolean;
  /** Returns whether some rule makes the principal an administrator of a workspace. */
  administersAny(principal: Principal): boolean;
}

/** The defaults without rules: every user reads; administrators write and administer. */
const rootRoles: Readonly<Record<AccessMode, readonly string[]>> = {
  read: [ANY_ROLE],
  write: [ROLE_ADMINISTRATOR],
  admin: [ROLE_ADMINISTRATOR],
};

export function createLayerRules(rules: readonly LayerRule[]): LayerRules {
  const byKey = new Map(rules.map((rule) => [formatRuleKey(rule.workspace, rule.layer, rule.mode), rule]));
  const findRule: LayerRules['findRule'] = (workspace, layer, mode) =>
    (workspace === null && layer !== null ? byKey.get(formatRuleKey(NO_WORKSPACE, layer, mode)) : undefined) ??
    (isOpenGroup(workspace, layer, mode) ? undefined : findLayerRule(workspace, layer, mode));
  const findLayerRule: LayerRules['findRule'] = (workspace, layer, mode) =>
    (workspace !== null && layer !== null ? byKey.get(formatRuleKey(workspace, layer, mode)) : undefined) ??
    (workspace !== null ? byKey.get(formatRuleKey(workspace, ANY, mode)) : undefined) ??
    byKey.get(formatRuleKey(ANY, ANY, mode));
  const readRules = Map.groupBy(
    rules.filter((rule) => rule.mode === 'read' && rule.layer !== ANY),
    (rule) => rule.workspace,
  );
  const adminRules = rules.filter((rule) => rule.mode === 'admin');
  return {
    findRule,
    getRoles: (workspace, layer, mode) => findRule(workspace, layer, mode)?.roles ?? rootRoles[mode],
    hasReadableLayer: (workspace, principal) =>
      (readRules.get(workspace) ?? []).some((rule) => isPermittedByRoles(rule.roles, principal)),
    administersAny: (principal) => adminRules.some((rule) => isPermittedByRoles(rule.roles, principal)),
  };
}

/** Rules for everything do not restrict the reading of global groups, which show only visible members. */
function isOpenGroup(workspace: string | null, layer: string | null, mode: AccessMode): boolean {
  return workspace === null && layer !== null && mode === 'read';
}

/** Names never contain a slash, so it is a safe separator. */
function formatRuleKey(workspace: string, layer: string, mode: AccessMode): string {
  return `${workspace}/${layer}/${mode}`;
}
