/** Encrypts secrets for storage: AES-256-GCM with the data key of the keystore. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';

export interface Sealer {
  /** Encrypts text for storage; the result differs every time. */
  seal(clear: string): Secret;
  /** Decrypts text; throws `SealBroken` for text that was not encrypted with this key or was altered. */
  open(sealed: Secret): string;
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** The prefix of encrypted text; the number is the version of the encryption scheme. */
const PREFIX = 'sealed:1:';

/** Returns whether a text looks encrypted: other secrets are hashed. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * The standard nonce length of GCM. Nonces may collide after 2^32 encryptions with one key; a catalog has a few
 * thousand.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a sealer with a key of 32 bytes, which stays in memory. */
export function createSealer(dataKey: KeyObject): Sealer {
  return {
    seal: (clear) => toSecret(`${PREFIX}${encrypt(dataKey, Buffer.from(clear, 'utf8')).toString('base64url')}`),
    open(secret) {
      const sealed = revealSecret(secret);
      if (!isSealed(sealed)) {
        throw new SealBroken('The text was not encrypted with a keystore.');
      }
      return decrypt(dataKey, Buffer.from(sealed.slice(PREFIX.length), 'base64url')).toString('utf8');
    },
  };
}

/** Returns nonce, tag and ciphertext concatenated. */
export function encrypt(key: KeyObject, clear: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  const ciphertext = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

export function decrypt(key: KeyObject, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length !== TAG_BYTES) {
    throw new SealBroken('The encrypted text is truncated.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealBroken('The encrypted text was altered, or encrypted with another key.');
  }
}
