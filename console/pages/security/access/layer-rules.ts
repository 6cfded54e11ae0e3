/** Layer rules: their keys, which of them decides, and the smallest change that allows or denies. */
import { ADMINISTRATOR, ANONYMOUS, EVERYONE, parseRoles, SIGNED_IN } from '../common/role-names.ts';
import type { Mode, RuleSet } from '../documents.ts';

export const ANY = '*';

const letters: Readonly<Record<Mode, string>> = { read: 'r', write: 'w', admin: 'a' };

export interface RuleTarget {
  /** Empty for a global group. */
  readonly workspace: string;
  readonly layer: string;
  readonly mode: Mode;
}

export function formatRuleKey({ workspace, layer, mode }: RuleTarget): string {
  const names = workspace === '' ? [layer] : [workspace, layer];
  return [...names.map((name) => name.replaceAll('.', '\\.')), letters[mode]].join('.');
}

export function parseRuleKey(key: string): RuleTarget {
  const parts = key.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  const letter = parts.at(-1);
  const mode: Mode = letter === 'w' ? 'write' : letter === 'a' ? 'admin' : 'read';
  return parts.length === 2
    ? { workspace: '', layer: parts[0] ?? '', mode }
    : { workspace: parts[0] ?? '', layer: parts[1] ?? '', mode };
}

interface DecidingRule {
  readonly key: string;
  readonly roles: readonly string[];
  readonly exists: boolean;
}

/** The most specific rule decides; rules are never merged. Without one, everyone reads and administrators write. */
export function findDecidingRule(rules: RuleSet, target: RuleTarget): DecidingRule {
  const { workspace, layer, mode } = target;
  const levels = [
    ...(layer === ANY || mode === 'admin' ? [] : [{ workspace, layer, mode }]),
    ...(workspace === ANY ? [] : [{ workspace, layer: ANY, mode }]),
    { workspace: ANY, layer: ANY, mode },
  ];
  const key = levels.map(formatRuleKey).find((each) => Object.hasOwn(rules, each));
  return key === undefined
    ? { key: '', roles: mode === 'read' ? [EVERYONE] : [ADMINISTRATOR], exists: false }
    : { key, roles: parseRoles(rules[key]), exists: true };
}

/** Whether a user who has only this role is admitted. */
export function admits(roles: readonly string[], role: string): boolean {
  if (role === ADMINISTRATOR || roles.includes(EVERYONE) || roles.includes(role)) return true;
  return role !== ANONYMOUS && roles.includes(SIGNED_IN);
}

export interface RuleChange {
  readonly kind: 'add' | 'change' | 'remove';
  readonly key: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns the change that gives the target these roles; undefined if it has them already. */
export function planRoles(rules: RuleSet, target: RuleTarget, roles: readonly string[]): RuleChange | undefined {
  const key = formatRuleKey(target);
  const after = tidyRoles(roles);
  const own = Object.hasOwn(rules, key) ? parseRoles(rules[key]) : undefined;
  const { [key]: _, ...others } = rules;
  const inherited = findDecidingRule(others, target).roles;
  if (own === undefined) {
    return hasSame(inherited, after) ? undefined : { kind: 'add', key, before: inherited, after };
  }
  if (hasSame(own, after)) return undefined;
  return { kind: hasSame(inherited, after) ? 'remove' : 'change', key, before: own, after };
}

interface Wish extends RuleTarget {
  readonly role: string;
  readonly isAllowed: boolean;
  /** The roles that the administrators have created. */
  readonly known: readonly string[];
}

/** Returns the roles with which the rule of the target would allow or deny a role, and all others as before. */
export function chooseRoles(rules: RuleSet, wish: Wish): readonly string[] {
  const { roles } = findDecidingRule(rules, wish);
  return wish.isAllowed ? [...roles, wish.role === ANONYMOUS ? EVERYONE : wish.role] : denyRole(roles, wish);
}

/** A rule has no exceptions: without "everyone", it has to name the roles that remain. */
function denyRole(roles: readonly string[], { role, known }: Wish): readonly string[] {
  if (roles.includes(EVERYONE)) {
    return role === ANONYMOUS ? [SIGNED_IN] : known.filter((each) => each !== role);
  }
  const isBySignIn = role !== SIGNED_IN && role !== ANONYMOUS && roles.includes(SIGNED_IN);
  const named = isBySignIn ? [...roles.filter((each) => each !== SIGNED_IN), ...known] : roles;
  return named.filter((each) => each !== role);
}

function tidyRoles(roles: readonly string[]): readonly string[] {
  if (roles.includes(EVERYONE)) return [EVERYONE];
  const named = [...new Set(roles)].filter((role) => role !== ADMINISTRATOR);
  return named.length === 0 ? [ADMINISTRATOR] : named;
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((role) => other.includes(role));
}
