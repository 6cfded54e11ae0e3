/** The roles of a rule, and the principals they admit. */
import { isAdministrator, isAnonymous, type Principal, ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintable } from '../../lib/text/wording.ts';

/** Admits every user. */
export const ANY_ROLE = '*';

/** Parses a comma-separated list of roles; a star anywhere in the list replaces the whole list. */
export function parseRoles(key: string, text: string): readonly string[] {
  const roles = [...new Set(text.split(',').map((role) => role.trim()))].filter((role) => role !== '');
  if (roles.length === 0) {
    const reason = "at least one role is required. Use 'ROLE_ADMINISTRATOR' to admit administrators only";
    throw problem('rule-roles-malformed', { key: toPrintable(key), reason });
  }
  const odd = roles.find((role) => /\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(role) || !role.isWellFormed());
  if (odd !== undefined) {
    const reason = `'${toPrintable(odd)}' contains a control character or invalid Unicode`;
    throw problem('rule-roles-malformed', { key: toPrintable(key), reason });
  }
  return roles.includes(ANY_ROLE) ? [ANY_ROLE] : roles;
}

export function formatRoles(roles: readonly string[]): string {
  return roles.join(',');
}

/** Returns whether the principal has one of the roles; administrators always pass. */
export function isPermittedByRoles(roles: readonly string[], principal: Principal): boolean {
  return isAdministrator(principal) || roles.some((role) => role === ANY_ROLE || hasRole(principal, role));
}

function hasRole(principal: Principal, role: string): boolean {
  return principal.roles.has(role) || (role === ROLE_AUTHENTICATED && !isAnonymous(principal));
}
