import { expect, it } from 'vitest';
import { isPermittedByRoles } from '../access-rules/rule-roles.ts';
import { addRoleAliases } from './resolve-roles.ts';

it.each([
  ['ADMIN', 'ROLE_ADMINISTRATOR'],
  ['ROLE_ADMINISTRATOR', 'ADMIN'],
  ['GROUP_ADMIN', 'ROLE_GROUP_ADMIN'],
  ['ROLE_GROUP_ADMIN', 'GROUP_ADMIN'],
])('admits a user with the role %s by a rule for %s', (held, named) => {
  const principal = { name: 'ann', roles: addRoleAliases([held]) };

  expect(isPermittedByRoles([named], principal)).toBe(true);
});

it('distinguishes roles with similar names', () => {
  const principal = { name: 'ann', roles: addRoleAliases(['ROLE_ADMIN', 'Admin', 'ROLE_GROUP']) };

  expect([...principal.roles]).toEqual(['ROLE_ADMIN', 'Admin', 'ROLE_GROUP']);
  expect(isPermittedByRoles(['ADMIN', 'ROLE_ADMINISTRATOR', 'GROUP_ADMIN'], principal)).toBe(false);
});
