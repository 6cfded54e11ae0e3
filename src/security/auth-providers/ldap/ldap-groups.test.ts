import { expect, it } from 'vitest';
import { listLdapGroups, toRoles } from './ldap-groups.ts';

const groups = ['Editors', 'chiefs'];

it.each([
  ['with ROLE_ before them and in upper case by default', {}, ['ROLE_EDITORS', 'ROLE_CHIEFS']],
  ['with another prefix', { rolePrefix: 'LDAP_' }, ['LDAP_EDITORS', 'LDAP_CHIEFS']],
  ['without a prefix', { rolePrefix: '' }, ['EDITORS', 'CHIEFS']],
  ['as they are written', { convertToUpperCase: false }, ['ROLE_Editors', 'ROLE_chiefs']],
  ['as they are', { rolePrefix: '', convertToUpperCase: false }, ['Editors', 'chiefs']],
  [
    'and of one of them the administrators',
    { adminGroup: 'CHIEFS' },
    ['ROLE_EDITORS', 'ROLE_CHIEFS', 'ROLE_ADMINISTRATOR'],
  ],
  ['and the group administrators', { groupAdminGroup: 'editors' }, ['ROLE_EDITORS', 'ROLE_CHIEFS', 'ROLE_GROUP_ADMIN']],
  [
    'and no administrators of an empty name',
    { adminGroup: '', groupAdminGroup: 'others' },
    ['ROLE_EDITORS', 'ROLE_CHIEFS'],
  ],
])('groups become roles %s', (_how, settings, roles) => {
  expect(toRoles(groups, settings)).toEqual(roles);
});

it('no group makes nobody of somebody', () => {
  expect(toRoles(['anonymous', 'authenticated'], {})).toEqual([]);
});

it('a directory without end is searched for a while only', async () => {
  let searches = 0;
  const endless = {
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
