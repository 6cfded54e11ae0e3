import { expect, test } from 'vitest';
import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { buildClientKey } from './request-head.ts';

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('an anonymous client at %s belongs to %s', (address, key) => {
  expect(buildClientKey(address, anonymous)).toBe(key);
  expect(buildClientKey(address, undefined)).toBe(key);
});

test('users behind one address are separate clients, even with the same name in two user services', () => {
  const ann: Principal = { name: 'ann', roles: new Set(), account: { kind: 'user', id: 'u1' } };
  const other: Principal = { ...ann, account: { kind: 'directory', providerId: 'ldap' } };

  const keys = [anonymous, ann, other].map((principal) => buildClientKey('10.0.0.1', principal));

  expect(new Set(keys).size).toBe(3);
});
