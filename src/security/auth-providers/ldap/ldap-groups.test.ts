import { expect, it } from 'vitest';
import { listLdapGroups, toRoles } from './ldap-groups.ts';

const groups = ['Editors', 'chiefs'];

it.each([
  ['with the prefix ROLE_ and in upper case by default', {}, ['ROLE_EDITORS', 'ROLE_CHIEFS']],
  ['with another prefix', { rolePrefix: 'LDAP_' }, ['LDAP_EDITORS', 'LDAP_CHIEFS']],
  ['without a prefix', { rolePrefix: '' }, ['EDITORS', 'CHIEFS']],
  ['in their original case', { convertToUpperCase: false }, ['ROLE_Editors', 'ROLE_chiefs']],
  ['unchanged', { rolePrefix: '', convertToUpperCase: false }, ['Editors', 'chiefs']],
  ['with one group as administrators', { adminGroup: 'CHIEFS' }, ['ROLE_EDITORS', 'ROLE_CHIEFS', 'ROLE_ADMINISTRATOR']],
  [
    'with one group as group administrators',
    { groupAdminGroup: 'editors' },
    ['ROLE_EDITORS', 'ROLE_CHIEFS', 'ROLE_GROUP_ADMIN'],
  ],
  [
    'without administrators for an empty group name',
    { adminGroup: '', groupAdminGroup: 'others' },
    ['ROLE_EDITORS', 'ROLE_CHIEFS'],
  ],
])('converts groups to roles %s', (_how, settings, roles) => {
  expect(toRoles(groups, settings)).toEqual(roles);
});

it('never converts a group to the anonymous role', () => {
  expect(toRoles(['anonymous', 'authenticated'], {})).toEqual([]);
});

it('stops searching groups of groups at a limit', async () => {
  let searches = 0;
  const endless = {
    ping: async () => undefined,
    bind: async () => true,
    search: async () => {
      searches += 1;
      return Array.from({ length: 400 }, (_each, index) => ({
        dn: `cn=${searches}-${index}`,
        cn: [`${searches}-${index}`],
      }));
    },
  };
  const settings = { groupSearchBase: 'ou=groups', useNestedParentGroups: true, maxGroupSearchLevel: 100 };

  const found = await listLdapGroups(endless, settings, 'dc=x', { dn: 'uid=a', name: 'a' });

  expect(found).toHaveLength(1_000);
  expect(searches).toBeLessThan(500);
});
