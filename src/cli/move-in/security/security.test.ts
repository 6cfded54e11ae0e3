/** Keystores, stored passwords and properties files of Java. */
import { describe, expect, it } from 'vitest';
import {
  digestPassword,
  encryptStrongly,
  encryptWeakly,
  writeKeystore,
} from '../../../../test/support/source-directories/java-keystore.ts';
import { readKeystore } from './keystore.ts';
import { derivePkcs12 } from './password-ciphers.ts';
import { readProperties } from './properties.ts';
import { readStoredPassword } from './stored-passwords.ts';

const keys = { 'config:password:key': 'one key', 'ug:default:key': 'änother key' };
const keystore = writeKeystore(keys, 'master');

describe('a keystore', () => {
  it('is opened with its password', () => {
    const content = readKeystore(keystore, 'master');

    expect(content.kind === 'open' && Object.fromEntries(content.keys)).toEqual(keys);
  });

  it('is not opened with another password', () => {
    expect(readKeystore(keystore, 'Master')).toEqual({ kind: 'wrong-password' });
  });

  it('is rejected at any damage, without an exception', () => {
    for (let at = 0; at < keystore.length; at += 1) {
      const damaged = Buffer.from(keystore);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      expect(['wrong-password', 'invalid']).toContain(readKeystore(damaged, 'master').kind);
      expect(['wrong-password', 'invalid']).toContain(readKeystore(keystore.subarray(0, at), 'master').kind);
    }
  });
});

describe('a stored password', () => {
  const read = (stored: string, key: string | undefined = 'the key') => readStoredPassword(stored, key);

  it.each([
    ['without a prefix', 'secret: with a colon', 'secret: with a colon'],
    ['as text', 'plain:secret', 'secret'],
    ['in DES', encryptWeakly('Geheimnis ß', 'the key'), 'Geheimnis ß'],
    ['in AES', encryptStrongly('Geheimnis ß', 'the key'), 'Geheimnis ß'],
  ])('is read %s', (_, stored, password) => {
    expect(read(stored)).toEqual({ kind: 'plain', password });
  });

  it('remains a hash if it is one, and is empty without a login', () => {
    const digest = digestPassword('x');

    expect(read(digest)).toEqual({ kind: 'digest', text: digest });
    expect(read('empty:')).toEqual({ kind: 'empty' });
  });

  it('is unreadable without its key, with another key, and if it is damaged', () => {
    expect(readStoredPassword(encryptWeakly('x', 'the key'), undefined).kind).toBe('unreadable');
    expect(read(encryptStrongly('x', 'another')).kind).toBe('unreadable');
    expect(read('crypt1:!!').kind).toBe('unreadable');
    expect(read('crypt2:AAAA').kind).toBe('unreadable');
    expect(read('digest1:AAAA').kind).toBe('unreadable');
  });

  it('derives keys as PKCS #12 does', () => {
    // Computed with `openssl kdf -keylen 24 -kdfopt digest:SHA256 … PKCS12KDF`.
    const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
    const derived = derivePkcs12('secret', { salt, rounds: 1_000, purpose: 1, bytes: 32 });

    expect(derived.toString('hex')).toBe('5d084d8299eddb7c1530f521fd4d22d350e41b25d3c372929aedfd1d62b22b7b');
  });
});

describe('a properties file', () => {
  it('is read with comments, escapes, continued lines and all separators', () => {
    const text =
      '# comment\n! another\n\na=1\nb : 2\nc 3\nd\\=e=f\\\n   g\n\\u0041=\\u00e4\nside\\\\.car.*.r=X\nempty\n';

    expect(readProperties(text).map(({ key, value }) => [key, value])).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d=e', 'fg'],
      ['A', 'ä'],
      ['side\\.car.*.r', 'X'],
      ['empty', ''],
    ]);
  });
});
