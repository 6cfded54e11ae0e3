/** Encrypts secrets for storage: AES-256-GCM with the data keys of the keystore. */
import { createCipheriv, createDecipheriv, hash, type KeyObject, randomBytes } from 'node:crypto';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';

export interface Sealer {
  /** Encrypts text for storage with the current key; the result differs every time. */
  seal(clear: string): Secret;
  /** Decrypts text; throws `SealBroken` for text that was encrypted with an unknown key or was altered. */
  open(sealed: Secret): string;
  /** Returns whether text was encrypted with the current key. False for altered text. */
  isCurrent(sealed: Secret): boolean;
}

/** The data keys: the current one first, then those that only decrypt. */
export type DataKeys = readonly [current: KeyObject, ...others: KeyObject[]];

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Begins text that was encrypted before the first rotation: it does not name its key. */
const PREFIX = 'sealed:1:';

/** Begins text that names its key: the prefix, the id of the key, a colon and the encrypted bytes. */
const PREFIX_WITH_KEY = 'sealed:2:';

/** Returns whether a text looks encrypted: other secrets are hashed. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX) || text.startsWith(PREFIX_WITH_KEY);
}

const keyIds = new WeakMap<KeyObject, string>();

/** Returns a short name of a key. It reveals nothing, because keys are random. */
export function computeKeyId(key: KeyObject): string {
  const known = keyIds.get(key);
  if (known !== undefined) return known;
  const id = hash('sha256', Buffer.concat([Buffer.from('graticule key id\n'), key.export()]), 'hex').slice(0, 16);
  keyIds.set(key, id);
  return id;
}

/**
 * The standard nonce length of GCM. Nonces may collide after 2^32 encryptions with one key; a catalog has a few
 * thousand.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a sealer with keys of 32 bytes, which stay in memory. The keys can change at any time. */
export function createSealer(getKeys: () => DataKeys): Sealer {
  return {
    seal(clear) {
      const keys = getKeys();
      const bytes = encrypt(keys[0], Buffer.from(clear, 'utf8')).toString('base64url');
      // Before the first rotation, nodes of earlier versions must be able to decrypt it.
      return toSecret(keys.length === 1 ? `${PREFIX}${bytes}` : `${PREFIX_WITH_KEY}${computeKeyId(keys[0])}:${bytes}`);
    },
    open: (secret) => decryptText(getKeys(), revealSecret(secret)),
    isCurrent(secret) {
      const [current] = getKeys();
      try {
        decryptText([current], revealSecret(secret));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function decryptText(keys: DataKeys, sealed: string): string {
  if (!isSealed(sealed)) {
    throw new SealBroken('The text was not encrypted with a keystore.');
  }
  if (sealed.startsWith(PREFIX)) {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    return decryptWithAny(keys, bytes).toString('utf8');
  }
  const [id, text = ''] = sealed.slice(PREFIX_WITH_KEY.length).split(':');
  const key = keys.find((each) => computeKeyId(each) === id);
  if (key === undefined) {
    throw new SealBroken('The text was encrypted with a key that the keystore does not have.');
  }
  return decrypt(key, Buffer.from(text, 'base64url')).toString('utf8');
}

/** Decrypts with the key that fits; throws `SealBroken` if none does. */
function decryptWithAny(keys: readonly KeyObject[], sealed: Buffer): Buffer {
  let failure: unknown = new SealBroken('No key is available.');
  for (const key of keys) {
    try {
      return decrypt(key, sealed);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
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
