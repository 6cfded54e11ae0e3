import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { revealSecret, toSecret } from '../../lib/identity/secret.ts';
import { createDecoyHash, hashPassword, verifyPassword } from './passwords.ts';

describe('stored password', () => {
  it('is an argon2id hash with the cost that OWASP recommends', async () => {
    expect(await hashPassword('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is salted, so that equal passwords have different hashes', async () => {
    expect(await hashPassword('secret')).not.toBe(await hashPassword('secret'));
  });

  it.each(['secret', '', ' ', 'pässwörd €', '🗝️', 'a'.repeat(10_000), 'nul\0inside'])(
    'is verified: %j',
    async (password) => {
      const hash = await hashPassword(password);

      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, `${password}x`)).toBe(false);
      expect(await verifyPassword(hash, password.slice(0, -1) || 'other')).toBe(false);
    },
  );

  it.each(['', 'secret', '$argon2id$', '$argon2id$v=19$m=19456,t=2,p=1$broken'])(
    'matches no password if the hash is invalid: %j',
    async (hash) => {
      expect(await verifyPassword(toSecret(hash), 'secret')).toBe(false);
      expect(await verifyPassword(toSecret(hash), hash)).toBe(false);
    },
  );
});

describe('decoy hash', () => {
  it("has the format of a user's hash and is verified in full, but matches no password", async () => {
    const hash = createDecoyHash(randomBytes);

    expect(shapeOf(revealSecret(hash))).toBe(shapeOf(revealSecret(await hashPassword('secret'))));
    // An invalid hash would fail without delay and so reveal that the user does not exist.
    expect(await verify(revealSecret(hash), 'secret')).toBe(false);
  });
});

function shapeOf(hash: string): string {
  const [salt = '', digest = ''] = hash.split('$').slice(-2);
  return `${hash.slice(0, -`${salt}$${digest}`.length)} ${salt.length} ${digest.length}`;
}
