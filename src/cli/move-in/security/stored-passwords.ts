/** Decodes stored passwords by their prefix. */
import { decryptMd5Des, decryptSha256Aes } from './password-ciphers.ts';

export type StoredPassword =
  | { readonly kind: 'plain'; readonly password: string }
  /** A hash that the target verifies at the first login. */
  | { readonly kind: 'digest'; readonly text: string }
  /** An account without a login. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly reason: string };

const ROUNDS = 1_000;

/** Bytes of salt and of the hash of `digest1`. */
const DIGEST_BYTES = 48;

/** `key` is the key of the keystore for the password; undefined if it is unavailable. */
export function readStoredPassword(stored: string, key: string | undefined): StoredPassword {
  const [, prefix = '', rest = ''] = /^(plain|digest1|crypt1|crypt2|empty):(.*)$/s.exec(stored) ?? [];
  switch (prefix) {
    case '':
      return { kind: 'plain', password: stored };
    case 'plain':
      return { kind: 'plain', password: rest };
    case 'empty':
      return { kind: 'empty' };
    case 'digest1':
      return Buffer.from(rest, 'base64').length === DIGEST_BYTES
        ? { kind: 'digest', text: stored }
        : { kind: 'unreadable', reason: 'the hash has another length' };
    default: {
      if (key === undefined) return { kind: 'unreadable', reason: 'its key is not available' };
      return decrypt(
        prefix === 'crypt1' ? { read: decryptMd5Des, saltBytes: 8 } : { read: decryptSha256Aes, saltBytes: 16 },
        rest,
        key,
      );
    }
  }
}

interface Cipher {
  readonly read: typeof decryptMd5Des;
  readonly saltBytes: number;
}

function decrypt({ read, saltBytes }: Cipher, text: string, key: string): StoredPassword {
  const bytes = Buffer.from(text, 'base64');
  try {
    const plain = read(bytes.subarray(saltBytes), key, { salt: bytes.subarray(0, saltBytes), rounds: ROUNDS });
    return { kind: 'plain', password: new TextDecoder('utf-8', { fatal: true }).decode(plain) };
  } catch {
    return { kind: 'unreadable', reason: 'its key does not fit' };
  }
}
