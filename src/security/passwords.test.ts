import { describe, expect, it } from 'vitest';
import { secretFrom } from '../lib/secret.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

describe('a password at rest', () => {
  it('is argon2id, at the cost that OWASP asks for', async () => {
    expect(await hashPassword('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is salted: the same password never looks the same', async () => {
    expect(await hashPassword('secret')).not.toBe(await hashPassword('secret'));
  });

  it.each(['secret', '', ' ', 'pässwörd €', '🗝️', 'a'.repeat(10_000), 'nul\0inside'])(
    'is known again: %j',
    async (password) => {
      const hash = await hashPassword(password);

      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, `${password}x`)).toBe(false);
      expect(await verifyPassword(hash, password.slice(0, -1) || 'other')).toBe(false);
    },
  );

  it.each(['', 'secret', '$argon2id$', '$argon2id$v=19$m=19456,t=2,p=1$broken'])(
    'that cannot be read belongs to no password: %j',
    async (hash) => {
      expect(await verifyPassword(secretFrom(hash), 'secret')).toBe(false);
      expect(await verifyPassword(secretFrom(hash), hash)).toBe(false);
    },
  );
});
