/** Reads the keystore of a source (JCEKS, version 2) with its master password. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type JavaObject, readJavaObject } from './java-object.ts';
import { decryptMd5TripleDes } from './password-ciphers.ts';

const MAGIC = 0xcececece;
const VERSION = 2;
const PRIVATE_KEY = 1;
const CERTIFICATE = 2;
const SECRET_KEY = 3;
const DIGEST_BYTES = 20;

/** Real keystores use 20 to 200,000 rounds; more would keep the process busy. */
const MAX_ROUNDS = 5_000_000;

/** The format hashes this text with the password. */
const WHITENER = 'Mighty Aphrodite';

export type KeystoreContent =
  | { readonly kind: 'open'; readonly keys: ReadonlyMap<string, string> }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'invalid'; readonly reason: string };

export function readKeystore(bytes: Buffer, password: string): KeystoreContent {
  try {
    if (bytes.length < 12 + DIGEST_BYTES || bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== VERSION) {
      return { kind: 'invalid', reason: 'it is not a JCEKS keystore' };
    }
    const content = bytes.subarray(0, -DIGEST_BYTES);
    const secret = Buffer.from(password, 'utf16le').swap16();
    const digest = createHash('sha1').update(secret).update(WHITENER).update(content).digest();
    // A wrong password can decrypt entries to garbage, so it is checked first.
    if (!timingSafeEqual(digest, bytes.subarray(-DIGEST_BYTES))) return { kind: 'wrong-password' };
    return { kind: 'open', keys: readEntries(content, password) };
  } catch (error) {
    return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
}

function readEntries(content: Buffer, password: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  let offset = 12;
  const readText = () => {
    const length = content.readUInt16BE(offset);
    const text = content.toString('utf8', offset + 2, offset + 2 + length);
    offset += 2 + length;
    return text;
  };
  const skipBytes = () => {
    offset += 4 + content.readUInt32BE(offset);
  };
  const skipCertificate = () => {
    readText();
    skipBytes();
  };
  for (let left = content.readUInt32BE(8); left > 0; left -= 1) {
    const kind = content.readUInt32BE(offset);
    offset += 4;
    const alias = readText();
    // The date.
    offset += 8;
    if (kind === SECRET_KEY) {
      const { object, end } = readJavaObject(content.subarray(offset));
      offset += end;
      keys.set(alias, openKey(object, password));
    } else if (kind === CERTIFICATE) skipCertificate();
    else if (kind === PRIVATE_KEY) {
      skipBytes();
      const count = content.readUInt32BE(offset);
      offset += 4;
      for (let index = 0; index < count; index += 1) skipCertificate();
    } else throw new Error('it contains an unknown entry');
  }
  return keys;
}

/** Decrypts a sealed key, which is itself a serialized object. */
function openKey({ fields }: JavaObject, password: string): string {
  const parameters = fields.get('encodedParams');
  const sealed = fields.get('encryptedContent');
  if (!Buffer.isBuffer(parameters) || !Buffer.isBuffer(sealed)) throw new Error('a key is not sealed');
  const plain = decryptMd5TripleDes(sealed, password, readCipherParameters(parameters));
  const key = readJavaObject(plain).object.fields.get('key');
  if (!Buffer.isBuffer(key)) throw new Error('a key has another form');
  return key.toString();
}

/** `SEQUENCE { OCTET STRING salt, INTEGER rounds }` in DER; all lengths are below 128. */
function readCipherParameters(der: Buffer): { readonly salt: Buffer; readonly rounds: number } {
  const saltBytes = der[3] ?? 0;
  const integer = 4 + saltBytes;
  const integerBytes = der[integer + 1] ?? 0;
  if (der[0] !== 0x30 || der[2] !== 0x04 || saltBytes !== 8 || der[integer] !== 0x02 || integerBytes > 4) {
    throw new Error('a key has unknown parameters');
  }
  const rounds = der.readUIntBE(integer + 2, integerBytes);
  if (rounds > MAX_ROUNDS) throw new Error('a key has too many rounds');
  return { salt: der.subarray(4, 12), rounds };
}
