import { expect, test } from 'vitest';
import { type Account, toAccountKey } from './principal.ts';

test('accounts of the same name at different providers have different keys', () => {
  const accounts: readonly Account[] = [
    { kind: 'administrator' },
    { kind: 'user', id: 'user-1' },
    { kind: 'user', id: 'user-2' },
    { kind: 'directory', providerId: 'east' },
    { kind: 'directory', providerId: 'west' },
  ];

  const keys = accounts.map((account) => toAccountKey({ name: 'ann', roles: new Set(), account }));

  expect(new Set(keys).size).toBe(accounts.length);
});
