/** Seals secrets before they are stored, and opens them again: AES-256-GCM with the data key of the keystore. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';

export interface Sealer {
  /** The text as it may be stored: unreadable, and different every time. */
  seal(clear: string): Secret;
  /** The text that was sealed; a `SealBroken` error for anything this key did not seal, or that was altered since. */
  open(sealed: Secret): string;
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** What sealed text begins with; the number tells a later server which way it was sealed. */
const PREFIX = 'sealed:1:';

/** Whether a text looks like a sealed one: other secrets are hashed. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The length that GCM is made for. At 2^32 seals with one key two nonces could meet; a catalog has a few thousand. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealer with this key of 32 bytes, which is held in memory only. */
export function createSealer(dataKey: KeyObject): Sealer {
  return {
    seal: (clear) => toSecret(`${PREFIX}${encrypt(dataKey, Buffer.from(clear, 'utf8')).toString('base64url')}`),
    open(secret) {
      const sealed = revealSecret(secret);
      if (!isSealed(sealed)) {
        throw new SealBroken('This text was not sealed by a keystore.');
      }
      return decrypt(dataKey, Buffer.from(sealed.slice(PREFIX.length), 'base64url')).toString('utf8');
    },
  };
}

/** Nonce, tag and ciphertext in one. */
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
    throw new SealBroken('The sealed text is cut short.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealBroken('The sealed text was altered, or sealed with another key.');
  }
}
