/**
 * Encryption with a passphrase: AES-256-GCM in chunks, with a key that scrypt derives. The number of a chunk and whether
 * it is the last one are part of its nonce, so chunks can be neither exchanged nor omitted.
 */
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt, scryptSync } from 'node:crypto';
import { promisify } from 'node:util';

/** The plain bytes of every chunk but the last. */
export const CHUNK_BYTES = 1024 * 1024;
export const TAG_BYTES = 16;

const MAGIC = Buffer.from('GRATICULE-SEALED-BACKUP-1\n');
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;
const CHECK_BYTES = 16;
const KEY_BYTES = 32;
export const SEAL_HEADER_BYTES = MAGIC.length + 3 + SALT_BYTES + PREFIX_BYTES + CHECK_BYTES;

/** 64 MB of memory and about a quarter of a second. */
const COST = { logN: 16, r: 8, p: 1 };
/** A file with a higher cost would block its reader. */
const MAX_LOG_N = 20;

type ScryptInput = readonly [passphrase: string, salt: Buffer, bytes: number, options: ScryptOptions];

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Encrypts or decrypts chunks; `position` counts from 0. */
export interface ChunkCipher {
  readonly header: Buffer;
  encrypt(chunk: Uint8Array, position: number, isLast: boolean): Buffer<ArrayBuffer>;
  /** Throws if the chunk was modified. */
  decrypt(sealed: Uint8Array, position: number, isLast: boolean): Buffer;
}

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

export async function createSeal(passphrase: string): Promise<ChunkCipher> {
  const salt = randomBytes(SALT_BYTES);
  const prefix = randomBytes(PREFIX_BYTES);
  const { key, check } = splitKey(await scryptAsync(...createScryptInput(passphrase, salt, COST)));
  const cost = Buffer.from([COST.logN, COST.r, COST.p]);
  return createCipher(Buffer.concat([MAGIC, cost, salt, prefix, check]), key);
}

export function isSealed(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, MAGIC.length));
}

/** For threads without an event loop to protect. */
export function openSealSync(header: Buffer, passphrase: string): ChunkCipher {
  return createOpenedCipher(header, scryptSync(...readScryptInput(header, passphrase)));
}

export async function openSeal(header: Buffer, passphrase: string): Promise<ChunkCipher> {
  return createOpenedCipher(header, await scryptAsync(...readScryptInput(header, passphrase)));
}

function readScryptInput(header: Buffer, passphrase: string): ScryptInput {
  const [logN = 0, r = 0, p = 0] = header.subarray(MAGIC.length);
  if (logN < 1 || logN > MAX_LOG_N || r !== COST.r || p !== COST.p) throw new Error('its encryption is unknown');
  const saltStart = MAGIC.length + 3;
  return createScryptInput(passphrase, header.subarray(saltStart, saltStart + SALT_BYTES), { logN, r, p });
}

function createOpenedCipher(header: Buffer, derived: Buffer): ChunkCipher {
  const { key, check } = splitKey(derived);
  if (!check.equals(header.subarray(SEAL_HEADER_BYTES - CHECK_BYTES, SEAL_HEADER_BYTES))) {
    throw new WrongPassphrase('the passphrase is wrong');
  }
  return createCipher(header, key);
}

/** The same passphrase, typed on another machine, can have another Unicode form. */
function createScryptInput(passphrase: string, salt: Buffer, { logN, r, p }: typeof COST): ScryptInput {
  const options = { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 256 };
  return [passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, options];
}

function splitKey(derived: Buffer) {
  return { key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) };
}

function createCipher(header: Buffer, key: Buffer): ChunkCipher {
  const prefixStart = MAGIC.length + 3 + SALT_BYTES;
  const createNonce = (position: number, isLast: boolean): Buffer => {
    const nonce = Buffer.alloc(PREFIX_BYTES + 5);
    header.copy(nonce, 0, prefixStart, prefixStart + PREFIX_BYTES);
    nonce.writeUInt32BE(position, PREFIX_BYTES);
    nonce[PREFIX_BYTES + 4] = isLast ? 1 : 0;
    return nonce;
  };
  return {
    header,
    encrypt(chunk, position, isLast) {
      const cipher = createCipheriv('aes-256-gcm', key, createNonce(position, isLast)).setAAD(header);
      const sealed = Buffer.allocUnsafeSlow(chunk.length + TAG_BYTES);
      cipher.update(chunk).copy(sealed);
      cipher.final();
      cipher.getAuthTag().copy(sealed, chunk.length);
      return sealed;
    },
    decrypt(sealed, position, isLast) {
      const end = sealed.length - TAG_BYTES;
      if (end < 0) throw new Error('it is incomplete');
      const decipher = createDecipheriv('aes-256-gcm', key, createNonce(position, isLast)).setAAD(header);
      decipher.setAuthTag(sealed.subarray(end));
      const plain = decipher.update(sealed.subarray(0, end));
      try {
        decipher.final();
      } catch {
        throw new Error('it is damaged or incomplete');
      }
      return plain;
    },
  };
}

/** Returns the size of the plain bytes of a sealed file. */
export function computePlainBytes(sealedBytes: number): number {
  const rest = sealedBytes - SEAL_HEADER_BYTES;
  return rest - Math.ceil(rest / (CHUNK_BYTES + TAG_BYTES)) * TAG_BYTES;
}

/** Returns where a chunk starts in a sealed file, and its largest size. */
export function locateChunk(position: number): { readonly start: number; readonly bytes: number } {
  const bytes = CHUNK_BYTES + TAG_BYTES;
  return { start: SEAL_HEADER_BYTES + position * bytes, bytes };
}
